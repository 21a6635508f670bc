// What a shorter lifetime of certificates would mean: the inventory is replayed, day by day. Nothing is changed. Not
// part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { date, dateTime, int32, int64, uuid } from '../primitives.ts';
import { listedCertificates, UnattendedReason } from './automatic-renewal.ts';

export const MAX_REHEARSED_LIFETIME = 3_650;
/** Two years and some. */
export const MAX_REHEARSED_DAYS = 800;
/** Authorities, or groups, with the most renewals that are told one by one. */
export const MAX_REHEARSED_SHARES = 100;

export const RenewalRehearsalRequest = z
  .object({
    /** Days that certificates are valid at most. Those that are valid for less stay as they are. */
    lifetimeDays: int32().min(1).max(MAX_REHEARSED_LIFETIME),
    /** The first day on which certificates are issued with that lifetime, in UTC; today when absent. */
    from: date().optional(),
    /** How many days are replayed, from today on. */
    days: int32().min(1).max(MAX_REHEARSED_DAYS).default(365),
    /** Authorities whose certificates get that lifetime; all when absent. */
    authorityUuids: z.array(uuid()).max(1_000).optional(),
  })
  .meta({ id: 'RenewalRehearsalRequest' });
export type RenewalRehearsalRequest = z.input<typeof RenewalRehearsalRequest>;

/**
 * How certificates come to be renewed. `protocol`: by clients of ACME. `location`, `token`: by the platform. `request`:
 * a program or a person asks for it, as for the certificate before it. `hand`: was issued once, and never renewed.
 * `none`: the platform cannot renew it.
 */
export const RenewalWay = z
  .enum(['protocol', 'location', 'token', 'request', 'hand', 'none'])
  .meta({ id: 'RenewalWay' });
export type RenewalWay = z.output<typeof RenewalWay>;

/** By day, the first one first. */
const perDay = () => z.array(int32());

const share = {
  certificates: int32(),
  renewals: int64(),
  perDay: perDay(),
};

export const RehearsedWay = z.object({ way: RenewalWay, ...share }).meta({ id: 'RehearsedWay' });
export type RehearsedWay = z.output<typeof RehearsedWay>;

/** Renewals of an authority or a group. */
export const RehearsedShare = z.object({ uuid: uuid(), name: z.string(), ...share }).meta({ id: 'RehearsedShare' });
export type RehearsedShare = z.output<typeof RehearsedShare>;

export const RehearsedReason = z
  .object({ reason: UnattendedReason, certificates: int32(), renewals: int64() })
  .meta({ id: 'RehearsedReason' });
export type RehearsedReason = z.output<typeof RehearsedReason>;

/**
 * `fits`: approvals end within the window of renewal. `mayTakeLonger`: they usually do, and may be open for longer.
 * `takesLonger`: one of ten takes longer, so certificates would end before.
 */
export const ApprovalVerdict = z.enum(['fits', 'mayTakeLonger', 'takesLonger']).meta({ id: 'ApprovalVerdict' });
export type ApprovalVerdict = z.output<typeof ApprovalVerdict>;

export const RehearsedApproval = z
  .object({
    raProfileUuid: uuid(),
    raProfileName: z.string(),
    approvalProfileName: z.string(),
    certificates: int32(),
    /** From the time when a renewal is asked for to the end of the certificate, for the shortest lifetime there is. */
    windowHours: z.number(),
    /** After that approvals expire. */
    expiryHours: int32(),
    /** How long approvals of a year took; absent where there were none. */
    measured: z
      .object({
        approvals: int32(),
        medianHours: z.number(),
        /** Nine of ten took no longer. */
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
    /** The first day, in UTC: today. */
    firstDay: date(),
    /** Certificates of end entities that are in use. */
    certificates: int32(),
    renewals: int64(),
    perDay: perDay(),
    /** The same with the lifetimes of today. */
    renewalsNow: int64(),
    perDayNow: perDay(),
    ways: z.array(RehearsedWay),
    /** With the most renewals first. */
    authorities: z.array(RehearsedShare),
    /** With the most renewals first; a certificate counts in each of its groups. */
    groups: z.array(RehearsedShare),
    /** What nothing renews by itself. */
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
      summary: 'Tell what another lifetime of certificates would mean for renewals',
      body: RenewalRehearsalRequest,
      answer: RenewalRehearsal,
      access: listedCertificates,
    },
  },
);
