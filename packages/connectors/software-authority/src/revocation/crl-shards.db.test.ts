import { authorityProviderOperations as operations } from '@signetry/contract';
import {
  findExtension,
  OID,
  parseCrl,
  readCertificate,
  revocationByCrl,
  revokedEntries,
  writePem,
  type Certificate,
  type CertificateList,
  type RevokedEntry,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { octetsOf } from '@signetry/connector-sdk';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY, PROFILE } from '../index.ts';
import { certificatePem, openssl } from '../testing/openssl.ts';
import {
  chainOf,
  createCa,
  crlOf,
  integer,
  issueDer,
  lines,
  makeCsr,
  revoke,
  startTestAuthority,
  text,
  type TestAuthority,
} from '../testing/test-authority.ts';
import { shardOfSerial } from './crl-shards.ts';

let ours: TestAuthority;
let authority = '';
let request = '';
beforeAll(async () => {
  ours = await startTestAuthority();
  request = await makeCsr();
});
afterEach(() => ours.setTime(undefined));

const HOUR = 3_600_000;
const URL = 'http://pki.example/crl/ca.crl';
const profile = [lines(PROFILE.crlUrls, URL)];
const later = (ms: number): void => ours.setTime(new Date(ours.context.clock.now().getTime() + ms));

const shardedCa = (shards: number, ...others: Parameters<typeof createCa>[2] & object) =>
  createCa(ours.call, 'Shards', [integer(AUTHORITY.crlShards, shards), ...others]);

async function shardDer(shard: number, at = ours): Promise<Uint8Array> {
  const { crlData } = await at.call(operations.getCrl, {
    params: { uuid: authority },
    body: { delta: false, raProfileAttributes: [], shard },
  });
  return octetsOf(crlData);
}
const shardList = async (shard: number, at = ours): Promise<CertificateList> => parseCrl(await shardDer(shard, at));
const complete = async (): Promise<CertificateList> => parseCrl(await crlOf(ours.call, authority));

const entriesOf = (list: CertificateList): readonly RevokedEntry[] => [...revokedEntries(list)];
const serialsOf = (list: CertificateList): readonly string[] => entriesOf(list).map(({ serialNumber }) => serialNumber);

interface Issued {
  readonly der: Uint8Array;
  readonly certificate: Certificate;
  /** Partition named by its distribution point. */
  readonly shard: number | undefined;
}

async function issueOne(attributes = profile): Promise<Issued> {
  const der = await issueDer(ours.call, { authority, request, profile: attributes });
  const certificate = readCertificate(der);
  const named = /-shard-(\d+)\.crl$/.exec(certificate.crlUrls[0] ?? '');
  return { der, certificate, shard: named ? Number(named[1]) : undefined };
}

/** Issues certificates until one matches; serial numbers are random. */
async function issueUntil(isWanted: (candidate: Issued) => boolean): Promise<Issued> {
  for (;;) {
    const candidate = await issueOne();
    if (isWanted(candidate)) return candidate;
  }
}

/** Issues two certificates in different partitions. */
async function issueApart(): Promise<readonly [Issued, Issued]> {
  const one = await issueOne();
  return [one, await issueUntil(({ shard }) => shard !== one.shard)];
}

const increaseShards = (shards: number) =>
  ours.call(operations.updateAuthorityInstance, {
    params: { uuid: authority },
    body: { name: 'Shards', kind: 'SoftwareCA', attributes: [integer(AUTHORITY.crlShards, shards)] },
  });

function numberOf({ shard }: Issued): number {
  if (shard === undefined) throw new Error('Certificate names no shard.');
  return shard;
}

describe('an authority without CRL partitions', () => {
  beforeEach(async () => {
    authority = await createCa(ours.call, 'Plain');
  });

  it('includes the CRL URL in certificates unchanged, and has no partition CRLs', async () => {
    const { certificate } = await issueOne();
    expect(certificate.crlUrls).toEqual([URL]);
    expect((await complete()).issuingDistributionPoint).toBeUndefined();
    await expect(shardDer(1)).rejects.toMatchObject({ status: 404 });
    const { rows } = await ours.pool.query(
      'SELECT FROM connector_software_authority.crl_shard WHERE authority_uuid = $1',
      [authority],
    );
    expect(rows).toEqual([]);
  });
});

