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

/** The list published before. */
async function published(facts: Parameters<Ca['crl']>[0]): Promise<CrlFacts> {
  const checked = await check(ca.crl(facts));
  if (checked.verdict !== 'new') throw new Error('The list is not good.');
  return checked.row;
}

describe('checking a fetched CRL', () => {
  it('takes a good one with its facts', async () => {
    expect(await check(ca.crl())).toMatchObject({
      verdict: 'new',
      row: { number: '5', base_number: null, this_update: new Date(at(-1)), next_update: new Date(at(23)) },
    });
  });

  it.each([
    ['is cut off', () => ca.crl().subarray(0, 60), 'cannot be read'],
    ['has ended', () => ca.crl({ from: -10, to: -1 }), 'it expired'],
    ['is from the future', () => ca.crl({ from: 1 }), 'in the future'],
    ['is a delta CRL', () => ca.crl({ base: 4n }), 'it is a delta CRL'],
  ])('refuses one that %s', async (_what, crl, problem) => {
    expect(await check(crl())).toEqual({ verdict: 'refused', problem: expect.stringContaining(problem) });
  });

  it('takes one whose clock is a little ahead', async () => {
    expect((await check(ca.crl({ from: 0.05 }))).verdict).toBe('new');
  });

  it('refuses one of another name, of another key, or of a CA that may not sign lists', async () => {
    const [other, sameName, notAllowed] = await Promise.all([
      makeCa('Other'),
      makeCa('CA'),
      makeCa('CA', ['keyCertSign']),
    ]);
    expect(await check(other.crl())).toMatchObject({ problem: expect.stringContaining('not the CA of the authority') });
    expect(await check(sameName.crl())).toMatchObject({ problem: expect.stringContaining('signature') });
    expect(await check(notAllowed.crl(), { issuers: [notAllowed.issuer] })).toMatchObject({
      problem: expect.stringContaining('not allowed to sign CRLs'),
    });
  });

  it('refuses one without number and end, as version 1 lists are', async () => {
    const { certificate } = ca.issuer;
    const algorithm = defaultSignatureAlgorithm(certificate.publicKey);
    const tbs = encodeDer(sequence([algorithm.der, certificate.subjectDer, timePart(at(-1))]));
    expect(await check(ca.sign(tbs))).toMatchObject({ problem: expect.stringContaining('no CRL number') });
  });

  it('refuses one whose number is marked as critical', async () => {
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

  it('says that deltas are not offered when a full list comes instead of one', async () => {
    expect(await check(ca.crl(), { kind: 'delta' })).toEqual({ verdict: 'notOffered' });
    expect(await check(ca.crl({ base: 4n }), { kind: 'delta' })).toMatchObject({
      verdict: 'new',
      row: { base_number: '4' },
    });
  });
});

describe('a CRL of a shard', () => {
  const url = (shard: number): string => `http://pki.example/crl/ca-shard-${shard}.crl`;
  const ofShard = { kind: 'shard-3', hasShards: true } as const;

  it('is taken when every address in it is of that shard', async () => {
    const der = ca.crl({ point: { urls: [url(3), 'http://mirror.example/ca-shard-3.crl'] } });
    expect(await check(der, ofShard)).toMatchObject({ verdict: 'new', row: { kind: 'shard-3', shard: 3 } });
  });

  it.each([
    ['the complete list', undefined, 'names no distribution point'],
    ['the list of another shard', { urls: [url(4)] }, 'another distribution point'],
    ['the list of a shard with a longer number', { urls: [url(33)] }, 'another distribution point'],
    ['a list for two shards', { urls: [url(3), url(4)] }, 'another distribution point'],
    ['a list of some other address', { urls: ['http://pki.example/crl/ca.crl'] }, 'another distribution point'],
    ['a list for CA certificates only', { urls: [url(3)], onlyContainsCaCerts: true }, 'a part of the certificates'],
    ['a list for some reasons only', { urls: [url(3)], onlySomeReasons: 2 }, 'a part of the certificates'],
    ['an indirect list', { urls: [url(3)], indirectCrl: true }, 'a part of the certificates'],
  ])('is refused when %s comes instead', async (_what, point, problem) => {
    expect(await check(ca.crl({ point }), ofShard)).toEqual({
      verdict: 'refused',
      problem: expect.stringContaining(problem),
    });
  });

  it('is refused as a delta, and where its distribution point is not critical', async () => {
    const point = { urls: [url(3)] };
    expect(await check(ca.crl({ point, base: 4n }), ofShard)).toMatchObject({ verdict: 'refused' });
    const value = findExtension(parseCrl(ca.crl({ point })).extensions, OID.issuingDistributionPoint)?.value;
    if (!value) throw new Error('unreachable');
    const lax = customExtension(OID.issuingDistributionPoint, { critical: false, value });
    expect(await check(ca.crl({ extensions: [lax] }), ofShard)).toMatchObject({
      problem: expect.stringContaining('not marked as critical'),
    });
  });

  it('is never taken for the list of all certificates', async () => {
    const der = ca.crl({ point: { urls: [url(3)] } });
    expect(await check(der, { hasShards: true })).toMatchObject({
      problem: expect.stringContaining('one distribution'),
    });
    // Elsewhere a distribution point in the only list is usual.
    expect((await check(der)).verdict).toBe('new');
  });
});

describe('a CRL after the published one', () => {
  it('is unchanged when it is the same', async () => {
    const der = ca.crl();
    const first = await check(der);
    if (first.verdict !== 'new') throw new Error('The list is not good.');
    expect(await check(der, { published: first.row })).toEqual({ verdict: 'unchanged' });
  });

  it.each([
    ['a lower number', { number: 4n }],
    ['the same number', { number: 5n, to: 24 }],
    ['an earlier issue time', { number: 6n, from: -2 }],
  ])('is refused with %s', async (_what, facts) => {
    expect((await check(ca.crl(facts), { published: await published({}) })).verdict).toBe('refused');
  });

  it('may be older than one from a clock that ran ahead', async () => {
    const ahead = { ...(await published({})), this_update: new Date(now.getTime() + 365 * 86_400_000) };
    expect((await check(ca.crl({ number: 6n }), { published: ahead })).verdict).toBe('new');
  });

  it('compares numbers as numbers, not as text', async () => {
    expect((await check(ca.crl({ number: 10n }), { published: await published({ number: 9n }) })).verdict).toBe('new');
  });

  it('may start again at one when the CA has another key', async () => {
    const next = await makeCa('CA');
    const facts = { issuers: [next.issuer, ca.issuer], published: await published({ number: 100n }) };
    expect((await check(next.crl({ number: 1n }), facts)).verdict).toBe('new');
  });
});
