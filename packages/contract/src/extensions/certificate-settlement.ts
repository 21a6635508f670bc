// An operator's decision about a certificate whose issuance outcome is unknown. If the authority issued it, the
// operator uploads it; this operation covers the opposite case. Not part of the published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { raProfileMembership } from '../platform/referenced-objects.ts';

const MAX_REASON_LENGTH = 500;

export const CertificateNotIssuedRequest = z
  .object({
    /** Basis for the decision, e.g. who was consulted. Recorded in the history and the audit log. */
    reason: z.string().trim().min(1).max(MAX_REASON_LENGTH),
  })
  .meta({ id: 'CertificateNotIssuedRequest' });
export type CertificateNotIssuedRequest = z.output<typeof CertificateNotIssuedRequest>;

export const certificateSettlementOperations = operations(
  { tag: 'Certificate Settlement', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /**
     * Only for a certificate in the state `pending_issue` whose authority is no longer queried about it; its state
     * becomes `failed`.
     */
    declareCertificateNotIssued: {
      route: 'POST /x/v1/certificates/{uuid}/notIssued',
      summary: 'Mark a certificate whose issuance outcome is unknown as not issued',
      body: CertificateNotIssuedRequest,
      access: { action: 'update', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'update',
    },
  },
);
