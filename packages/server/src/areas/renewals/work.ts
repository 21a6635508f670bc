// Performs due renewals. The schedule, attempts and times are stored in the database. A renewal is leased to one node
// at a time; if that node crashes, a different node takes over when the lease expires.
import { clientOperations } from '@signetry/contract';
import { coreContextFor } from '../../kernel/actor.ts';
import { isAppError, problemsOf } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { plannedAt, nextAttemptAt } from './renewal-window.ts';
import type { LocationCertificate, CertificateRenewals, LocationRenewals } from './ports.ts';
import * as candidates from './store-candidates.ts';
import * as store from './store-plan.ts';
import type { RenewalRow } from './tables.ts';

export interface WorkParts {
  readonly platform: Platform;
  readonly places: LocationRenewals;
  readonly certificates: CertificateRenewals;
  /** Whether automatic renewal is paused platform-wide. */
  readonly isPaused: () => Promise<boolean>;
  readonly periodMs?: number | undefined;
}

const PERIOD_MS = 30_000;
/** Longer than issuance and deployment combined. */
const LEASE_MS = 600_000;
/** Certificates scheduled per batch. */
const PLANNED_AT_ONCE = 500;
/** Number of parallel renewals; kept low to leave capacity at authorities and targets. */
const AT_ONCE = 5;
/**
 * With the pauses between attempts, this corresponds to a few hours, so that short outages are not reported but
 * persistent ones are.
 */
const TOLD_AFTER_ATTEMPTS = 5;
/** Period to which the authorities' limits apply. */
const HOUR_MS = 3_600_000;

export const createRenewalWork = (parts: WorkParts): WakeableRounds =>
  createRounds({
    log: parts.platform.log,
    what: 'automatic renewal',
    periodMs: parts.periodMs ?? PERIOD_MS,
    run: () => round(parts),
  });

async function round(parts: WorkParts): Promise<boolean> {
  const hasMore = await planDue(parts.platform);
  const { database } = parts.platform;
  for (const row of await store.findUnissued(database.executor, PLANNED_AT_ONCE))
    await scheduleRetry(parts.platform, row, {
      attempts: row.attempts,
      problem: 'The successor was not issued: its authority or an approver rejected it.',
    });
  if (await parts.isPaused()) return hasMore;
  const begun = await beginDue(parts.platform);
  await Promise.all(begun.map((row) => renew(parts, row)));
  return hasMore || begun.length > 0;
}

/** Schedules due renewals, and returns true if there may be more. */
async function planDue({ database: { executor }, clock }: Platform): Promise<boolean> {
  const renewing = await candidates.findRenewing(executor);
  if (renewing.length === 0) return false;
  const query = { now: clock.now(), limit: PLANNED_AT_ONCE };
  const found = [
    await candidates.findInLocations(executor, query),
    renewing.some((setting) => setting.token_keys) ? await candidates.findWithTokenKeys(executor, query) : [],
  ];
  const rows = found.flat().map((candidate): RenewalRow => ({
    uuid: newUuid(),
    location_uuid: candidate.locationUuid,
    certificate_uuid: candidate.certificateUuid,
    ra_profile_uuid: candidate.raProfileUuid,
    state: 'planned',
    next_at: plannedAt(candidate.certificateUuid, candidate, candidate.daysBefore),
    leased_until: null,
    attempts: 0,
    problem: null,
    successor_uuid: null,
    awaits_issue: false,
  })); // prettier-ignore
  await store.plan(executor, rows);
  return found.some((each) => each.length === PLANNED_AT_ONCE);
}

/** Starts due renewals within the authorities' limits. */
const beginDue = ({ database, clock }: Platform): Promise<RenewalRow[]> =>
  database.transaction(async (tx) => {
    const now = clock.now();
    const free = await store.holdLimits(tx, new Date(now.getTime() - HOUR_MS));
    const exhausted = [...free].flatMap(([uuid, renewals]) => (renewals > 0 ? [] : [uuid]));
    const due = await store.lockDue(tx, { now, limit: AT_ONCE, exhausted });
    const taken = due.filter(({ authority_uuid: uuid }) => {
      const left = uuid === null ? undefined : free.get(uuid);
      if (uuid === null || left === undefined) return true;
      free.set(uuid, left - 1);
      return left > 0;
    });
    const attempts = taken.map((row) => ({
      uuid: newUuid(),
      renewal_uuid: row.uuid,
      certificate_uuid: row.certificate_uuid,
      authority_uuid: row.authority_uuid,
      started_at: now,
      ended_at: null,
      problem: null,
      successor_uuid: null,
    }));
    await store.begin(tx, attempts, { now, until: new Date(now.getTime() + LEASE_MS) });
    return taken;
  });