describe('an authority with CRL partitions', () => {
  beforeEach(async () => {
    authority = await shardedCa(3);
  });

  it('includes the URL of the partition derived from the serial number', async () => {
    const certificates = await Promise.all(Array.from({ length: 30 }, () => issueOne()));
    for (const { certificate } of certificates) {
      const shard = shardOfSerial(certificate.serialBytes, 3);
      expect(certificate.crlUrls).toEqual([`http://pki.example/crl/ca-shard-${shard}.crl`]);
    }
    expect(new Set(certificates.map(({ shard }) => shard))).toEqual(new Set([1, 2, 3]));
  });

  it("includes the exact distribution point as a critical extension in the partition's CRL, but not in the complete CRL", async () => {
    const [one, other] = await issueApart();
    const list = await shardList(numberOf(one));
    expect(list.issuingDistributionPoint).toEqual({
      fullName: one.certificate.crlDistributionPoints[0]?.fullName,
      onlyContainsUserCerts: false,
      onlyContainsCaCerts: false,
      onlyContainsAttributeCerts: false,
      indirectCrl: false,
    });
    expect(findExtension(list.extensions, OID.issuingDistributionPoint)?.critical).toBe(true);
    expect((await complete()).issuingDistributionPoint).toBeUndefined();
    await revoke(ours.call, { authority, certificate: one.der });
    expect(serialsOf(await shardList(numberOf(one)))).toEqual([one.certificate.serialNumber]);
    expect(serialsOf(await shardList(numberOf(other)))).toEqual([]);
    expect(serialsOf(await complete())).toEqual([one.certificate.serialNumber]);
  });

  it('regenerates only the CRLs affected by a revocation, each time with a higher number', async () => {
    const [one, other] = await issueApart();
    const before = [await shardList(numberOf(one)), await shardList(numberOf(other))] as const;
    await revoke(ours.call, { authority, certificate: one.der });
    const after = [await shardList(numberOf(one)), await shardList(numberOf(other))] as const;
    expect(after[0].crlNumber).toBeGreaterThan(before[0].crlNumber ?? 0n);
    expect(after[1].der).toEqual(before[1].der);
    // Each CRL has its own sequence: two CRLs generated in the same second do not increase each other's number.
    ours.setTime(new Date(Date.now() + 60_000));
    for (const each of [one, other]) {
      const next = await issueUntil(({ shard }) => shard === each.shard);
      await revoke(ours.call, { authority, certificate: next.der });
    }
    const numbers = await Promise.all([numberOf(one), numberOf(other)].map((shard) => shardList(shard)));
    expect(numbers[0]?.crlNumber).toBe(numbers[1]?.crlNumber);
  });

  it("is processed correctly by another implementation: only a certificate's own partition applies to it", async () => {
    const [good, other] = await issueApart();
    const bad = await issueUntil(({ shard }) => shard === good.shard);
    await revoke(ours.call, { authority, certificate: bad.der, reason: 'keyCompromise' });
    const pemOf = async (shard: number) => writePem('X509 CRL', await shardDer(shard));
    const files = {
      'ca.pem': certificatePem(...(await chainOf(ours.call, authority))),
      'own.pem': await pemOf(numberOf(good)),
      'other.pem': await pemOf(numberOf(other)),
      'complete.pem': writePem('X509 CRL', await crlOf(ours.call, authority)),
      'good.pem': certificatePem(good.der),
      'bad.pem': certificatePem(bad.der),
    };
    const verify = (list: string, leaf: string) =>
      openssl(['verify', '-crl_check', '-CRLfile', list, '-CAfile', 'ca.pem', leaf], files);
    for (const list of ['own.pem', 'complete.pem']) {
      expect(verify(list, 'good.pem')).toContain('OK');
      expect(() => verify(list, 'bad.pem')).toThrow(/certificate revoked/);
    }
    for (const leaf of ['good.pem', 'bad.pem']) {
      expect(() => verify('other.pem', leaf)).toThrow(/[Dd]ifferent CRL scope/);
    }
  });

  it('continues to update the partition CRLs of old certificates when the number of partitions increases', async () => {
    const old = await issueOne();
    await increaseShards(7);
    const { certificate } = await issueUntil(({ shard = 0 }) => shard > 3);
    expect(certificate.crlUrls).toEqual([
      `http://pki.example/crl/ca-shard-${shardOfSerial(certificate.serialBytes, 7)}.crl`,
    ]);
    await revoke(ours.call, { authority, certificate: old.der });
    expect(serialsOf(await shardList(numberOf(old)))).toEqual([old.certificate.serialNumber]);
  });

  it('rejects a lower number of partitions, and keeps the number if it is omitted', async () => {
    await expect(increaseShards(2)).rejects.toMatchObject({ status: 422 });
    await ours.call(operations.updateAuthorityInstance, {
      params: { uuid: authority },
      body: { name: 'Shards', kind: 'SoftwareCA', attributes: [] },
    });
    expect((await issueOne()).shard).toBeDefined();
    await expect(shardedCa(257)).rejects.toMatchObject({ status: 422 });
  });

  it('lists certificates issued before partitioning only in the complete CRL', async () => {
    authority = await createCa(ours.call, 'Shards');
    const before = await issueOne();
    await increaseShards(2);
    const after = await issueOne();
    expect([before.shard, after.shard !== undefined]).toEqual([undefined, true]);
    for (const { der } of [before, after]) await revoke(ours.call, { authority, certificate: der });
    expect(serialsOf(await shardList(numberOf(after)))).toEqual([after.certificate.serialNumber]);
    expect(serialsOf(await complete())).toHaveLength(2);
  });

  it("adds a second RA profile's URL to the CRL before certificates refer to that URL", async () => {
    const one = await issueOne();
    const first = await shardList(numberOf(one));
    const elsewhere = [lines(PROFILE.crlUrls, 'http://mirror.example/ca.crl', URL)];
    const two = await issueOne(elsewhere);
    expect(two.certificate.crlUrls).toEqual([
      `http://mirror.example/ca-shard-${two.shard}.crl`,
      `http://pki.example/crl/ca-shard-${two.shard}.crl`,
    ]);
    const second = await shardList(numberOf(one));
    expect(second.crlNumber).toBeGreaterThan(first.crlNumber ?? 0n);
    expect(second.issuingDistributionPoint?.fullName).toHaveLength(2);
    expect((await shardList(numberOf(one))).der).toEqual(second.der);
  });

  it('names the complete CRL if a URL cannot be partitioned, and names no delta CRL in partitioned certificates', async () => {
    const one = await issueOne([lines(PROFILE.crlUrls, URL, 'http://pki.example/list?ca=1')]);
    expect(one.certificate.crlUrls).toEqual([URL, 'http://pki.example/list?ca=1']);
    const two = await issueOne([...profile, lines(PROFILE.deltaCrlUrls, 'http://pki.example/delta.crl')]);
    expect(two.shard).toBeDefined();
    expect(findExtension(two.certificate.extensions, OID.freshestCrl)).toBeUndefined();
  });

  it('updates partition CRLs immediately, even if the complete CRL waits for its next scheduled time', async () => {
    authority = await shardedCa(2, text(AUTHORITY.crlOnRevocation, 'delta'));
    const one = await issueOne();
    const [whole] = [await complete(), await shardList(numberOf(one))];
    await revoke(ours.call, { authority, certificate: one.der });
    expect((await complete()).der).toEqual(whole.der);
    expect(serialsOf(await shardList(numberOf(one)))).toEqual([one.certificate.serialNumber]);
  });

  it("changes the reason in the partition's CRL if a key compromise is reported later", async () => {
    const one = await issueOne();
    await revoke(ours.call, { authority, certificate: one.der, reason: 'superseded' });
    expect(entriesOf(await shardList(numberOf(one)))).toMatchObject([{ reason: 'superseded' }]);
    await revoke(ours.call, { authority, certificate: one.der, reason: 'keyCompromise' });
    expect(entriesOf(await shardList(numberOf(one)))).toMatchObject([{ reason: 'keyCompromise' }]);
  });

  it('continues with the same CRLs after a restart, and on another node', async () => {
    const one = await issueOne();
    await revoke(ours.call, { authority, certificate: one.der });
    const before = await shardList(numberOf(one));
    const again = await ours.restart();
    expect((await shardList(numberOf(one), again)).der).toEqual(before.der);
    const two = await issueUntil(({ shard }) => shard === one.shard);
    await revoke(again.call, { authority, certificate: two.der });
    const lists = await Promise.all([shardList(numberOf(one)), shardList(numberOf(one), again)]);
    for (const list of lists) {
      expect(serialsOf(list).toSorted()).toEqual(
        [one, two].map(({ certificate }) => certificate.serialNumber).toSorted(),
      );
      expect(list.crlNumber).toBeGreaterThan(before.crlNumber ?? 0n);
    }
  });
});

