import {
  assembleCrl,
  buildInfo,
  buildTbsCertList,
  crlDistributionPointsExtension,
  DEFAULT_KEY_POLICY,
  defaultSignatureAlgorithm,
  elementBytes,
  extensionValue,
  infoName,
  infoValue,
  openElement,
  parseCertificate,
  parseDer,
  parsePublicKey,
  requestInfo,
  TAG,
  type CrlStatus,
  type InfoTypeAndValue,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import { callWith, RA_PROFILE } from '../testing/calls.ts';
import { respondToInfos, type GeneralParts } from './general.ts';

const THIS_UPDATE = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

let root: TestCertificate;
let issuing: TestCertificate;
let crl: Uint8Array;

beforeAll(async () => {
  root = await makeRoot('Root');
  issuing = await makeCertificate('Issuing', { ca: true, issuer: root });
  crl = crlOf(issuing);
});

function crlOf({ name, keys }: TestCertificate): Uint8Array {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const list = buildTbsCertList({
    signatureAlgorithm: algorithm,
    issuer: name,
    thisUpdateMs: THIS_UPDATE,
    nextUpdateMs: THIS_UPDATE + DAY_MS,
    crlNumber: 1,
    authorityKeyIdentifier: new Uint8Array(20),
    entries: [],
  });
  return assembleCrl(list, { algorithm, signature: nodeCrypto.sign(keys.privateKey, { algorithm, data: list }) });
}

interface TestEnvironment {
  readonly chains?: readonly (readonly Uint8Array[])[];
  readonly crl?: Uint8Array;
  readonly policy?: Awaited<ReturnType<GeneralParts['raProfiles']['acceptedKeys']>>;
}

async function requestInfos(
  infos: readonly InfoTypeAndValue[],
  { chains = [], policy, ...known }: TestEnvironment = {},
) {
  const parts: GeneralParts = {
    chains: { chainOf: async (uuid) => chains[Number(uuid)] ?? [] },
    raProfiles: { caCertificateUuids: async () => chains.map((_, at) => `${at}`), acceptedKeys: async () => policy },
    revocation: { findCrl: async (uuid) => (uuid === RA_PROFILE.authorityUuid ? known.crl : undefined) },
  };
  const { body } = await respondToInfos(parts, await callWith({ type: 'genm', infos }), infos);
  return body.type === 'genp' ? body.infos : expect.fail(body.type);
}

const valuesByName = (infos: readonly InfoTypeAndValue[]) =>
  infos.map(({ type, value }) => [infoName(type) ?? type, value]);
const hex = (ders: readonly Uint8Array[] | undefined) => ders?.map((der) => Buffer.from(der).toString('hex'));

describe('a general message', () => {
  it('is answered in order, and a response contains only the type if the value is missing or unknown', async () => {
    const unknown = { type: '1.3.6.1.4.1.99999.1', value: Uint8Array.of(5, 0) };
    const infos = [
      requestInfo('currentCRL'),
      unknown,
      requestInfo('caCerts'),
      requestInfo('certReqTemplate'),
      requestInfo('rootCaCert'),
      requestInfo('crlStatusList'),
    ];
    expect(valuesByName(await requestInfos(infos))).toEqual([
      ['currentCRL', undefined],
      ['1.3.6.1.4.1.99999.1', undefined],
      ['caCerts', undefined],
      ['certReqTemplate', undefined],
      ['rootCaKeyUpdate', undefined],
      ['crls', undefined],
    ]);
  });

  it('can be empty, and gets no value for implicit confirmation', async () => {
    expect(await requestInfos([])).toEqual([]);
    expect(await requestInfos([buildInfo('implicitConfirm', null)])).toEqual([]);
  });

  it('with an unreadable value is rejected', async () => {
    const { type } = requestInfo('rootCaCert');
    await expect(requestInfos([{ type, value: Uint8Array.of(0x30, 5) }])).rejects.toMatchObject({ name: 'DerError' });
  });
});

describe('the CA certificates', () => {
  it('are each returned only once, without roots', async () => {
    const chains = [[issuing.der, root.der], [issuing.der]];
    const [answer] = await requestInfos([requestInfo('caCerts')], { chains });
    expect(hex(infoValue([answer ?? expect.fail('nothing')], 'caCerts'))).toEqual(hex([issuing.der]));
  });

  it('are roots if there are no others', async () => {
    const infos = await requestInfos([requestInfo('caCerts')], { chains: [[root.der]] });
    expect(hex(infoValue(infos, 'caCerts'))).toEqual(hex([root.der]));
  });
});

describe('the successor of a root', () => {
  const DATES = [365, 366, 400].map((days) => new Date(Date.now() + days * DAY_MS));
  let old: TestCertificate;
  let later: TestCertificate;
  let latest: TestCertificate;
  beforeAll(async () => {
    const rootUntil = (at: number) => makeRoot('Root', { notAfter: DATES[at] ?? expect.fail('no such date') });
    [old, later, latest] = [await rootUntil(0), await rootUntil(1), await rootUntil(2)];
  });
  const findNewerRoot = async (given: TestCertificate, chains: readonly (readonly Uint8Array[])[]) => {
    const infos = await requestInfos([buildInfo('rootCaCert', given.der)], { chains });
    expect(infos.map(({ type }) => infoName(type))).toEqual(['rootCaKeyUpdate']);
    return infoValue(infos, 'rootCaKeyUpdate')?.newWithNew;
  };

  it('is the root with the same name that has the latest expiry', async () => {
    const found = await findNewerRoot(old, [[later.der], [latest.der], [old.der]]);
    expect(Buffer.from(found ?? []).equals(latest.der)).toBe(true);
  });

  it('is absent if the client already has the newest root, or if no root has its name', async () => {
    const other = await makeRoot('Other root', { notAfter: DATES[2] ?? new Date() });
    expect(await findNewerRoot(latest, [[later.der], [latest.der]])).toBeUndefined();
    expect(await findNewerRoot(old, [[other.der]])).toBeUndefined();
    // This CA certificate is not a root.
    expect(await findNewerRoot(old, [[issuing.der]])).toBeUndefined();
  });

  it('is not returned if the client does not specify its current root', async () => {
    expect(valuesByName(await requestInfos([requestInfo('rootCaCert')], { chains: [[root.der]] }))).toEqual([
      ['rootCaKeyUpdate', undefined],
    ]);
  });
});

describe("the authority's CRL", () => {
  const findNewerCrl = async (...asked: readonly CrlStatus[]) => {
    const infos = await requestInfos([buildInfo('crlStatusList', asked)], { crl });
    expect(infos.map(({ type }) => infoName(type))).toEqual(['crls']);
    return hex(infoValue(infos, 'crls'));
  };
  const issuer = (name = parseCertificate(issuing.der).subject): CrlStatus['source'] => ({
    issuer: [{ kind: 'directoryName', name }],
  });

  /** Returns the encoded name of a distribution point with this URL. */
  const point = (url: string): CrlStatus['source'] => {
    const points = openElement(parseDer(extensionValue(crlDistributionPointsExtension([url]))), TAG.sequence);
    return { point: elementBytes(openElement(openElement(points.next(), TAG.sequence).next(), 0xa0).next()) };
  };

  it('is returned as the current CRL', async () => {
    const infos = await requestInfos([requestInfo('currentCRL')], { crl });
    expect(hex([infoValue(infos, 'currentCRL') ?? expect.fail('no CRL')])).toEqual(hex([crl]));
  });

  it.each([
    ['that has none', true, undefined],
    ['whose own is older by a second', true, THIS_UPDATE - 1_000],
    ['that has it', false, THIS_UPDATE],
    ['whose own is newer', false, THIS_UPDATE + 1_000],
  ] as const)('is returned to a client %s: %s', async (_what, isTold, thisUpdateMs) => {
    expect(await findNewerCrl({ source: issuer(), thisUpdateMs })).toEqual(isTold ? hex([crl]) : undefined);
  });

  it.each([
    ['its issuer', true, () => issuer()],
    ['another issuer', false, () => issuer(parseCertificate(root.der).subject)],
    ['a host', false, () => ({ issuer: [{ kind: 'dNSName', value: 'ca.example' }] }) as const],
    ['its address', true, () => point(`http://pki.test/crl/${RA_PROFILE.authorityUuid}.crl`)],
    ['the address of another authority', false, () => point('http://pki.test/crl/authority-2.crl')],
  ] as const)('is identified by %s: %s', async (_what, isTold, source) => {
    expect(await findNewerCrl({ source: source() })).toEqual(isTold ? hex([crl]) : undefined);
  });

  it('is returned only once if one of multiple sources matches', async () => {
    const other = { source: issuer(parseCertificate(root.der).subject) };
    expect(await findNewerCrl(other, { source: issuer() }, { source: issuer() })).toEqual(hex([crl]));
  });
});

describe('the certificate request template', () => {
  it('specifies only the keys that the RA profile accepts', async () => {
    const policy = { ...DEFAULT_KEY_POLICY, families: ['RSA'], maxRsaBits: 2048 } as const;
    const infos = await requestInfos([requestInfo('certReqTemplate')], { policy });
    const { template, keySpec } = infoValue(infos, 'certReqTemplate') ?? expect.fail('no template');
    expect([Buffer.from(template.der).toString('hex'), keySpec.length]).toEqual(['3000', 1]);
  });
});
