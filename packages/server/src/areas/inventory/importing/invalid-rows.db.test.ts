// Goal: any certificate is imported or rejected with a reason, and never aborts the operation that includes it. Method:
// sets with one such certificate of each kind in any position, through every way into the inventory.
import { encodeDer, oidPart, OID, parseName, primitive, sequence, setOf, TAG, fromHex } from '@signetry/pki';
import { generateKeyPair, type KeyPair } from '@signetry/pki/node';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../../kernel/errors.ts';
import { createHeldCertificates, type HeldCertificateParts } from '../held-certificates.ts';
import { makeCertificate, type CertificateSpec } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

const at = (year: number): Date => new Date(Date.UTC(year, 5, 1));

/** Certificates encode years before 1950 and from 2050 on with four digits; the builder writes only the latter. */
const withYear = (from: string, to: string) => (tbs: Uint8Array) =>
  Buffer.from(Buffer.from(tbs).toString('latin1').replaceAll(`${from}0601`, `${to}0601`), 'latin1');
const withOctet = (character: string, octet: number) => (tbs: Uint8Array) =>
  Buffer.from(Buffer.from(tbs).toString('latin1').replaceAll(character, String.fromCharCode(octet)), 'latin1');
const named = (tag: number, octets: Uint8Array) =>
  parseName(encodeDer(sequence([setOf([sequence([oidPart(OID.commonName), primitive(tag, octets)])])])));

const KINDS: Readonly<Record<string, CertificateSpec>> = {
  'a beginning in the year 0': { notBefore: at(2077), notAfter: at(2088), change: withYear('2077', '0000') },
  'a validity within the year 0': { notBefore: at(2077), notAfter: at(2077), change: withYear('2077', '0000') },
  'an end in the year 9999': { notAfter: at(2077), change: withYear('2077', '9999') },
  'an end before its beginning': { notBefore: at(2077), notAfter: at(2088), change: withYear('2088', '0001') },
  'U+0000 in its name': { name: named(TAG.utf8String, Buffer.from('bank.example\0.evil.example')) },
  'U+0000 in an alternative name': { dnsNames: ['bank.example~.evil.example'], change: withOctet('~', 0) },
  'half of a surrogate pair': { name: named(TAG.bmpString, Uint8Array.of(0xd8, 0x00, 0x00, 0x41)) },
  'octets that are no text': { name: named(TAG.utf8String, Uint8Array.of(0xff, 0xfe, 0x00)) },
  'a serial number of 64 octets': { serialNumber: `7f${'ff'.repeat(63)}` },
  'a serial number of 200 octets': { serialNumber: `7f${'ff'.repeat(199)}` },
  'a name of 4,000 characters': { name: named(TAG.utf8String, Buffer.from('x7'.repeat(2_000))) },
  'what the table rejects': { name: named(TAG.utf8String, Buffer.from('rejected by the table')) },
  'a cut off end': { change: (tbs) => tbs.subarray(0, tbs.length - 9) },
};

let test: TestInventory;
let held: ReturnType<typeof createHeldCertificates>;
let keys: KeyPair;
beforeAll(async () => {
  test = await createTestInventory();
  test.declareJobs();
  await test.platform.jobs.start();
  keys = await generateKeyPair('P-256');
  await test.platform.database.query(
    `ALTER TABLE certificate ADD CONSTRAINT rejects CHECK (common_name <> 'rejected by the table')`,
  );
  const { platform, inventory } = test;
  // Only the parts that are used.
  held = createHeldCertificates({ platform, inventory, keys: {} } as unknown as HeldCertificateParts);
  return async () => {
    await test.platform.jobs.stop();
    await test.stopWork();
  };
});

let count = 0;
const good = async (): Promise<Uint8Array> => (await makeCertificate(`good${count++}.test`, { keys })).der;
const bad = async (kind: string): Promise<Uint8Array> => {
  const { serialNumber, ...wish } = KINDS[kind] ?? {};
  // The builder writes only valid serial numbers.
  if (serialNumber === undefined) return (await makeCertificate(`bad${count++}.test`, { keys, ...wish })).der;
  return (await makeCertificate(`bad${count++}.test`, { keys, change: withSerial(serialNumber) })).der;
};

/** Replaces the serial number; the enclosing lengths grow. */
function withSerial(hex: string): (tbs: Uint8Array) => Uint8Array {
  return (tbs) => {
    const start = 4; // SEQUENCE with a two-byte length.
    const version = tbs.subarray(start, start + 5);
    const oldEnd = start + 5 + 2 + (tbs[start + 6] ?? 0);
    const serial = encodeDer(primitive(TAG.integer, fromHex(hex)));
    const content = Buffer.concat([version, serial, tbs.subarray(oldEnd)]);
    return Buffer.concat([Uint8Array.of(0x30, 0x82, content.length >> 8, content.length & 0xff), content]);
  };
}

