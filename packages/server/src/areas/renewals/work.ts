// Renews what is due. What is planned, tried and when next is in the database: one node has an entry at a time, and an
// entry of a node that died is another's after its lease.
import { isAppError, problemsOf } from '../../kernel/errors.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { plannedAt, triedAgainAt } from './domain.ts';
import type { HeldHere, RenewingPlaces } from './ports.ts';
import { claimDue, findBySuccessor, findEnd, findHeld, findUnplanned, forget, plan, settle } from './store.ts';
import type { RenewalRow } from './tables.ts';

export interface WorkParts {
  readonly platform: Platform;
  readonly places: RenewingPlaces;
  readonly periodMs?: number | undefined;
}

const PERIOD_MS = 30_000;
/** Longer than an issuance and a push may take together. */
const LEASE_MS = 600_000;
/** Certificates that are planned in one look. */
const PLANNED_AT_ONCE = 500;
/** Renewals at the same time: authorities and servers have other things to do as well. */
const AT_ONCE = 5;

export const createRenewalWork = (parts: WorkParts): WakeableRounds =>
  createRounds({
    log: parts.platform.log,
    what: 'automatic renewal',
    periodMs: parts.periodMs ?? PERIOD_MS,
    run: () => round(parts),
  });

async function round(parts: WorkParts): Promise<boolean> {
  const { database, clock } = parts.platform;
  const now = clock.now();
  const candidates = await findUnplanned(database.executor, { now, limit: PLANNED_AT_ONCE });
  await plan(database.executor, candidates.map((candidate): RenewalRow => ({
    location_uuid: candidate.locationUuid,
    certificate_uuid: candidate.certificateUuid,
    ra_profile_uuid: candidate.raProfileUuid,
    state: 'planned',
    next_at: plannedAt(candidate.certificateUuid, candidate, candidate.daysBefore),
    leased_until: null,
    attempts: 0,
    problem: null,
    successor_uuid: null,
  }))); // prettier-ignore
  const until = new Date(now.getTime() + LEASE_MS);
  const due = await claimDue(database.executor, { now, until, limit: AT_ONCE });
  await Promise.all(due.map((row) => renew(parts, row)));
  return candidates.length === PLANNED_AT_ONCE || due.length === AT_ONCE;
}

async function renew({ platform, places }: WorkParts, row: RenewalRow): Promise<void> {
  const { database, clock } = platform;
  const { executor } = database;
  const held = { locationUuid: row.location_uuid, certificateUuid: row.certificate_uuid };
  const attempts = row.attempts + 1;
  try {
    const underWay = await places.successorOf(held);
    const certificate = await findHeld(executor, held);
    // It went from there, or nobody wants it renewed any longer.
    if (underWay === undefined && certificate?.state !== 'issued') return await forget(executor, held);
    const successor = underWay ?? (await places.renew(held));
    await settle(executor, held, { state: 'renewed', next_at: clock.now(), attempts, problem: null, successor_uuid: successor }); // prettier-ignore
  } catch (error) {
    const isRefusal = isAppError(error);
    platform.log[isRefusal ? 'warn' : 'error']({ error, ...held }, 'a certificate was not renewed');
    const problem = isRefusal ? problemsOf(error).join('; ') : 'The platform failed; its log says why.';
    await tryAgain(platform, held, { attempts, problem });
  }
}

/** Tries again before the certificate ends, which may be on its way back and is not looked for in its location. */
async function tryAgain(
  { database, clock }: Platform,
  held: HeldHere,
  { attempts, problem }: Pick<RenewalRow, 'attempts'> & { readonly problem: string },
): Promise<void> {
  const { executor } = database;
  const now = clock.now();
  const notAfter = await findEnd(executor, held.certificateUuid);
  if (!notAfter) return;
  const facts = { attempts, problem, successor_uuid: null };
  await (notAfter <= now
    ? settle(executor, held, { ...facts, state: 'ended', next_at: now })
    : settle(executor, held, { ...facts, state: 'planned', next_at: triedAgainAt(now, { attempts, notAfter }) }));
}

/** The successor did not come to be served, and the certificate from before is back. */
export async function renewAfterFailure(
  platform: Platform,
  { locationUuid, certificateUuid, problem }: HeldHere & { readonly problem: string },
): Promise<void> {
  const row = await findBySuccessor(platform.database.executor, { locationUuid, certificateUuid });
  if (!row) return;
  const held = { locationUuid, certificateUuid: row.certificate_uuid };
  await tryAgain(platform, held, { attempts: row.attempts, problem: `The successor was not served: ${problem}` });
}
