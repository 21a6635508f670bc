import {
  assembleCrl,
  buildName,
  buildTbsCertificate,
  buildTbsCertList,
  assembleCertificate,
  customExtension,
  defaultSignatureAlgorithm,
  encodeDer,
  explicitPart,
  extensionsPart,
  findExtension,
  integerPart,
  keyUsageExtension,
  OID,
  parseCertificate,
  parseCrl,
  parsePublicKey,
  sequence,
  timePart,
  type ExtensionInput,
  type IssuingDistributionPointInput,
  type KeyUsage,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { caKeyOf, groupByCa, type Issuer } from '../issuer-index.ts';
import type { CrlFacts } from '../tables.ts';
import { checkCrl, type CrlExpectation } from './check-crl.ts';

const now = new Date('2030-01-01T12:00:00Z');
const at = (hours: number): number => now.getTime() + hours * 3_600_000;

interface Ca {
  readonly issuer: Issuer;
  readonly sign: (tbs: Uint8Array) => Uint8Array;
  readonly crl: (facts?: {
    number?: bigint;
    base?: bigint;
    from?: number;
    to?: number;
    point?: IssuingDistributionPointInput | undefined;
    extensions?: readonly ExtensionInput[];
  }) => Uint8Array;
}

async function makeCa(commonName: string, usages: readonly KeyUsage[] = ['keyCertSign', 'cRLSign']): Promise<Ca> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const name = buildName([{ type: 'CN', value: commonName }]);
  const signed = (data: Uint8Array) => ({ algorithm, signature: nodeCrypto.sign(privateKey, { algorithm, data }) });
  const tbs = buildTbsCertificate({
    serialNumber: Uint8Array.of(1),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: at(-24),
    notAfterMs: at(24_000),
    spki,
    extensions: [keyUsageExtension(usages)],
  });
  const certificate = parseCertificate(assembleCertificate(tbs, signed(tbs)));
  const [issuer] = groupByCa([{ uuid: 'ca', certificate, key: caKeyOf(certificate) }], new Set(['ca']));
  if (!issuer) throw new Error('unreachable');
  const sign = (data: Uint8Array) => assembleCrl(data, signed(data));
  return {
    issuer,
    sign,
    crl: ({ number = 5n, base, from = -1, to = 23, point, extensions = [] } = {}) =>
      sign(
        buildTbsCertList({
          signatureAlgorithm: algorithm,
          issuer: name,
          thisUpdateMs: at(from),
          nextUpdateMs: at(to),
          crlNumber: number,
          ...(base === undefined ? {} : { baseCrlNumber: base }),
          ...(point ? { issuingDistributionPoint: point } : {}),
          extensions,
          authorityKeyIdentifier: Uint8Array.of(1),
          entries: [],
        }),
      ),
  };
}

let ca: Ca;
beforeAll(async () => {
  ca = await makeCa('CA');
});

const check = (der: Uint8Array, facts: Partial<CrlExpectation> = {}) =>
  checkCrl(der, {
    hasShards: false,
    authorityUuid: 'authority',
    kind: 'full',
    issuers: [ca.issuer],
    published: undefined,
    now,
    crypto: nodeCrypto,
    ...facts,
  });

/** Returns the facts of the previously published CRL. */
async function published(facts: Parameters<Ca['crl']>[0]): Promise<CrlFacts> {
  const checked = await check(ca.crl(facts));
  if (checked.verdict !== 'new') throw new Error('The CRL was rejected.');
  return checked.row;
}

describe('checking a fetched CRL', () => {
  it('accepts a valid CRL and returns its properties', async () => {
    expect(await check(ca.crl())).toMatchObject({
      verdict: 'new',
      row: { number: '5', base_number: null, this_update: new Date(at(-1)), next_update: new Date(at(23)) },
    });
  });

  it.each([
    ['is truncated', () => ca.crl().subarray(0, 60), 'it cannot be parsed'],
    ['has expired', () => ca.crl({ from: -10, to: -1 }), 'it expired'],
    ['has a thisUpdate in the future', () => ca.crl({ from: 1 }), 'in the future'],
    ['is a delta CRL', () => ca.crl({ base: 4n }), 'it is a delta CRL'],
  ])('rejects a CRL that %s', async (_what, crl, problem) => {
    expect(await check(crl())).toEqual({ verdict: 'refused', problem: expect.stringContaining(problem) });
  });

  it('accepts a CRL from a clock that is slightly ahead', async () => {
    expect((await check(ca.crl({ from: 0.05 }))).verdict).toBe('new');
  });

  it('rejects a CRL with a different name or key, or from a CA that cannot sign CRLs', async () => {
    const [other, sameName, notAllowed] = await Promise.all([
      makeCa('Other'),
      makeCa('CA'),
      makeCa('CA', ['keyCertSign']),
    ]);
    expect(await check(other.crl())).toMatchObject({
      problem: expect.stringContaining("its issuer is not the authority's CA"),
    });
    expect(await check(sameName.crl())).toMatchObject({ problem: expect.stringContaining('signature') });
    expect(await check(notAllowed.crl(), { issuers: [notAllowed.issuer] })).toMatchObject({
      problem: expect.stringContaining('the key usage of its CA does not include cRLSign'),
    });
  });

  it('rejects a CRL without a number or an expiry, as in version 1', async () => {
    const { certificate } = ca.issuer;
    const algorithm = defaultSignatureAlgorithm(certificate.publicKey);
    const tbs = encodeDer(sequence([algorithm.der, certificate.subjectDer, timePart(at(-1))]));
    expect(await check(ca.sign(tbs))).toMatchObject({ problem: expect.stringContaining('no CRL number') });
  });

  it('rejects a CRL with a critical CRL number', async () => {
    const { certificate } = ca.issuer;
    const algorithm = defaultSignatureAlgorithm(certificate.publicKey);
    const tbs = encodeDer(
      sequence([
        integerPart(1),
        algorithm.der,
        certificate.subjectDer,
        timePart(at(-1)),
        timePart(at(23)),
        explicitPart(
          0,
          extensionsPart([customExtension(OID.crlNumber, { critical: true, value: Uint8Array.of(2, 1, 5) })]),
        ),
      ]),
    );
    expect(await check(ca.sign(tbs))).toMatchObject({ problem: expect.stringContaining('critical') });
  });

  it('reports that delta CRLs are not offered if a full CRL is returned instead of a delta CRL', async () => {
    expect(await check(ca.crl(), { kind: 'delta' })).toEqual({ verdict: 'notOffered' });
    expect(await check(ca.crl({ base: 4n }), { kind: 'delta' })).toMatchObject({
      verdict: 'new',
      row: { base_number: '4' },
    });
  });
});