/** Returns a seeded random number generator, so that failures are reproducible. */
function seededRandom(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

describe('certificates while the number of CRL partitions increases', () => {
  /** Each run starts where the previous one ended, since nothing is signed with a clock that falls back. */
  let startMs = Date.now();
  it.each([1, 2])(
    'have the same status in the CRL of their own partition as in the complete CRL, and are in no other CRL (%i)',
    async (seed) => {
      const roll = seededRandom(seed);
      ours.setTime(new Date(startMs));
      authority = await createCa(ours.call, 'Shards', [integer(AUTHORITY.crlValidityHours, 24)]);
      const [caDer] = await chainOf(ours.call, authority);
      const issuer = readCertificate(caDer ?? new Uint8Array());
      const shards = [1, 2, 5];
      const certificates: Issued[] = [];
      const revoked = new Set<string>();
      const numbers = new Map<number, bigint>();
      for (let round = 0; round < 15; round += 1) {
        if (round % 5 === 0 && round > 0) await increaseShards(shards[round / 5] ?? 1);
        const days = 1 + roll(3);
        for (let count = roll(5); count >= 0; count -= 1)
          certificates.push(await issueOne([...profile, integer(PROFILE.validityDays, days)]));
        for (const { der, certificate } of certificates) {
          if (roll(4) > 0 || certificate.notAfterMs < ours.context.clock.now().getTime()) continue;
          revoked.add(certificate.serialNumber);
          await revoke(ours.call, { authority, certificate: der });
        }
        const nowMs = ours.context.clock.now().getTime() + 1_000;
        const whole = await complete();
        const lists = new Map<number, CertificateList>();
        for (const shard of new Set(certificates.flatMap(({ shard: named }) => named ?? [])))
          lists.set(shard, await shardList(shard));
        for (const { certificate, shard } of certificates.filter((each) => each.certificate.notAfterMs > nowMs)) {
          const evaluate = (full: CertificateList) =>
            revocationByCrl(certificate, { full, issuer, nowMs, verify: nodeCrypto.verify }).status;
          const expected = revoked.has(certificate.serialNumber) ? 'revoked' : 'good';
          expect(evaluate(whole)).toBe(expected);
          for (const [number, list] of lists) expect(evaluate(list)).toBe(number === shard ? expected : 'undetermined');
        }
        const inShards = [...lists.values()].flatMap(serialsOf);
        expect(new Set(inShards).size).toBe(inShards.length);
        for (const [number, { crlNumber = 0n }] of lists) {
          expect(crlNumber).toBeGreaterThanOrEqual(numbers.get(number) ?? 0n);
          numbers.set(number, crlNumber);
        }
        later((1 + roll(20)) * HOUR);
      }
      // No entry remains forever: it is dropped one scheduled CRL after the certificate's expiry (RFC 5280 §3.3).
      for (let step = 0; step < 8; step += 1) {
        later(13 * HOUR);
        for (const shard of numbers.keys()) await shardList(shard);
      }
      for (const shard of numbers.keys()) expect(serialsOf(await shardList(shard))).toEqual([]);
      startMs = ours.context.clock.now().getTime();
    },
  );
});