async function renew(parts: WorkParts, row: RenewalRow): Promise<void> {
  const { platform } = parts;
  const { executor } = platform.database;
  const attempts = row.attempts + 1;
  try {
    platform.faultPoint('renewals.afterBegin');
    const way = wayOf(parts, row);
    const underWay = await way.successor();
    // The certificate is no longer in the location, or should no longer be renewed.
    if (underWay === undefined && (await way.standing())?.state !== 'issued')
      return await store.forget(executor, row.uuid);
    const successor = underWay ?? (await way.renew());
    platform.faultPoint('renewals.afterOrder');
    const now = platform.clock.now();
    const done = { state: 'renewed', next_at: now, attempts, problem: null, endedAt: now } as const;
    await store.settle(executor, row.uuid, { ...done, successor_uuid: successor, awaits_issue: true });
  } catch (error) {
    const isRefusal = isAppError(error);
    const facts = { error, certificateUuid: row.certificate_uuid, locationUuid: row.location_uuid };
    platform.log[isRefusal ? 'warn' : 'error'](facts, 'cannot renew a certificate');
    const problem = isRefusal ? problemsOf(error).join('; ') : 'An internal error occurred; see the platform log.';
    await scheduleRetry(platform, row, { attempts, problem });
  }
}

interface Way {
  /** Returns a pending successor, either left by a crashed node or requested by a user since then. */
  successor(): Promise<string | undefined>;
  standing(): Promise<candidates.HeldState | undefined>;
  renew(): Promise<string>;
}

/** The platform requests renewals under its own name, in the same way as a user would. */
function wayOf({ platform, places, certificates }: WorkParts, row: RenewalRow): Way {
  const { executor } = platform.database;
  const { location_uuid: locationUuid, certificate_uuid: certificateUuid } = row;
  if (locationUuid === null)
    return {
      successor: () => candidates.findSuccessor(executor, certificateUuid),
      standing: () => candidates.findWithTokenKey(executor, certificateUuid),
      renew: async () => {
        const context = coreContextFor(clientOperations.renewCertificate);
        return (await certificates.renewWithItsKey(certificateUuid, context)).uuid;
      },
    };
  const held = { locationUuid, certificateUuid };
  return {
    successor: () => places.successorOf(held),
    standing: () => candidates.findHeld(executor, held),
    renew: () => places.renew(held),
  };
}

/**
 * Schedules another attempt if the certificate has not expired. The location is not checked, because the previous
 * certificate may not have been restored to it yet.
 */
async function scheduleRetry(
  { database, clock, events }: Platform,
  { uuid, certificate_uuid: certificateUuid }: Pick<RenewalRow, 'uuid' | 'certificate_uuid'>,
  { attempts, problem }: Pick<RenewalRow, 'attempts'> & { readonly problem: string },
): Promise<void> {
  const now = clock.now();
  const notAfter = await candidates.findEnd(database.executor, certificateUuid);
  if (!notAfter) return;
  const isOver = notAfter <= now;
  const facts = { attempts, problem, successor_uuid: null, awaits_issue: false, endedAt: now };
  await database.transaction(async (tx) => {
    await (isOver
      ? store.settle(tx, uuid, { ...facts, state: 'ended', next_at: now })
      : store.settle(tx, uuid, { ...facts, state: 'planned', next_at: nextAttemptAt(now, { attempts, notAfter }) }));
    if (!isOver && attempts !== TOLD_AFTER_ATTEMPTS) return;
    const told = { certificateUuid, action: 'renew', requesterUuid: null } as const;
    await events.append(tx, 'certificate_action_performed', {
      ...told,
      problem: describeAttempts({ isOver, attempts, problem }),
    });
  });
  events.wake();
}

const describeAttempts = (facts: {
  readonly isOver: boolean;
  readonly attempts: number;
  readonly problem: string;
}): string =>
  `The platform tried ${facts.attempts} times to renew it${facts.isOver ? ' before it expired' : ' and will keep trying'}. ` +
  `Last error: ${facts.problem}`;

/** Called if the successor was not served and the previous certificate was restored. */
export async function renewAfterFailure(
  platform: Platform,
  { locationUuid, certificateUuid, problem }: LocationCertificate & { readonly problem: string },
): Promise<void> {
  const row = await store.findBySuccessor(platform.database.executor, { locationUuid, certificateUuid });
  if (!row) return;
  await scheduleRetry(platform, row, { attempts: row.attempts, problem: `The successor was not served: ${problem}` });
}