describe('a CRL partition', () => {
  const url = (shard: number): string => `http://pki.example/crl/ca-shard-${shard}.crl`;
  const ofShard = { kind: 'shard-3', hasShards: true } as const;

  it('is accepted if all of its URLs belong to the partition', async () => {
    const der = ca.crl({ point: { urls: [url(3), 'http://mirror.example/ca-shard-3.crl'] } });
    expect(await check(der, ofShard)).toMatchObject({ verdict: 'new', row: { kind: 'shard-3', shard: 3 } });
  });

  it.each([
    ['the complete CRL', undefined, 'names no distribution point'],
    ['the CRL of a different partition', { urls: [url(4)] }, 'its distribution point is not that of partition'],
    [
      'the CRL of a partition whose number starts with the same digit',
      { urls: [url(33)] },
      'its distribution point is not that of partition',
    ],
    ['a CRL for two partitions', { urls: [url(3), url(4)] }, 'its distribution point is not that of partition'],
    [
      'a CRL with a different URL',
      { urls: ['http://pki.example/crl/ca.crl'] },
      'its distribution point is not that of partition',
    ],
    [
      'a CRL for CA certificates only',
      { urls: [url(3)], onlyContainsCaCerts: true },
      'it covers only some of the certificates of partition',
    ],
    [
      'a CRL for some reasons only',
      { urls: [url(3)], onlySomeReasons: 2 },
      'it covers only some of the certificates of partition',
    ],
    ['an indirect CRL', { urls: [url(3)], indirectCrl: true }, 'it covers only some of the certificates of partition'],
  ])('is rejected if %s is returned instead', async (_what, point, problem) => {
    expect(await check(ca.crl({ point }), ofShard)).toEqual({
      verdict: 'refused',
      problem: expect.stringContaining(problem),
    });
  });

  it('is rejected as a delta CRL, or if its distribution point is not critical', async () => {
    const point = { urls: [url(3)] };
    expect(await check(ca.crl({ point, base: 4n }), ofShard)).toMatchObject({ verdict: 'refused' });
    const value = findExtension(parseCrl(ca.crl({ point })).extensions, OID.issuingDistributionPoint)?.value;
    if (!value) throw new Error('unreachable');
    const lax = customExtension(OID.issuingDistributionPoint, { critical: false, value });
    expect(await check(ca.crl({ extensions: [lax] }), ofShard)).toMatchObject({
      problem: expect.stringContaining('its issuing distribution point extension is not critical (RFC 5280 §5.2.5)'),
    });
  });

  it('is never accepted as the complete CRL', async () => {
    const der = ca.crl({ point: { urls: [url(3)] } });
    expect(await check(der, { hasShards: true })).toMatchObject({
      problem: expect.stringContaining('one distribution'),
    });
    // Without partitions, a distribution point in the only CRL is common.
    expect((await check(der)).verdict).toBe('new');
  });
});

describe('a CRL that follows the published one', () => {
  it('is considered unchanged if it is identical', async () => {
    const der = ca.crl();
    const first = await check(der);
    if (first.verdict !== 'new') throw new Error('The CRL was rejected.');
    expect(await check(der, { published: first.row })).toEqual({ verdict: 'unchanged' });
  });

  it.each([
    ['a lower number', { number: 4n }],
    ['the same number', { number: 5n, to: 24 }],
    ['an earlier issue time', { number: 6n, from: -2 }],
  ])('is rejected with %s', async (_what, facts) => {
    expect((await check(ca.crl(facts), { published: await published({}) })).verdict).toBe('refused');
  });

  it('can be older than a published CRL from a clock that was ahead', async () => {
    const ahead = { ...(await published({})), this_update: new Date(now.getTime() + 365 * 86_400_000) };
    expect((await check(ca.crl({ number: 6n }), { published: ahead })).verdict).toBe('new');
  });

  it('is compared by its number as a number, not as text', async () => {
    expect((await check(ca.crl({ number: 10n }), { published: await published({ number: 9n }) })).verdict).toBe('new');
  });

  it('can restart at 1 if the CA has a different key', async () => {
    const next = await makeCa('CA');
    const facts = { issuers: [next.issuer, ca.issuer], published: await published({ number: 100n }) };
    expect((await check(next.crl({ number: 1n }), facts)).verdict).toBe('new');
  });
});
