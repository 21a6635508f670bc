// What is not finished in locations: certificates that waited to be issued are pushed when they are, what an operation
// left behind whose node ended is found out, and the content of a location is asked what became of a push that its
// provider did not answer.
import { coreContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { HeldCertificate } from '../inventory/index.ts';
import { forget } from './give-up.ts';
import { pushIfFree, settle, type DeploymentParts, type Entry } from './push.ts';
import { findInState, locations } from './store.ts';
import { findInterrupted } from './store-operations.ts';
import type { HeldRow, LocationRow } from './tables.ts';

const PERIOD_MS = 2_000;
/** Longer than a push may take: its provider may still be at it until then. */
const UNANSWERED_MS = 300_000;
/** Entries of one look. */
const BATCH = 100;

export const createUnfinished = (parts: DeploymentParts): WakeableRounds =>
  createRounds({
    log: parts.platform.log,
    what: 'deployment of certificates',
    periodMs: PERIOD_MS,
    run: () => look(parts),
  });

async function look(parts: DeploymentParts): Promise<boolean> {
  const { database, clock } = parts.platform;
  const now = clock.now();
  for (const uuid of await findInterrupted(database.executor, now)) await recover(parts, uuid);
  const waiting = await findInState(database.executor, 'waiting', { before: clock.now(), limit: BATCH });
  for (const row of waiting) await inTurn(parts, row, pushWaiting);
  const before = new Date(now.getTime() - UNANSWERED_MS);
  const unanswered = await findInState(database.executor, 'pushing', { before, limit: BATCH });
  for (const row of unanswered) await inTurn(parts, row, askWhatBecame);
  return false;
}

type Act = (parts: DeploymentParts, row: HeldRow, certificate: HeldCertificate) => Promise<unknown>;

/** One that fails does not hold up the others; the entry says so itself. */
async function inTurn(parts: DeploymentParts, row: HeldRow, act: Act): Promise<void> {
  const { platform, certificates } = parts;
  const [certificate] = await certificates.find(platform.database.executor, [row.certificate_uuid]);
  if (!certificate) return;
  const facts = { location: row.location_uuid, certificate: certificate.title };
  await logged(parts, { facts, what: 'a certificate was not pushed to its location' }, () =>
    act(parts, row, certificate),
  );
}

async function logged(
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

/** Whoever takes the turn finds out what was left behind. */
async function recover(parts: DeploymentParts, locationUuid: string): Promise<void> {
  const location = await locations.findOne(parts.platform.database.executor, locationUuid);
  if (!location) return;
  const what = 'the result of an interrupted operation at a location could not be determined';
  await logged(parts, { facts: { location: location.name }, what }, () =>
    parts.turns.tryTo(location, { kind: 'recover', context: coreContext(newUuid()) }, () => Promise.resolve()),
  );
}

/** With the location for itself; the next look comes back to a location that is in use. */
async function alone(
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
    return alone(parts, { row, certificate }, (place) =>
      forget(parts, place, { row, context: coreContext(newUuid()) }),
    );
  if (certificate.state !== 'issued') return;
  const location = await locations.findOne(parts.platform.database.executor, row.location_uuid);
  // One that is disabled waits until it is enabled again.
  if (!location?.enabled) return;
  await alone(parts, { row, certificate }, (entry) => pushIfFree(parts, entry, coreContext(newUuid())));
}

const askWhatBecame: Act = (parts, row, certificate) =>
  alone(parts, { row, certificate }, async (entry) => {
    const { platform, contents } = parts;
    await platform.database.transaction(await contents.sync(entry.location, coreContext(newUuid())));
    // Where it is there, reading has settled it.
    await settle(parts, entry, { problem: 'The provider did not answer, and the certificate is not in the location.' });
  });
