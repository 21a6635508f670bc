// Simulates day by day how a shorter validity period would affect renewals in the inventory. Nothing is changed. Not
// part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { date, dateTime, int32, int64, uuid } from '../primitives.ts';
import { certificateListAccess, UnattendedReason } from './automatic-renewal.ts';

export const MAX_SIMULATED_LIFETIME = 3_650;
/** Slightly more than two years. */
export const MAX_SIMULATED_DAYS = 800;
/** Maximum number of authorities or groups listed individually. Those with the most renewals are listed first. */
export const MAX_SIMULATED_SHARES = 100;

export const RenewalSimulationRequest = z
  .object({
    /** Maximum validity period in days. Certificates with a shorter validity period are unaffected. */
    lifetimeDays: int32().min(1).max(MAX_SIMULATED_LIFETIME),
    /** First day on which certificates are issued with this validity period, in UTC. Default: today. */
    from: date().optional(),
    /** Number of simulated days, starting today. */
    days: int32().min(1).max(MAX_SIMULATED_DAYS).default(365),
    /** Authorities whose certificates get this validity period. Default: all. */
    authorityUuids: z.array(uuid()).max(1_000).optional(),
  })
  .meta({ id: 'RenewalSimulationRequest' });
export type RenewalSimulationRequest = z.input<typeof RenewalSimulationRequest>;

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

export const SimulatedWay = z.object({ way: RenewalWay, ...share }).meta({ id: 'SimulatedWay' });
export type SimulatedWay = z.output<typeof SimulatedWay>;

/** Renewals for an authority or a group. */
export const SimulatedShare = z.object({ uuid: uuid(), name: z.string(), ...share }).meta({ id: 'SimulatedShare' });
export type SimulatedShare = z.output<typeof SimulatedShare>;

export const SimulatedReason = z
  .object({ reason: UnattendedReason, certificates: int32(), renewals: int64() })
  .meta({ id: 'SimulatedReason' });
export type SimulatedReason = z.output<typeof SimulatedReason>;

/**
 * `fits`: approvals end within the renewal window. `mayTakeLonger`: they usually do, but can remain open longer.
 * `takesLonger`: one in ten takes longer than the window, so certificates would expire first.
 */
export const ApprovalVerdict = z.enum(['fits', 'mayTakeLonger', 'takesLonger']).meta({ id: 'ApprovalVerdict' });
export type ApprovalVerdict = z.output<typeof ApprovalVerdict>;

export const SimulatedApproval = z
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
  .meta({ id: 'SimulatedApproval' });
export type SimulatedApproval = z.output<typeof SimulatedApproval>;

export const RenewalSimulation = z
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
    ways: z.array(SimulatedWay),
    /** Authorities with the most renewals first. */
    authorities: z.array(SimulatedShare),
    /** Groups with the most renewals first; a certificate is counted in each of its groups. */
    groups: z.array(SimulatedShare),
    /** Certificates without automated renewal. */
    unattended: z.array(SimulatedReason),
    approvals: z.array(SimulatedApproval),
  })
  .meta({ id: 'RenewalSimulation' });
export type RenewalSimulation = z.output<typeof RenewalSimulation>;

export const renewalSimulationOperations = operations(
  { tag: 'Certificate Renewal', resource: 'certificates', module: 'certificates', errors: plainErrors },
  {
    simulateRenewals: {
      route: 'POST /x/v1/renewals/simulation',
      summary: 'Simulate renewals with a different validity period',
      body: RenewalSimulationRequest,
      answer: RenewalSimulation,
      access: certificateListAccess,
    },
  },
);
