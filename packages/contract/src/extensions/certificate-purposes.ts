// Purposes of certificates, in verdicts and lists. Not part of the published interface.
import { z } from 'zod';

/** `server` and `client`: TLS. `mail`: S/MIME. `code`: code signing. `ocsp`: signing of OCSP responses. */
export const CertificatePurpose = z
  .enum(['server', 'client', 'mail', 'code', 'timeStamping', 'ocsp'])
  .meta({ id: 'CertificatePurpose' });
export type CertificatePurpose = z.output<typeof CertificatePurpose>;

export const PurposeVerdict = z
  .object({
    purpose: CertificatePurpose,
    /**
     * Whether the certificate is valid and can be used for the purpose; for a CA, whether it can issue certificates for
     * it.
     */
    valid: z.boolean(),
    /** Why it cannot be used for the purpose. Absent if the certificate is not valid for any purpose. */
    message: z.string().optional(),
  })
  .meta({ id: 'PurposeVerdict' });
export type PurposeVerdict = z.output<typeof PurposeVerdict>;
