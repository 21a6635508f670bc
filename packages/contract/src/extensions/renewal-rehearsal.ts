// Simulates day by day how a shorter validity period would affect renewals in the inventory. Nothing is changed. Not
// part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { date, dateTime, int32, int64, uuid } from '../primitives.ts';
import { listedCertificates, UnattendedReason } from './automatic-renewal.ts';

export const MAX_REHEARSED_LIFETIME = 3_650;
/** Slightly more than two years. */
export const MAX_REHEARSED_DAYS = 800;
/** Maximum number of authorities or groups listed individually. Those with the most renewals are listed first. */
export const MAX_REHEARSED_SHARES = 100;

export const RenewalRehearsalRequest = z
  .object({
    /** Maximum validity period in days. Certificates with a shorter validity period are unaffected. */
    lifetimeDays: int32().min(1).max(MAX_REHEARSED_LIFETIME),
    /** First day on which certificates are issued with this validity period, in UTC. Default: today. */
    from: date().optional(),
    /** Number of simulated days, starting today. */
    days: int32().min(1).max(MAX_REHEARSED_DAYS).default(365),
    /** Authorities whose certificates get this validity period. Default: all. */
    authorityUuids: z.array(uuid()).max(1_000).optional(),
  })
  .meta({ id: 'RenewalRehearsalRequest' });
export type RenewalRehearsalRequest = z.input<typeof RenewalRehearsalRequest>;

/**
 * How certificates are renewed. `protocol`: by ACME clients. `location`, `token`: by the platform. `request`: at the
 * request of a user or program, as with the previous certificate. `hand`: issued once and never renewed. `none`: cannot
 * be renewed by the platform.
 */
export const RenewalWay = z
  .enum(['protocol', 'location', 'token', 'request', 'hand', 'none'])
  .meta({ id: 'RenewalWay' });
export type RenewalWay = z.output<typeof RenewalWay>;

/** One value per day, starting with the first day. */
const perDay = () => z.array(int32());

const share = {
  certificates: int32(),
  renewals: int64(),
  perDay: perDay(),
};

export const RehearsedWay = z.object({ way: RenewalWay, ...share }).meta({ id: 'RehearsedWay' });
export type RehearsedWay = z.output<typeof RehearsedWay>;

/** Renewals for an authority or a group. */
export const RehearsedShare = z.object({ uuid: uuid(), name: z.string(), ...share }).meta({ id: 'RehearsedShare' });
export type RehearsedShare = z.output<typeof RehearsedShare>;

export const RehearsedReason = z
  .object({ reason: UnattendedReason, certificates: int32(), renewals: int64() })
  .meta({ id: 'RehearsedReason' });
export type RehearsedReason = z.output<typeof RehearsedReason>;

/**
 * `fits`: approvals end within the renewal window. `mayTakeLonger`: they usually do, but can remain open longer.
 * `takesLonger`: one in ten takes longer than the window, so certificates would expire first.
 */
export const ApprovalVerdict = z.enum(['fits', 'mayTakeLonger', 'takesLonger']).meta({ id: 'ApprovalVerdict' });
export type ApprovalVerdict = z.output<typeof ApprovalVerdict>;

export const RehearsedApproval = z
  .object({
    raProfileUuid: uuid(),
    raProfileName: z.string(),
    approvalProfileName: z.string(),
    certificates: int32(),
    /** Time from the renewal request to the expiry of the certificate, for the shortest validity period that occurs. */
    windowHours: z.number(),
    /** Time after which approvals expire. */
    expiryHours: int32(),
    /** Duration of approvals in the past year; absent if there were none. */
    measured: z
      .object({
        approvals: int32(),
        medianHours: z.number(),
        /** Nine out of ten approvals took no longer than this. */
        slowHours: z.number(),
      })
      .optional(),
    verdict: ApprovalVerdict,
  })
  .meta({ id: 'RehearsedApproval' });
export type RehearsedApproval = z.output<typeof RehearsedApproval>;

export const RenewalRehearsal = z
  .object({
    countedAt: dateTime(),
    lifetimeDays: int32(),
    from: date(),
    /** First simulated day, in UTC: today. */
    firstDay: date(),
    /** Number of active end-entity certificates. */
    certificates: int32(),
    renewals: int64(),
    perDay: perDay(),
    /** Number of renewals with the current validity periods. */
    renewalsNow: int64(),
    perDayNow: perDay(),
    ways: z.array(RehearsedWay),
    /** Authorities with the most renewals first. */
    authorities: z.array(RehearsedShare),
    /** Groups with the most renewals first; a certificate is counted in each of its groups. */
    groups: z.array(RehearsedShare),
    /** Certificates without automated renewal. */
    unattended: z.array(RehearsedReason),
    approvals: z.array(RehearsedApproval),
  })
  .meta({ id: 'RenewalRehearsal' });
export type RenewalRehearsal = z.output<typeof RenewalRehearsal>;

export const renewalRehearsalOperations = operations(
  { tag: 'Certificate Renewal', resource: 'certificates', module: 'certificates', errors: plainErrors },
  {
    rehearseRenewals: {
      route: 'POST /x/v1/renewals/rehearsal',
      summary: 'Simulate renewals with a different validity period',
      body: RenewalRehearsalRequest,
      answer: RenewalRehearsal,
      access: listedCertificates,
    },
  },
);