const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64');
const existsInInventory = async (der: Uint8Array): Promise<boolean> => {
  const rows = await test.platform.database.query(
    `SELECT FROM certificate WHERE fingerprint = encode(sha256($1), 'hex')`,
    [Buffer.from(der)],
  );
  return rows.length === 1;
};

/** Ways into the inventory. Each returns why a certificate was not imported; only the bad one can have a reason. */
const WAYS: Readonly<Record<string, (ders: readonly Uint8Array[]) => Promise<ReadonlyMap<number, string>>>> = {
  'an upload': async (ders) => {
    const reasons = new Map<number, string>();
    for (const [index, der] of ders.entries())
      await test.upload(der).catch((error: unknown) => {
        if (!isAppError(error)) throw error;
        reasons.set(index, error.message);
      });
    return reasons;
  },
  'an import': async (ders) => {
    const files = ders.map((der, index) => ({ name: `file ${index}`, content: base64(der) }));
    const { refusals } = await test.inventory.importMany({ files }, test.context);
    return new Map(refusals.map(({ file, reason }) => [file - 1, reason]));
  },
  'a discovery': async (ders) => {
    const read = await test.inventory.discovered.read(ders.map(base64), test.context);
    const how = { context: test.context, message: 'found', leavingOut: async () => new Set<string>() };
    const taken = await test.platform.database.transaction((tx) => test.inventory.discovered.take(tx, read, how));
    return new Map(
      read.outcomes.flatMap((outcome, index): [number, string][] => {
        if ('reason' in outcome) return [[index, outcome.reason]];
        const answer = taken.get(outcome.fingerprint);
        return answer && 'uuid' in answer ? [] : [[index, answer?.reason ?? '']];
      }),
    );
  },
  'a location': async (ders) => {
    const taken = await held.takeIn(ders, 'Found in a location', test.context);
    return new Map(taken.flatMap((each, index) => ('problem' in each ? [[index, each.problem] as const] : [])));
  },
};

describe.each(Object.entries(WAYS))('%s', (_way, takeIn) => {
  it('imports all other certificates, and rejects one that cannot be stored, stating the reason', async () => {
    const kinds = Object.keys(KINDS);
    const sets = fc.record({ kind: fc.constantFrom(...kinds), others: fc.nat({ max: 3 }), place: fc.nat({ max: 3 }) });
    await fc.assert(
      fc.asyncProperty(sets, async ({ kind, others, place }) => {
        const ders = await Promise.all(Array.from({ length: others }, good));
        const at = Math.min(place, ders.length);
        ders.splice(at, 0, await bad(kind));
        const reasons = await takeIn(ders);
        for (const [index, der] of ders.entries()) {
          const reason = reasons.get(index);
          if (index !== at) expect([kind, reason]).toEqual([kind, undefined]);
          if (reason === undefined) expect([kind, await existsInInventory(der)]).toEqual([kind, true]);
          else expect(reason).toMatch(/\w{3}/);
        }
      }),
      // Each kind at least once.
      { numRuns: kinds.length, examples: kinds.map((kind) => [{ kind, others: 2, place: 1 }]) },
    );
  });
});

describe('a certificate that is valid from the year 0', () => {
  it('is displayed, listed, searched and validated without changes', async () => {
    const der = await bad('a beginning in the year 0');
    const uuid = await test.upload(der);
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ notBefore: '0000-06-01T00:00:00.000Z' });
    expect(await test.inventory.validate(uuid, test.context)).toMatchObject({ resultStatus: expect.any(String) });
    const filters = [
      {
        fieldSource: 'property',
        fieldIdentifier: 'NOT_BEFORE',
        condition: 'LESSER',
        value: '0001-01-01T00:00:00.000Z',
      },
    ] as const;
    const sort = [{ field: 'notBefore', direction: 'asc' }] as const;
    const search = { itemsPerPage: 1, pageNumber: 1, filters: [...filters], sort: [...sort] };
    const first = await test.inventory.search(search, test.context);
    expect(first.certificates).toMatchObject([{ notBefore: '0000-06-01T00:00:00.000Z' }]);
    const next = await test.inventory.search({ ...search, filters: [], cursor: undefined }, test.context);
    const after = await test.inventory.search({ ...search, filters: [], cursor: next.nextCursor }, test.context);
    expect(after.certificates).toHaveLength(1);
    expect(await test.inventory.parsed(uuid)).toMatchObject({ notBefore: '0000-06-01T00:00:00.000Z' });
  });
});
