// What is not finished in locations: certificates that waited to be issued are pushed when they are, and the content of
// a location is asked what became of a push that nobody answered.
import { coreContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type WakeableRounds } from '../../platform/jobs/rounds.ts';
import type { HeldCertificate } from '../certificates/index.ts';
import { carryOut, isFree, settle, type DeploymentParts } from './push.ts';
import { claimHeld, findHeld, findInState, locations } from './store.ts';
import { removeThere } from './take-out.ts';
import type { HeldRow, LocationRow } from './tables.ts';

const PERIOD_MS = 2_000;
/** Longer than a push may take: only a process that died leaves one unanswered until then. */
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
  const waiting = await findInState(database.executor, 'waiting', { before: now, limit: BATCH });
  for (const row of waiting) await inTurn(parts, row, pushWaiting);
  const before = new Date(now.getTime() - UNANSWERED_MS);
  const unanswered = await findInState(database.executor, 'pushing', { before, limit: BATCH });
  for (const row of unanswered) await inTurn(parts, row, askWhatBecame);
  return false;
}

type Act = (parts: DeploymentParts, row: HeldRow, certificate: HeldCertificate) => Promise<void>;

/** One that fails does not hold up the others; the entry says so itself. */
async function inTurn(parts: DeploymentParts, row: HeldRow, act: Act): Promise<void> {
  const { platform, certificates } = parts;
  const [certificate] = await certificates.find(platform.database.executor, [row.certificate_uuid]);
  if (!certificate) return;
  try {
    await act(parts, row, certificate);
  } catch (error) {
    if (!isAppError(error)) throw error;
    const facts = { error, location: row.location_uuid, certificate: certificate.title };
    platform.log.warn(facts, 'a certificate was not pushed to its location');
  }
}

async function pushWaiting(parts: DeploymentParts, row: HeldRow, certificate: HeldCertificate): Promise<void> {
  const { platform, access } = parts;
  const { executor } = platform.database;
  if (certificate.state === 'failed' || certificate.state === 'rejected') return giveUp(parts, row);
  if (certificate.state !== 'issued') return;
  const location = await locations.findOne(executor, row.location_uuid);
  // One that is disabled waits until it is enabled again.
  if (!location?.enabled) return;
  const reached = await access.reach(location.entity_uuid);
  if (await claimFree(parts, location, row))
    await carryOut(parts, { location, certificate, reached }, coreContext(newUuid()));
}

/** Not while another one is being pushed to a place for one. */
const claimFree = ({ platform }: DeploymentParts, location: LocationRow, row: HeldRow): Promise<boolean> =>
  platform.database.transaction(async (tx) => {
    await locations.lock(tx, location.uuid);
    if (!isFree(location, await findHeld(tx, [location.uuid]), row.certificate_uuid)) return false;
    const claimed = await claimHeld(tx, row, { from: 'waiting', to: 'pushing', at: platform.clock.now() });
    return claimed !== undefined;
  });

/** There will be no certificate: the key that was made for it goes, at the provider too where that is reached. */
async function giveUp(parts: DeploymentParts, row: HeldRow): Promise<void> {
  const { platform, access, contents } = parts;
  const location = await locations.require(platform.database.executor, row.location_uuid);
  const reached = await access.reach(location.entity_uuid);
  const place = { location, reached };
  if (row.metadata.length > 0)
    await removeThere(parts, place, { row, context: coreContext(newUuid()) }).catch((error: unknown) =>
      platform.log.warn(
        { error, location: location.name },
        'a key whose certificate was refused stays in its location',
      ),
    );
  await platform.database.transaction((tx) =>
    contents.unlink(tx, {
      locationUuid: location.uuid,
      connectorUuid: reached.entity.connector_uuid,
      gone: [row.certificate_uuid],
    }),
  );
}

async function askWhatBecame(parts: DeploymentParts, row: HeldRow, certificate: HeldCertificate): Promise<void> {
  const { platform, access, contents } = parts;
  const location = await locations.require(platform.database.executor, row.location_uuid);
  await platform.database.transaction(await contents.sync(location, coreContext(newUuid())));
  const entry = { location, certificate, reached: await access.reach(location.entity_uuid) };
  // Where it is there, reading has settled it.
  await settle(parts, entry, { problem: 'The provider gave no answer, and the certificate is not there.' });
}
