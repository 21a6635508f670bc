// Many revocations that wait for a large CRL, for example after an upgrade, do not block the event loop. Turns are
// measured in processor time of their thread, so that other tests do not affect the result.
import { setImmediate } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { testDatabase } from '@signetry/testkit/database';
import { expect, it } from 'vitest';
import { signList } from '../testing/ca.ts';
import { setUpCrls } from '../testing/crls.ts';

const ENTRIES = 100_000;
const WAITING = 100;
const MAX_TURN_MS = 50;

it(`${WAITING} revocations are matched with ${ENTRIES} CRL entries in turns of less than ${MAX_TURN_MS} ms`, async () => {
  const database = await testDatabase();
  const { authority, clock, crl, node } = await setUpCrls(database);
  const leaves = await Promise.all(Array.from({ length: WAITING }, () => authority.issue()));
  for (const leaf of leaves) authority.revoke(leaf);
  const nowMs = clock.now().getTime();
  const entries = [
    ...leaves.map(({ certificate }) => certificate.serialBytes),
    ...Array.from({ length: ENTRIES }, () => new Uint8Array([0x40, ...randomBytes(15)])),
  ]
    .toSorted((a, b) => Buffer.compare(a, b))
    .map((serialNumber) => ({ serialNumber, revocationMs: nowMs, reason: 'superseded' as const }));
  const long = await signList(authority.ca(), {
    thisUpdateMs: nowMs,
    nextUpdateMs: nowMs + 7 * 86_400_000,
    crlNumber: 1_000n,
    entries,
  });
  authority.behaviour.tamper = () => long;
  await crl();
  for (const { uuid } of leaves)
    await database.query('INSERT INTO awaited_revocation (authority_uuid, certificate_uuid) VALUES ($1, $2)', [
      authority.uuid,
      uuid,
    ]);
  let isDone = false;
  const settled = node.parts.awaited
    .fill()
    .then(() => node.parts.awaited.idle())
    .then(() => (isDone = true));
  expect(await longestTurnUntil(() => isDone)).toBeLessThan(MAX_TURN_MS);
  await settled;
  expect(await database.query('SELECT FROM awaited_revocation')).toEqual([]);
}, 300_000);

/** Returns the processor time of the longest event loop turn, in milliseconds. */
async function longestTurnUntil(isDone: () => boolean): Promise<number> {
  let longest = 0;
  for (let before = usedMs(); !isDone();) {
    await setImmediate();
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
