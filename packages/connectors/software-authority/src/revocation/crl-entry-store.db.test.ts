import { randomBytes, randomUUID } from 'node:crypto';
import {
  assembleCrl,
  buildName,
  buildTbsCertList,
  parseCrl,
  revokedEntries,
  signatureAlgorithm,
  type EntryList,
} from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestAuthority, type TestAuthority } from '../testing/test-authority.ts';
import { CrlEntryStore, type FullEntriesRequest, type FullListFacts } from './crl-entry-store.ts';
import { COMPLETE_LISTS } from './crl-tables.ts';

let ours: TestAuthority;
beforeAll(async () => {
  ours = await startTestAuthority();
});

const HOUR = 3_600_000;
const START_MS = Date.UTC(2030, 0, 1);
const algorithm = signatureAlgorithm('SHA256withECDSA');

/** Returns a CRL as it is stored. The signature is not checked here. */
function listOf(entries: EntryList): Uint8Array {
  const tbs = buildTbsCertList({
    signatureAlgorithm: algorithm,
    issuer: buildName([{ type: 'CN', value: 'Lists' }]),
    thisUpdateMs: START_MS,
    nextUpdateMs: START_MS,
    crlNumber: 1,
    authorityKeyIdentifier: Uint8Array.of(1),
    entries,
  });
  return assembleCrl(tbs, { algorithm, signature: Uint8Array.of(0) });
}

const serialsOf = (entries: EntryList): string[] =>
  [...revokedEntries(parseCrl(listOf(entries)))].map(({ serialNumber }) => serialNumber);

/** Returns a seeded random number generator, so that failures are reproducible. */
function seededRandom(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

describe('entries of a full CRL', () => {
  it.each([1, 2, 3])(
    'are the same whether built from the previous CRL or from all rows, for any revocations and expirations (%i)',
    async (seed) => {
      const roll = seededRandom(seed);
      const { storage } = ours.context;
      const store = new CrlEntryStore(storage, COMPLETE_LISTS);
      const authorityUuid = randomUUID();
      let nowMs = START_MS;
      let number = 0;
      let scheduled: FullListFacts | undefined;
      let last: FullEntriesRequest['last'];
      let patched = 0;
      for (let round = 0; round < 40; round += 1) {
        nowMs += roll(6) * HOUR;
        const revoked = Array.from({ length: roll(5) }, () => new Uint8Array([0x40, ...randomBytes(1 + roll(15))]));
        await ours.pool.query(
          `INSERT INTO connector_software_authority.revocation (authority_uuid, serial, reason, revoked_at, expires_at)
         SELECT $1, s, 'certificateHold', $3, $3::timestamptz + $4 * interval '1 hour' FROM unnest($2::bytea[]) AS s ON CONFLICT DO NOTHING`,
          [authorityUuid, revoked, new Date(nowMs), roll(40) - 8],
        );
        if (roll(3) === 0) {
          await ours.pool.query(
            `UPDATE connector_software_authority.revocation SET reason = 'keyCompromise', full_crl_number = NULL
           WHERE serial = (SELECT serial FROM connector_software_authority.revocation WHERE authority_uuid = $1 LIMIT 1) AND authority_uuid = $1`,
            [authorityUuid],
          );
        }
        const isScheduled = scheduled === undefined || roll(3) === 0;
        const wanted = { ownerUuid: authorityUuid, number: ++number, after: scheduled };
        const [entries, anew] = await storage.transaction(async (tx) => [
          await store.entriesOfFull(tx, { ...wanted, last }),
          await store.entriesOfFull(tx, { ...wanted, last: undefined }),
        ]);
        expect(entries).toEqual(anew);
        if (entries.count > 0 && last) patched += 1;
        const facts = { number, thisUpdate: new Date(nowMs), isScheduled, after: scheduled };
        last = { facts, der: listOf(entries) };
        if (isScheduled) scheduled = facts;
      }
      expect(patched).toBeGreaterThan(20);
    },
  );

  it('are rebuilt from all rows if an entry is missing from the previous CRL', async () => {
    const { storage } = ours.context;
    const store = new CrlEntryStore(storage, COMPLETE_LISTS);
    const authorityUuid = randomUUID();
    const serials = Array.from({ length: 5 }, (_, n) => Uint8Array.of(0x40, n));
    await ours.pool.query(
      `INSERT INTO connector_software_authority.revocation (authority_uuid, serial, reason, revoked_at, expires_at)
       SELECT $1, s, 'superseded', now(), now() + interval '1 year' FROM unnest($2::bytea[]) AS s`,
      [authorityUuid, serials],
    );
    const first = await storage.transaction((tx) =>
      store.entriesOfFull(tx, { ownerUuid: authorityUuid, number: 1, after: undefined, last: undefined }),
    );
    const facts = { number: 1, thisUpdate: new Date(), isScheduled: true, after: undefined };
    const lacking = { octets: first.octets.subarray(first.octets.length / 5), count: 4 };
    const next = await storage.transaction((tx) =>
      store.entriesOfFull(tx, {
        ownerUuid: authorityUuid,
        number: 2,
        after: facts,
        last: { facts, der: listOf(lacking) },
      }),
    );
    expect(serialsOf(next)).toEqual(serials.map((serial) => serial.toHex()));
  });
});
