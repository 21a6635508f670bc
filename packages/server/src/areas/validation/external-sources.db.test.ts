// Goal: external sources are contacted within limits and trusted only if they are authenticated. Method: an HTTP server
// on loopback with responses set by the tests, and the inventory in a database.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assembleCrl,
  assembleOcspResponse,
  authorityInfoAccessExtension,
  buildOcspResponseData,
  buildTbsCertList,
  crlDistributionPointsExtension,
  defaultSignatureAlgorithm,
  keyIdentifier,
  parseCertificate,
  parseOcspRequest,
  parsePublicKey,
  type CertStatus,
  type RevokedEntryInput,
  type SingleResponseInput,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeRoot, type TestCertificate } from '../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';

type Responder = (body: Uint8Array) => Uint8Array | 'hang' | undefined;

let test: TestInventory;
let root: TestCertificate;
let server: Server;
let base: string;
const answers = new Map<string, Responder>();
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      asked.push(request.url ?? '');
      const answer = answers.get(request.url ?? '')?.(Buffer.concat(parts));
      if (answer === 'hang') return;
      response.writeHead(answer ? 200 : 404).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test = await createTestInventory();
  root = await makeRoot('Outside Root');
  await test.trust(root.der);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const countOf = (path: string): number => asked.filter((each) => each === path).length;
const sign = ({ keys }: TestCertificate, data: Uint8Array) => {
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  return { algorithm, signature: nodeCrypto.sign(keys.privateKey, { algorithm, data }) };
};
const idOf = ({ keys }: TestCertificate) => keyIdentifier(parsePublicKey(keys.spki), nodeCrypto.digest);

function crl(entries: readonly RevokedEntryInput[] | { octets: Uint8Array; count: number }, signer = root): Uint8Array {
  const tbs = buildTbsCertList({
    signatureAlgorithm: defaultSignatureAlgorithm(parsePublicKey(signer.keys.spki)),
    issuer: root.name,
    thisUpdateMs: Date.now() - 1000,
    nextUpdateMs: Date.now() + 3_600_000,
    crlNumber: 1,
    authorityKeyIdentifier: idOf(root),
    entries,
  });
  return assembleCrl(tbs, sign(signer, tbs));
}

const entryOf = ({ der }: TestCertificate): RevokedEntryInput => ({
  serialNumber: parseCertificate(der).serialBytes,
  revocationMs: Date.now() - 60_000,
  reason: 'keyCompromise',
});

const naming = (name: string, urls: { crl?: string; ocsp?: string; ca?: string }, issuer = root) =>
  makeCertificate(name, {
    issuer,
    extensions: [
      ...(urls.crl ? [crlDistributionPointsExtension([base + urls.crl])] : []),
      ...((urls.ocsp ?? urls.ca)
        ? [
            authorityInfoAccessExtension({
              ...(urls.ocsp && { ocsp: [base + urls.ocsp] }),
              ...(urls.ca && { caIssuers: [base + urls.ca] }),
            }),
          ]
        : []),
    ],
  });

const validate = async (leaf: TestCertificate) => {
  const uuid = await test.upload(leaf.der);
  const { resultStatus, validationChecks } = await test.inventory.validate(uuid, test.context);
  return { uuid, resultStatus, crl: validationChecks?.crl_verification, ocsp: validationChecks?.ocsp_verification };
};

