// Completes unfinished work at locations: pushes waiting certificates once they are issued, determines the outcome of
// operations interrupted by a crash, and reads a location's contents after a push that received no response.
import { coreContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { HeldCertificate } from '../inventory/index.ts';
import { forgetEntry } from './forget-entry.ts';
import { pushIfFree, settle, type DeploymentParts, type Entry } from './push.ts';
import { findInState, locations } from './store.ts';
import { findInterrupted } from './store-operations.ts';
import type { HeldRow, LocationRow } from './tables.ts';

const PERIOD_MS = 2_000;
/** Longer than a push can take; until this time has passed, the provider may still be working on it. */
const UNANSWERED_MS = 300_000;
/** Number of entries per run. */
const BATCH = 100;

export const createUnfinishedPushes = (parts: DeploymentParts): WakeableRounds =>
  createRounds({
    log: parts.platform.log,
    what: 'deploying certificates',
    periodMs: PERIOD_MS,
    run: () => processDue(parts),
  });

async function processDue(parts: DeploymentParts): Promise<boolean> {
  const { database, clock } = parts.platform;
  const now = clock.now();
  for (const uuid of await findInterrupted(database.executor, now)) await recover(parts, uuid);
  const waiting = await findInState(database.executor, 'waiting', { before: clock.now(), limit: BATCH });
  for (const row of waiting) await processEntry(parts, row, pushWaiting);
  const before = new Date(now.getTime() - UNANSWERED_MS);
  const unanswered = await findInState(database.executor, 'pushing', { before, limit: BATCH });
  for (const row of unanswered) await processEntry(parts, row, resolveUnknownOutcome);
  return false;
}

type Act = (parts: DeploymentParts, row: HeldRow, certificate: HeldCertificate) => Promise<unknown>;

/** A failure is recorded in its entry and does not delay the other entries. */
async function processEntry(parts: DeploymentParts, row: HeldRow, act: Act): Promise<void> {
  const { platform, certificates } = parts;
  const [certificate] = await certificates.find(platform.database.executor, [row.certificate_uuid]);
  if (!certificate) return;
  const facts = { location: row.location_uuid, certificate: certificate.title };
  await logFailure(parts, { facts, what: 'cannot deploy a certificate to its location' }, () =>
    act(parts, row, certificate),
  );
}

async function logFailure(
  { platform }: DeploymentParts,
  { facts, what }: { readonly facts: object; readonly what: string },
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isAppError(error)) throw error;
    platform.log.warn({ error, ...facts }, what);
  }
}

/** Taking the turn determines the outcome of the interrupted operation. */
async function recover(parts: DeploymentParts, locationUuid: string): Promise<void> {
  const location = await locations.findOne(parts.platform.database.executor, locationUuid);
  if (!location) return;
  const what = 'cannot determine the result of an interrupted operation at a location';
  await logFailure(parts, { facts: { location: location.name }, what }, () =>
    parts.turns.tryTo(location, { kind: 'recover', context: coreContext(newUuid()) }, () => Promise.resolve()),
  );
}

/** Runs `act` with exclusive access to the location; a location in use is retried in the next run. */
async function withExclusiveAccess(
  parts: DeploymentParts,
  { row, certificate }: { readonly row: HeldRow; readonly certificate: HeldCertificate },
  act: (entry: Entry) => Promise<void>,
): Promise<void> {
  const { platform, access } = parts;
  const location: LocationRow = await locations.require(platform.database.executor, row.location_uuid);
  const reached = await access.reach(location.entity_uuid);
  const turn = { kind: 'push', certificateUuid: certificate.uuid, context: coreContext(newUuid()) } as const;
  await parts.turns.tryTo(location, turn, () => act({ location, reached, certificate }));
}

async function pushWaiting(parts: DeploymentParts, row: HeldRow, certificate: HeldCertificate): Promise<void> {
  if (certificate.state === 'failed' || certificate.state === 'rejected')
    return withExclusiveAccess(parts, { row, certificate }, (place) =>
      forgetEntry(parts, place, { row, context: coreContext(newUuid()) }),
    );
  if (certificate.state !== 'issued') return;
  const location = await locations.findOne(parts.platform.database.executor, row.location_uuid);
  // Waits until the location is enabled again.
  if (!location?.enabled) return;
  await withExclusiveAccess(parts, { row, certificate }, (entry) => pushIfFree(parts, entry, coreContext(newUuid())));
}

const resolveUnknownOutcome: Act = (parts, row, certificate) =>
  withExclusiveAccess(parts, { row, certificate }, async (entry) => {
    const { platform, contents } = parts;
    await platform.database.transaction(await contents.sync(entry.location, coreContext(newUuid())));
    // If the certificate is there, the sync has already settled the push.
    await settle(parts, entry, {
      problem: 'The provider did not respond, and the certificate is not in the location.',
    });
  });
