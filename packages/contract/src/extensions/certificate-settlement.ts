// An operator's decision about a certificate whose outcome at the authority is unknown. If it was issued, the operator
// uploads it; here is the opposite case. Not part of the published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';

const MAX_REASON_LENGTH = 500;

export const CertificateNotIssuedRequest = z
  .object({
    /** How that is known, e.g. who was asked; recorded in the history and the audit log. */
    reason: z.string().trim().min(1).max(MAX_REASON_LENGTH),
  })
  .meta({ id: 'CertificateNotIssuedRequest' });
export type CertificateNotIssuedRequest = z.output<typeof CertificateNotIssuedRequest>;

export const certificateSettlementOperations = operations(
  { tag: 'Certificate Settlement', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /**
     * Only for a certificate in state `pending_issue` about which its authority is no longer asked; it becomes
     * `failed`.
     */
    declareCertificateNotIssued: {
      route: 'POST /x/v1/certificates/{uuid}/notIssued',
      summary: 'Declare that the authority did not issue a certificate whose outcome is unknown',
      body: CertificateNotIssuedRequest,
      access: { action: 'update', object: 'uuid' },
      also: [memberOfItsRaProfile],
      audit: 'update',
    },
  },
);