describe('a CRL', () => {
  it('is downloaded only once for all of its certificates, and revokes the certificates that it lists', async () => {
    const listed = await naming('listed.test', { crl: '/one.crl' });
    answers.set('/one.crl', () => crl([entryOf(listed)]));
    const revoked = await validate(listed);
    expect(revoked).toMatchObject({ resultStatus: 'revoked', crl: { status: 'revoked' } });
    expect((await test.inventory.detail(revoked.uuid, test.context)).state).toBe('revoked');
    expect(await validate(await naming('other.test', { crl: '/one.crl' }))).toMatchObject({
      resultStatus: 'valid',
      crl: { status: 'valid' },
    });
    expect(countOf('/one.crl')).toBe(1);
  });

  it('that is forged, malformed or missing causes a failed check that states the reason, and is not immediately requested again', async () => {
    const other = await makeRoot('Outside Root');
    answers.set('/forged.crl', () => crl([], other));
    answers.set('/text.crl', () => Buffer.from('no list'));
    for (const path of ['/forged.crl', '/text.crl', '/missing.crl']) {
      const { resultStatus, crl: check } = await validate(await naming(`of${path}`, { crl: path }));
      expect([resultStatus, check?.status]).toEqual(['valid', 'failed']);
      await validate(await naming(`again of${path}`, { crl: path }));
      expect(countOf(path)).toBe(1);
    }
  });

  it('with a million entries is evaluated using little memory', async () => {
    const listed = await naming('one-of-a-million.test', { crl: '/million.crl' });
    const serial = parseCertificate(listed.der).serialBytes;
    answers.set('/million.crl', () => crl(million(serial)));
    const memory = process.memoryUsage().rss;
    expect(await validate(listed)).toMatchObject({ resultStatus: 'revoked' });
    expect((process.memoryUsage().rss - memory) / 1024 / 1024).toBeLessThan(400); // Includes the server's bytes.
  }, 60_000);
});

/** Builds entries, with one serial number at the end. */
function million(serial: Uint8Array): { octets: Uint8Array; count: number } {
  const count = 1_000_000;
  const time = Buffer.from('170d3236303130313030303030305a', 'hex');
  const content = Buffer.concat([Buffer.of(2, serial.length), serial, time]);
  const entry = Buffer.concat([Buffer.of(0x30, content.length), content]);
  const octets = Buffer.alloc(count * entry.length);
  for (let index = 0; index < count; index++) {
    entry.copy(octets, index * entry.length);
    if (index < count - 1) octets.writeUInt32BE(index, index * entry.length + 8);
  }
  return { octets, count };
}

describe('an OCSP responder', () => {
  const DAY = 86_400_000;
  interface Lie {
    readonly status?: CertStatus;
    readonly signer?: TestCertificate;
    readonly certificates?: readonly Uint8Array[];
    readonly nonce?: Uint8Array;
    readonly change?: (response: SingleResponseInput) => Partial<SingleResponseInput>;
  }

  const responding =
    ({ status = { status: 'good' }, signer = root, certificates, nonce, change }: Lie): Responder =>
    (body) => {
      const request = parseOcspRequest(body);
      const single = {
        certId: request.certIds[0]?.der ?? new Uint8Array(),
        certStatus: status,
        thisUpdateMs: Date.now() - 1000,
        nextUpdateMs: Date.now() + DAY,
      };
      const sent = nonce ?? request.nonce;
      const data = buildOcspResponseData({
        responderId: { keyHash: idOf(signer) },
        producedAtMs: Date.now(),
        responses: [{ ...single, ...change?.(single) }],
        ...(sent && { nonce: sent }),
      });
      return assembleOcspResponse(data, { ...sign(signer, data), ...(certificates && { certificates }) });
    };

  it('is trusted and queried only once until the nextUpdate of its response', async () => {
    answers.set('/good', responding({}));
    const leaf = await naming('good.test', { ocsp: '/good' });
    const { uuid, ocsp } = await validate(leaf);
    expect(ocsp?.status).toBe('valid');
    await test.inventory.validate(uuid, test.context);
    expect(countOf('/good')).toBe(1);
    const revoked: CertStatus = { status: 'revoked', revocationMs: Date.now() - DAY, reason: 'superseded' };
    answers.set('/revoked', responding({ status: revoked }));
    expect(await validate(await naming('by-ocsp.test', { ocsp: '/revoked' }))).toMatchObject({
      resultStatus: 'revoked',
    });
    answers.set('/unknown', responding({ status: { status: 'unknown' } }));
    expect((await validate(await naming('unknown.test', { ocsp: '/unknown' }))).ocsp?.status).toBe('not_checked');
  });

  it('with an untrusted response causes a failed check that states the reason', async () => {
    const stranger = await makeRoot('Stranger');
    const old = () => ({ thisUpdateMs: Date.now() - 9 * DAY, nextUpdateMs: Date.now() - 2 * DAY });
    const lies: readonly [string, Responder, string][] = [
      ['nonce', responding({ nonce: new Uint8Array(16) }), 'a different request'],
      ['stale', responding({ change: old }), 'out of date'],
      [
        'signer',
        responding({ signer: stranger, certificates: [stranger.der] }),
        'its signer is not authorized by the issuer',
      ],
      ['nobody', responding({ signer: stranger }), 'it does not contain the certificate of its signer'],
      ['certificate', responding({ change: ({ certId }) => ({ certId: changed(certId) }) }), 'a different certificate'],
      ['noise', () => Buffer.from('no answer'), 'did not return an OCSP response:'],
    ];
    for (const [name, answer, words] of lies) {
      answers.set(`/lie-${name}`, answer);
      const { resultStatus, ocsp } = await validate(await naming(`${name}.lie.test`, { ocsp: `/lie-${name}` }));
      expect([name, resultStatus, ocsp?.status]).toEqual([name, 'valid', 'failed']);
      expect(ocsp?.message).toContain(words);
    }
  });

  /** Returns the CertID with a different serial number. */
  const changed = (certId: Uint8Array): Uint8Array => {
    const other = certId.slice();
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    return other;
  };
});

