// The first CRL after an upgrade is built from all revocations while the connector serves other requests. Turns of the
// event loop are measured in CPU time of their thread, so that other tests do not affect the result.
import { setImmediate } from 'node:timers/promises';
import { parseCrl, revokedEntries } from '@signetry/pki';
import { expect, it } from 'vitest';
import { createCa, crlOf, startTestAuthority } from '../testing/test-authority.ts';

const ENTRIES = 100_000;
const MAX_TURN_MS = 50;

const ours = await startTestAuthority();

it(`generating a CRL with ${ENTRIES} entries blocks the event loop for less than ${MAX_TURN_MS} ms at a time`, async () => {
  const authority = await createCa(ours.call, 'Large');
  await ours.pool.query(
    `INSERT INTO connector_software_authority.revocation (authority_uuid, serial, reason, revoked_at, expires_at)
     SELECT $1, substring('\\x40'::bytea || sha256(n::text::bytea) FROM 1 FOR 16), 'superseded', now(),
       now() + interval '1 year'
     FROM generate_series(1, $2::int) AS n`,
    [authority, ENTRIES],
  );
  const answer = { der: undefined as Uint8Array | undefined };
  const made = crlOf(ours.call, authority).then((der) => (answer.der = der));
  expect(await longestTurnUntil(() => answer.der !== undefined)).toBeLessThan(MAX_TURN_MS);
  expect([...revokedEntries(parseCrl(await made))]).toHaveLength(ENTRIES);
}, 300_000);

/** Returns the CPU time of the longest turn of the event loop, in milliseconds. */
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
