// What a person decides about a certificate whose outcome at the authority is unknown. That it was issued shows by its
// upload; here is the other end. Not part of the published interface.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';
import { uuidParam } from '../shared/objects.ts';

const MAX_REASON_LENGTH = 500;

export const CertificateNotIssuedRequest = z
  .object({
    /** How that is known, e.g. who was asked; stands in the history and in the audit log. */
    reason: z.string().trim().min(1).max(MAX_REASON_LENGTH),
  })
  .meta({ id: 'CertificateNotIssuedRequest' });
export type CertificateNotIssuedRequest = z.output<typeof CertificateNotIssuedRequest>;

export const certificateSettlementOperations = {
  /**
   * Only for a certificate in state `pending_issue` that its authority is not asked about any more; it becomes
   * `failed`.
   */
  declareCertificateNotIssued: operation({
    id: 'declareCertificateNotIssued',
    summary: 'Declare that the authority did not issue a certificate whose outcome is unknown',
    tag: 'Certificate Settlement',
    method: 'POST',
    path: '/x/v1/certificates/{uuid}/notIssued',
    params: uuidParam,
    body: CertificateNotIssuedRequest,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 422, 500],
    access: { resource: 'certificates', action: 'update', object: 'uuid' },
    also: [memberOfItsRaProfile],
    audit: { module: 'certificates', resource: 'certificates', operation: 'update' },
  }),
};
