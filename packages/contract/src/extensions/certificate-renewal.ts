// When ACME clients are asked to renew a certificate (RFC 9773): according to a rule, or earlier if an operator
// requests it. Not part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { dateTime, int32, MAX_URL_LENGTH, uuid } from '../primitives.ts';
import { BulkActionMessageDto } from '../shared/objects.ts';
import { raProfileMembership } from '../platform/referenced-objects.ts';

/** Maximum number of certificates in one request. */
export const MAX_EARLY_RENEWALS = 1_000;

/** `revoked`: the window is in the past, so that clients renew immediately. */
export const RenewalWindowReason = z.enum(['rule', 'asked', 'revoked']).meta({ id: 'RenewalWindowReason' });
export type RenewalWindowReason = z.output<typeof RenewalWindowReason>;

export const CertificateRenewalWindow = z
  .object({
    start: dateTime(),
    end: dateTime(),
    reason: RenewalWindowReason,
    /** Web page that explains the reason to users (RFC 9773 §4.2). */
    explanationUrl: z.string().optional(),
  })
  .meta({ id: 'CertificateRenewalWindow' });
export type CertificateRenewalWindow = z.output<typeof CertificateRenewalWindow>;

export const EarlyRenewalRequest = z
  .object({
    certificateUuids: z.array(uuid()).min(1).max(MAX_EARLY_RENEWALS),
    /** Start of the period over which renewals are spread. Default: now. */
    start: dateTime().optional(),
    /**
     * End of the period. Default: 24 hours after `start`. Clients poll every six hours, so a shorter period can take
     * effect late.
     */
    end: dateTime().optional(),
    explanationUrl: z
      .url({ protocol: /^https?$/ })
      .max(MAX_URL_LENGTH)
      .optional(),
  })
  .meta({ id: 'EarlyRenewalRequest' });
export type EarlyRenewalRequest = z.output<typeof EarlyRenewalRequest>;

export const EarlyRenewalReport = z
  .object({
    /** Number of certificates whose clients are asked to renew. */
    asked: int32(),
    /** Certificates that were skipped, with the reasons. */
    refused: z.array(BulkActionMessageDto),
  })
  .meta({ id: 'EarlyRenewalReport' });
export type EarlyRenewalReport = z.output<typeof EarlyRenewalReport>;

export const certificateRenewalOperations = operations(
  { tag: 'Certificate Renewal', resource: 'certificates', module: 'protocols', errors: ruleErrors },
  {
    getRenewalWindow: {
      route: 'GET /x/v1/certificates/{uuid}/renewalWindow',
      summary: 'Get the renewal window of a certificate for ACME clients',
      answer: CertificateRenewalWindow,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
    withdrawEarlyRenewal: {
      route: 'DELETE /x/v1/certificates/{uuid}/renewalWindow',
      summary: 'Withdraw the early renewal request for a certificate',
      errors: objectErrors,
      access: { action: 'renew', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'update',
    },
    requestEarlyRenewal: {
      route: 'POST /x/v1/certificates/earlyRenewal',
      summary: 'Ask ACME clients to renew certificates early',
      body: EarlyRenewalRequest,
      answer: EarlyRenewalReport,
      errors: [400, 401, 403, 422, 500],
      access: { action: 'renew' },
      also: [raProfileMembership],
      audit: 'update',
    },
  },
);