describe('issuer certificates', () => {
  it('are downloaded from the URLs in certificates, up to a trusted root, and stored in the inventory', async () => {
    const upper = await makeCertificate('Fetched Upper', {
      ca: true,
      issuer: root,
      extensions: [authorityInfoAccessExtension({ caIssuers: [`${base}/root.crt`] })],
    });
    const lower = await makeCertificate('Fetched Lower', {
      ca: true,
      issuer: upper,
      extensions: [authorityInfoAccessExtension({ caIssuers: [`${base}/upper.crt`] })],
    });
    answers.set('/upper.crt', () => upper.der);
    answers.set('/lower.crt', () => Buffer.from(lower.pem));
    const { uuid, resultStatus } = await validate(await naming('fetched.test', { ca: '/lower.crt' }, lower));
    expect(resultStatus).toBe('invalid'); // They are not trusted yet.
    const chain = await test.inventory.chain(uuid, { withEndCertificate: false, context: test.context });
    expect(chain).toMatchObject({ completeChain: true });
    expect(chain.certificates?.map(({ commonName }) => commonName)).toEqual([
      'Fetched Lower',
      'Fetched Upper',
      'Outside Root',
    ]);
    expect(countOf('/root.crt')).toBe(0);
  });

  it('with endless or circular references end the search', async () => {
    let above: TestCertificate | undefined;
    const chain: TestCertificate[] = [];
    for (let depth = 12; depth > 0; depth--) {
      above = await makeCertificate(`Endless ${depth}`, {
        ca: true,
        ...(above ? { issuer: above } : { issuer: await makeRoot('Nowhere') }),
        extensions: [authorityInfoAccessExtension({ caIssuers: [`${base}/endless-${depth + 1}`] })],
      });
      chain.push(above);
      const { der } = above;
      answers.set(`/endless-${depth}`, () => der);
    }
    const [a, b] = [await makeRoot('Circle A'), await makeRoot('Circle B')];
    const byB = await makeCertificate('Circle A', {
      ca: true,
      issuer: b,
      keys: a.keys,
      extensions: [aia('/circle-b')],
    });
    const byA = await makeCertificate('Circle B', {
      ca: true,
      issuer: a,
      keys: b.keys,
      extensions: [aia('/circle-a')],
    });
    answers.set('/circle-a', () => byB.der);
    answers.set('/circle-b', () => byA.der);
    const endless = await validate(await naming('endless.test', { ca: '/endless-1' }, above ?? root));
    expect(endless.resultStatus).toBe('invalid');
    expect(asked.filter((path) => path.startsWith('/endless-')).length).toBeLessThanOrEqual(8);
    expect((await validate(await naming('circle.test', { ca: '/circle-a' }, a))).resultStatus).toBe('invalid');
    expect(countOf('/circle-a') + countOf('/circle-b')).toBeLessThanOrEqual(4);
  });

  const aia = (path: string) => authorityInfoAccessExtension({ caIssuers: [base + path] });
});
