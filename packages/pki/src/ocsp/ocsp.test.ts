import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  assembleOcspResponse,
  buildOcspError,
  buildOcspResponseData,
  OCSP_RESPONSE_STATUSES,
  parseOcspResponse,
  type BasicOcspResponse,
  type CertStatus,
  type OcspErrorStatus,
  type ResponseDataInput,
} from './response.ts';
import { buildCertId, certIdMatchesIssuer, issuerHashes, issuerHashKey } from './cert-id.ts';
import { buildOcspRequest, ocspRequestFromPath, parseOcspRequest } from './request.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';
import { encodeDer, explicitPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import {
  extensionsPart,
  extKeyUsageExtension,
  keyUsageExtension,
  ocspNoCheckExtension,
} from '../x509/extension-parts.ts';
import { exportPrivateKeyPem, nodeCrypto } from '../node/index.ts';
import { HAS_OPENSSL, opensslFolder, OPENSSL_NOTE, type OpensslRun } from '../testing/openssl.ts';
import { OID } from '../oids.ts';
import { verifyOcspResponse, type OcspVerdict, type OcspVerification } from './verify.ts';
import { writePem } from '../pem.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { digest, verify } = nodeCrypto;
let root: TestEntity;
let other: TestEntity;
let leaf: TestEntity;
let responder: TestEntity;

beforeAll(async () => {
  root = await issue({ subject: 'CN=OCSP Root' });
  other = await issue({ subject: 'CN=Other Root' });
  leaf = await issue({ subject: 'CN=leaf', issuer: root, extensions: [], serialNumber: Uint8Array.of(0x81, 2) });
  responder = await issue({
    subject: 'CN=Responder',
    issuer: root,
    extensions: [
      keyUsageExtension(['digitalSignature']),
      extKeyUsageExtension([OID.ocspSigning]),
      ocspNoCheckExtension(),
    ],
  });
});

const certId = (digestName: 'sha1' | 'sha256' = 'sha1'): Uint8Array =>
  buildCertId(issuerHashes(root.certificate, { digestName, digest }), leaf.certificate.serialBytes);

interface ResponseSpec extends Partial<ResponseDataInput> {
  readonly certStatus?: CertStatus;
  readonly signer?: TestEntity;
  readonly certificates?: readonly Uint8Array[];
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number;
}

function buildResponse(options: ResponseSpec = {}): Uint8Array {
  const {
    certStatus = { status: 'good' },
    signer = root,
    certificates,
    thisUpdateMs = NOW_MS,
    nextUpdateMs,
    ...changes
  } = options;
  const octets = buildOcspResponseData({
    responderId: { keyHash: signer.keyId },
    producedAtMs: NOW_MS,
    responses: [{ certId: certId(), certStatus, thisUpdateMs, ...(nextUpdateMs !== undefined && { nextUpdateMs }) }],
    ...changes,
  });
  return assembleOcspResponse(octets, { ...signer.sign(octets), ...(certificates && { certificates }) });
}

function basicOf(der: Uint8Array): BasicOcspResponse {
  const response = parseOcspResponse(der);
  if (response.status !== 'successful') throw new Error(`The response has the status ${response.status}.`);
  return response.basic;
}

const evaluate = (der: Uint8Array, changes: Partial<OcspVerification> = {}): OcspVerdict =>
  verifyOcspResponse(basicOf(der), {
    certificate: leaf.certificate,
    issuer: root.certificate,
    verify,
    digest,
    nowMs: NOW_MS,
    ...changes,
  });

describe('OCSP requests', () => {
  it('round-trip with multiple identifiers, both digests and a nonce', () => {
    const nonce = nodeCrypto.randomBytes(32);
    const request = parseOcspRequest(buildOcspRequest({ certIds: [certId('sha1'), certId('sha256')], nonce }));
    expect(request.certIds.map(({ digestName, serialNumber }) => [digestName, serialNumber])).toEqual([
      ['sha1', '8102'],
      ['sha256', '8102'],
    ]);
    expect(request.nonce).toEqual(nonce);
    expect(request).toMatchObject({ isSigned: false, unknownCritical: [], requestorName: undefined });
  });

  it('match their issuer by either digest, and match no other issuer', () => {
    const { certIds } = parseOcspRequest(buildOcspRequest({ certIds: [certId('sha1'), certId('sha256')] }));
    for (const id of certIds) {
      const digestName = id.digestName ?? 'sha1';
      const own = issuerHashes(root.certificate, { digestName, digest });
      expect(certIdMatchesIssuer(id, own)).toBe(true);
      expect(issuerHashKey(id)).toBe(issuerHashKey(own));
      expect(certIdMatchesIssuer(id, issuerHashes(other.certificate, { digestName, digest }))).toBe(false);
    }
  });

  it.each([0, 129])('are rejected if they have a nonce of %i bytes (RFC 9654 §2.1)', (length) => {
    const extensions = explicitPart(
      2,
      extensionsPart([{ oid: OID.ocspNonce, critical: false, part: octetStringPart(new Uint8Array(length)) }]),
    );
    const der = encodeDer(sequence([sequence([sequence([sequence([certId()])]), extensions])]));
    expect(() => parseOcspRequest(der)).toThrow(/1 to 128/);
  });

  it('report unknown critical extensions', () => {
    const extensions = explicitPart(2, extensionsPart([{ oid: '1.2.3', critical: true, value: Uint8Array.of(5, 0) }]));
    const der = encodeDer(sequence([sequence([sequence([sequence([certId()])]), extensions])]));
    expect(parseOcspRequest(der).unknownCritical).toEqual(['1.2.3']);
  });

  it('are parsed from the path of a GET request, with any escaping', () => {
    const der = buildOcspRequest({
      certIds: [certId()],
      nonce: Uint8Array.from({ length: 64 }, (_, index) => 255 - index),
    });
    const base64 = der.toBase64();
    for (const path of [
      base64,
      encodeURIComponent(base64),
      base64.replaceAll('+', '-').replaceAll('/', '_'),
      base64.replaceAll('+', ' '),
    ]) {
      expect(ocspRequestFromPath(path)).toEqual(der);
    }
    for (const path of ['%', '%zz', '***'])
      expect(() => ocspRequestFromPath(path)).toThrow(expect.objectContaining({ code: 'bad-base64' }));
  });

  it('can identify 1 to 128 certificates', () => {
    expect(() => buildOcspRequest({ certIds: [] })).toThrow(/at least one/);
    const many = buildOcspRequest({ certIds: Array.from({ length: 129 }, () => certId()) });
    expect(() => parseOcspRequest(many)).toThrow(expect.objectContaining({ code: 'too-many-elements' }));
  });
});

describe('OCSP responses', () => {
  it.each([
    [{ status: 'good' }],
    [{ status: 'unknown' }],
    [{ status: 'revoked', revocationMs: NOW_MS - DAY_MS, reason: 'keyCompromise' }],
    [{ status: 'revoked', revocationMs: NOW_MS - DAY_MS }],
  ] as const)('round-trip with the status %j', (certStatus) => {
    const nonce = Uint8Array.of(1, 2, 3);
    const basic = basicOf(buildResponse({ certStatus, nonce, nextUpdateMs: NOW_MS + DAY_MS }));
    expect(basic.responses).toMatchObject([{ certStatus, thisUpdateMs: NOW_MS, nextUpdateMs: NOW_MS + DAY_MS }]);
    expect(basic.responses[0]?.certId.der).toEqual(certId());
    expect(basic).toMatchObject({ producedAtMs: NOW_MS, nonce, responderId: { keyHash: root.keyId } });
  });

  it('with an error status contain only that status', () => {
    const statuses = Object.keys(OCSP_RESPONSE_STATUSES).filter(
      (status) => status !== 'successful',
    ) as OcspErrorStatus[];
    for (const status of statuses) expect(parseOcspResponse(buildOcspError(status))).toEqual({ status });
    expect(buildOcspError('unauthorized').toHex()).toBe('30030a0106');
  });

  it.each([
    ['30030a0104', 'bad-value'],
    ['30030a0107', 'integer-too-large'],
    ['30030a0100', 'missing-element'],
  ])('encoded as %s are rejected as %s', (hex, code) => {
    expect(() => parseOcspResponse(Uint8Array.fromHex(hex))).toThrow(expect.objectContaining({ code }));
  });

  it('of a different type are rejected', () => {
    const der = encodeDer(
      sequence([
        Uint8Array.of(10, 1, 0),
        explicitPart(0, sequence([oidPart('1.2.3'), octetStringPart(new Uint8Array())])),
      ]),
    );
    expect(() => parseOcspResponse(der)).toThrow(expect.objectContaining({ code: 'unsupported-algorithm' }));
  });
});

describe('verification of an OCSP response', () => {
  it('accepts the issuer as responder, by key and by name', () => {
    expect(evaluate(buildResponse())).toMatchObject({ trusted: true, certStatus: { status: 'good' } });
    expect(evaluate(buildResponse({ responderId: { name: root.name.der } }))).toMatchObject({ trusted: true });
  });

  it('accepts a responder authorized by the issuer', () => {
    const verdict = evaluate(buildResponse({ signer: responder, certificates: [responder.certificate.der] }));
    expect(verdict).toMatchObject({ trusted: true });
    expect(verdict.trusted && verdict.responder.serialNumber).toBe(responder.certificate.serialNumber);
  });

  it('rejects all other responders, with a separate reason for each', async () => {
    const make = (extensions: Parameters<typeof issue>[0]['extensions'], issuer = root, notAfterMs = NOW_MS + DAY_MS) =>
      issue({ subject: 'CN=Impostor', issuer, notAfterMs, ...(extensions && { extensions }) });
    const eku = [extKeyUsageExtension([OID.ocspSigning])];
    for (const impostor of [
      await make([]),
      await make([extKeyUsageExtension([OID.serverAuth])]),
      await make(eku, other),
      await make(eku, root, NOW_MS - 12 * 3600_000),
      await make([...eku, keyUsageExtension(['keyEncipherment'])]),
    ]) {
      const der = buildResponse({ signer: impostor, certificates: [impostor.certificate.der] });
      expect(evaluate(der)).toEqual({ trusted: false, refusal: 'responder-not-authorized' });
    }
    // Same name as the issuer, but signed by a different key.
    const namesake = await issue({ subject: 'CN=OCSP Root' });
    const forged = await make(eku, namesake);
    expect(evaluate(buildResponse({ signer: forged, certificates: [forged.certificate.der] }))).toEqual({
      trusted: false,
      refusal: 'responder-not-authorized',
    });
    expect(evaluate(buildResponse({ signer: other }))).toEqual({ trusted: false, refusal: 'responder-unknown' });
    expect(evaluate(buildResponse({ signer: other, responderId: { keyHash: root.keyId } }))).toEqual({
      trusted: false,
      refusal: 'signature-invalid',
    });
  });

  it('accepts responses without nextUpdate for one day, or for as long as requested', () => {
    const evaluateAged = (hours: number, changes: Partial<OcspVerification> = {}) =>
      evaluate(buildResponse({ thisUpdateMs: NOW_MS - hours * 3_600_000 }), changes);
    expect(evaluateAged(23)).toMatchObject({ trusted: true });
    expect(evaluateAged(25)).toEqual({ trusted: false, refusal: 'expired' });
    expect(evaluateAged(25, { maxAgeMs: 2 * DAY_MS })).toMatchObject({ trusted: true });
    const ending = { thisUpdateMs: NOW_MS - 6 * DAY_MS, nextUpdateMs: NOW_MS + DAY_MS };
    expect(evaluate(buildResponse(ending))).toMatchObject({ trusted: true });
  });

  it('rejects responses that are for other certificates, are not yet valid, have expired, or have a different nonce', () => {
    expect(evaluate(buildResponse(), { certificate: responder.certificate })).toMatchObject({
      refusal: 'not-about-this-certificate',
    });
    expect(evaluate(buildResponse(), { issuer: other.certificate })).toMatchObject({
      refusal: 'not-about-this-certificate',
    });
    expect(evaluate(buildResponse({ thisUpdateMs: NOW_MS + DAY_MS }))).toMatchObject({ refusal: 'not-yet-valid' });
    expect(evaluate(buildResponse({ thisUpdateMs: NOW_MS - 2 * DAY_MS, nextUpdateMs: NOW_MS - DAY_MS }))).toMatchObject(
      {
        refusal: 'expired',
      },
    );
    expect(evaluate(buildResponse({ nonce: Uint8Array.of(1) }), { nonce: Uint8Array.of(2) })).toMatchObject({
      refusal: 'nonce-differs',
    });
    expect(evaluate(buildResponse(), { nonce: Uint8Array.of(2) })).toMatchObject({ trusted: true });
  });
});

describe.skipIf(!HAS_OPENSSL)(`OCSP interoperability with openssl${OPENSSL_NOTE}`, () => {
  let openssl: OpensslRun;
  beforeAll(() => {
    openssl = opensslFolder();
    openssl.write('ca.pem', writePem('CERTIFICATE', root.certificate.der));
    openssl.write('leaf.pem', writePem('CERTIFICATE', leaf.certificate.der));
  });
  afterAll(() => openssl.remove());

  it.each([['sha1'], ['sha256']] as const)('its %s request is parsed, and it accepts our response', (digestName) => {
    openssl.run('ocsp', `-${digestName}`, '-issuer', 'ca.pem', '-cert', 'leaf.pem', '-reqout', 'req.der');
    const request = parseOcspRequest(readFileSync(join(openssl.folder, 'req.der')));
    const [id] = request.certIds;
    expect(id && certIdMatchesIssuer(id, issuerHashes(root.certificate, { digestName, digest }))).toBe(true);
    const octets = buildOcspResponseData({
      responderId: { keyHash: responder.keyId },
      producedAtMs: NOW_MS,
      responses: [
        {
          certId: id?.der ?? new Uint8Array(),
          certStatus: { status: 'revoked', revocationMs: NOW_MS, reason: 'superseded' },
          thisUpdateMs: NOW_MS,
        },
      ],
      ...(request.nonce && { nonce: request.nonce }),
    });
    openssl.write(
      'res.der',
      assembleOcspResponse(octets, { ...responder.sign(octets), certificates: [responder.certificate.der] }),
    );
    const verifyWithOpenssl = (...args: string[]): string =>
      openssl.run('ocsp', '-respin', 'res.der', '-CAfile', 'ca.pem', '-attime', String(NOW_MS / 1000), ...args);
    // With a request, openssl checks the nonce; with a certificate, it prints the status.
    verifyWithOpenssl('-reqin', 'req.der', '-issuer', 'ca.pem');
    const text = verifyWithOpenssl(
      '-no_nonce',
      '-issuer',
      'ca.pem',
      `-${digestName}`,
      '-cert',
      'leaf.pem',
      '-validity_period',
      '400000000',
    );
    expect(text).toMatch(/leaf\.pem: revoked[\s\S]*Reason: superseded/);
  });

  it('its response is parsed and accepted', async () => {
    openssl.write('responder.pem', writePem('CERTIFICATE', responder.certificate.der));
    openssl.write('responder.key', await exportPrivateKeyPem(responder.keys.privateKey));
    openssl.write('index.txt', `R\t301231235959Z\t261101000000Z,keyCompromise\t8102\tunknown\t/CN=leaf\n`);
    openssl.write('req.der', buildOcspRequest({ certIds: [certId()], nonce: new Uint8Array(16).fill(7) }));
    const responderRun = 'ocsp -index index.txt -rsigner responder.pem -rkey responder.key -CA ca.pem -noverify';
    openssl.run(...responderRun.split(' '), ...'-reqin req.der -respout res.der -ndays 1'.split(' '));
    const basic = basicOf(readFileSync(join(openssl.folder, 'res.der')));
    expect(basic.nonce).toEqual(new Uint8Array(16).fill(7));
    const verdict = verifyOcspResponse(basic, {
      certificate: leaf.certificate,
      issuer: root.certificate,
      verify,
      digest,
      nowMs: basic.producedAtMs,
      clockSkewMs: 10_000 * DAY_MS,
    });
    expect(verdict).toMatchObject({
      trusted: true,
      certStatus: { status: 'revoked', reason: 'keyCompromise', revocationMs: Date.UTC(2026, 10, 1) },
    });
  });
});
