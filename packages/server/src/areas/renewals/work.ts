// Renews what is due. What is planned, tried and when next is in the database: one node has an entry at a time, and an
// entry of a node that died is another's after its lease.
import { clientOperations } from '@signetry/contract';
import { coreContextFor } from '../../kernel/actor.ts';
import { isAppError, problemsOf } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { plannedAt, triedAgainAt } from './renewal-window.ts';
import type { HeldHere, RenewingCertificates, RenewingPlaces } from './ports.ts';
import * as candidates from './store-candidates.ts';
import * as store from './store-plan.ts';
import type { RenewalRow } from './tables.ts';

export interface WorkParts {
  readonly platform: Platform;
  readonly places: RenewingPlaces;
  readonly certificates: RenewingCertificates;
  /** Is the whole platform paused? */
  readonly isPaused: () => Promise<boolean>;
  readonly periodMs?: number | undefined;
}

const PERIOD_MS = 30_000;
/** Longer than an issuance and a push may take together. */
const LEASE_MS = 600_000;
/** Certificates that are planned in one look. */
const PLANNED_AT_ONCE = 500;
/** Renewals at the same time: authorities and servers have other things to do as well. */
const AT_ONCE = 5;
/** Some hours, with their pauses: what is out of order for a while is nobody's business, and what stays so is. */
const TOLD_AFTER_ATTEMPTS = 5;
/** What the limits of authorities count in. */
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
  for (const row of await store.takeUnissued(database.executor, PLANNED_AT_ONCE))
    await tryAgain(parts.platform, row, {
      attempts: row.attempts,
      problem: 'The successor was not issued: its authority, or an approval, refused it.',
    });
  if (await parts.isPaused()) return hasMore;
  const begun = await beginDue(parts.platform);
  await Promise.all(begun.map((row) => renew(parts, row)));
  return hasMore || begun.length > 0;
}

/** Plans what is due and is not planned; true when there may be more. */
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

/** Begins what is due, as far as the limits of the authorities let it. */
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
    // It went from there, or nobody wants it renewed any longer.
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
    platform.log[isRefusal ? 'warn' : 'error'](facts, 'a certificate was not renewed');
    const problem = isRefusal ? problemsOf(error).join('; ') : 'The platform failed; its log says why.';
    await tryAgain(platform, row, { attempts, problem });
  }
}

interface Way {
  /** What is under way to take its place: of a node that died, or because somebody was quicker. */
  successor(): Promise<string | undefined>;
  standing(): Promise<candidates.Standing | undefined>;
  renew(): Promise<string>;
}

/** The platform acts as itself, as if somebody had renewed. */
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

/** Tries again before the certificate ends, which may be on its way back and is not looked for in its location. */
async function tryAgain(
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
      : store.settle(tx, uuid, { ...facts, state: 'planned', next_at: triedAgainAt(now, { attempts, notAfter }) }));
    if (!isOver && attempts !== TOLD_AFTER_ATTEMPTS) return;
    const told = { certificateUuid, action: 'renew', requesterUuid: null } as const;
    await events.append(tx, 'certificate_action_performed', {
      ...told,
      problem: toldOf({ isOver, attempts, problem }),
    });
  });
  events.wake();
}

const toldOf = (facts: { readonly isOver: boolean; readonly attempts: number; readonly problem: string }): string =>
  `The platform tried ${facts.attempts} times to renew it${facts.isOver ? ' until it ended' : ', and goes on trying'}. ` +
  `The last time: ${facts.problem}`;

/** The successor did not come to be served, and the certificate from before is back. */
export async function renewAfterFailure(
  platform: Platform,
  { locationUuid, certificateUuid, problem }: HeldHere & { readonly problem: string },
): Promise<void> {
  const row = await store.findBySuccessor(platform.database.executor, { locationUuid, certificateUuid });
  if (!row) return;
  await tryAgain(platform, row, { attempts: row.attempts, problem: `The successor was not served: ${problem}` });
}
