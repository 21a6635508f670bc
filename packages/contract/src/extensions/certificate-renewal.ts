// When ACME clients are told to renew a certificate (RFC 9773): by rule, or earlier at the request of an operator. Not
// part of the published interface.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { dateTime, int32, MAX_URL_LENGTH, uuid } from '../primitives.ts';
import { BulkActionMessageDto } from '../shared/objects.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';

/** Certificates of one request. */
export const MAX_EARLY_RENEWALS = 1_000;

/** `revoked`: the window has passed, so that clients renew at once. */
export const RenewalWindowReason = z.enum(['rule', 'asked', 'revoked']).meta({ id: 'RenewalWindowReason' });
export type RenewalWindowReason = z.output<typeof RenewalWindowReason>;

export const CertificateRenewalWindow = z
  .object({
    start: dateTime(),
    end: dateTime(),
    reason: RenewalWindowReason,
    /** A page for people that says why (RFC 9773 §4.2). */
    explanationUrl: z.string().optional(),
  })
  .meta({ id: 'CertificateRenewalWindow' });
export type CertificateRenewalWindow = z.output<typeof CertificateRenewalWindow>;

export const EarlyRenewalRequest = z
  .object({
    certificateUuids: z.array(uuid()).min(1).max(MAX_EARLY_RENEWALS),
    /** Renewals are spread over the period. By default it starts now. */
    start: dateTime().optional(),
    /** 24 hours after `start` when absent. Clients poll every six hours, so a shorter period may take effect late. */
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
    /** Certificates whose clients are asked to renew. */
    asked: int32(),
    /** Certificates that were skipped, and why. */
    refused: z.array(BulkActionMessageDto),
  })
  .meta({ id: 'EarlyRenewalReport' });
export type EarlyRenewalReport = z.output<typeof EarlyRenewalReport>;

export const certificateRenewalOperations = operations(
  { tag: 'Certificate Renewal', resource: 'certificates', module: 'protocols', errors: ruleErrors },
  {
    getRenewalWindow: {
      route: 'GET /x/v1/certificates/{uuid}/renewalWindow',
      summary: 'Get the period in which clients are told to renew a certificate',
      answer: CertificateRenewalWindow,
      access: { action: 'detail', object: 'uuid' },
      also: [memberOfItsRaProfile],
    },
    withdrawEarlyRenewal: {
      route: 'DELETE /x/v1/certificates/{uuid}/renewalWindow',
      summary: 'Let a certificate be renewed by rule again',
      errors: objectErrors,
      access: { action: 'renew', object: 'uuid' },
      also: [memberOfItsRaProfile],
      audit: 'update',
    },
    askForEarlyRenewal: {
      route: 'POST /x/v1/certificates/earlyRenewal',
      summary: 'Ask the clients of certificates to renew them early',
      body: EarlyRenewalRequest,
      answer: EarlyRenewalReport,
      errors: [400, 401, 403, 422, 500],
      access: { action: 'renew' },
      also: [memberOfItsRaProfile],
      audit: 'update',
    },
  },
);
