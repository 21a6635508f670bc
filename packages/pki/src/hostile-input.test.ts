import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  assembleCertificationRequest,
  assembleCrl,
  assembleOcspResponse,
  authorityInfoAccessExtension,
  buildCertId,
  buildCertificationRequestInfo,
  buildOcspRequest,
  buildOcspResponseData,
  buildTbsCertList,
  certificatePoliciesExtension,
  crlDistributionPointsExtension,
  describeCertificate,
  extKeyUsageExtension,
  indexRevoked,
  findRevoked,
  formatNameRfc4514,
  ipAddressName,
  issuerHashes,
  lintCertificate,
  nameConstraintsExtension,
  OID,
  parseCertificate,
  parseCertificationRequest,
  parseCrl,
  parseName,
  parseNameText,
  parseOcspRequest,
  parseOcspResponse,
  parsePublicKey,
  policyConstraintsExtension,
  readableCertificate,
  readableExtension,
  readCertificate,
  requestedAltNames,
  resolveSignatureAlgorithm,
  parseAlgorithm,
  signatureAlgorithm,
  subjectAltNameExtension,
  validatePath,
  verifyCertificationRequest,
  type Certificate,
} from './index.ts';
import { createNodeCrypto, nodeCrypto, readPkcs12, importPrivateKey } from './node/index.ts';
import { EXTENSION_VALUES } from './testing/extension-values.ts';
import { expectOwnErrors, mutations } from './testing/arbitraries.ts';
import { issue, NOW_MS, type TestEntity } from './testing/authority.ts';
import { encodeDer, integerPart, octetStringOf, oidPart, sequence, explicitPart } from './der/writer.ts';

const { verify } = createNodeCrypto({ maxCachedKeys: 0 });
let root: TestEntity;
let rich: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Root,O=Müller,C=DE' });
  rich = await issue({
    subject: 'CN=Rich,EMAIL=a@example.com',
    issuer: root,
    extra: [
      extKeyUsageExtension([OID.serverAuth]),
      subjectAltNameExtension([
        { kind: 'dNSName', value: 'a.example' },
        ipAddressName('::1'),
        { kind: 'directoryName', name: root.name },
        { kind: 'otherName', type: '1.2.3', value: Uint8Array.of(5, 0) },
        { kind: 'registeredID', oid: '1.2' },
      ]),
      crlDistributionPointsExtension(['http://a.example/c.crl']),
      authorityInfoAccessExtension({ ocsp: ['http://a.example'] }),
      certificatePoliciesExtension([{ oid: '1.2.3', cpsUrl: 'http://a.example' }]),
      nameConstraintsExtension({ permitted: [{ kind: 'dNSName', value: 'a.example' }] }),
      policyConstraintsExtension({ requireExplicitPolicy: 2 }),
    ],
  });
});

/** Runs a parser on mutations of samples and on random bytes. */
function fuzz(samples: () => Uint8Array[], parse: (bytes: Uint8Array) => unknown, numRuns = 1500): void {
  fc.assert(
    fc.property(
      fc.oneof(
        { weight: 4, arbitrary: mutations(samples()) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
      ),
      (bytes) => {
        expectOwnErrors(() => parse(bytes));
      },
    ),
    { numRuns },
  );
}

function readEverything(certificate: Certificate): void {
  lintCertificate(certificate, { issuer: root.certificate });
  validatePath([certificate, root.certificate], { nowMs: NOW_MS, verify });
  formatNameRfc4514(certificate.subject);
  describeCertificate(certificate);
  readableCertificate(certificate);
}

describe('hostile input causes only our own errors in', () => {
  it('certificates, with linting and path validation', () => {
    fuzz(
      () => [rich.certificate.der, root.certificate.der],
      (bytes) => readEverything(parseCertificate(bytes)),
    );
  });

  it('certificates in any wrapping', () => {
    fuzz(
      () => [rich.certificate.der, new TextEncoder().encode(rich.certificate.der.toBase64())],
      (bytes) => readEverything(readCertificate(bytes)),
      500,
    );
  });

  it.each([...EXTENSION_VALUES])('the extension %s, which is displayed regardless of its bytes', (oid, value) => {
    fc.assert(
      fc.property(fc.oneof(mutations([value]), fc.uint8Array({ maxLength: 100 })), (octets) => {
        const { values, problem, hex } = readableExtension({ oid, critical: false, value: octets });
        // Either decoded in full or returned as hex.
        expect(problem === undefined || values.length === 0).toBe(true);
        if (problem !== undefined) expect(hex).toBe(octets.toHex());
      }),
      { numRuns: 300 },
    );
  });

  it('extensions designed to be expensive, with a cost proportional to their size', () => {
    const size = 256 * 1024;
    const listOf = (member: string): Uint8Array => {
      const one = Uint8Array.fromHex(member);
      const content = new Uint8Array(size - (size % one.length));
      for (let at = 0; at < content.length; at += one.length) content.set(one, at);
      return encodeDer(sequence([content]));
    };
    const nested = Uint8Array.fromHex('3080'.repeat(100_000));
    const started = performance.now();
    for (const oid of EXTENSION_VALUES.keys()) {
      for (const member of ['0500', '3000', '060100', '8100', '30020500', '300430023000', '0201ff'])
        readableExtension({ oid, critical: false, value: listOf(member) });
      readableExtension({ oid, critical: false, value: nested });
      readableExtension({ oid, critical: false, value: new Uint8Array(size).fill(0x30) });
    }
    // About 400 values of 256 KiB, each parsed within a few milliseconds.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('certification requests', () => {
    const info = buildCertificationRequestInfo({
      subject: root.name,
      spki: root.keys.spki,
      challengePassword: 'x',
      extensions: [subjectAltNameExtension([{ kind: 'dNSName', value: 'a.example' }])],
    });
    fuzz(
      () => [assembleCertificationRequest(info, root.sign(info))],
      (bytes) => {
        const request = parseCertificationRequest(bytes);
        requestedAltNames(request);
        verifyCertificationRequest(request, verify);
      },
    );
  });

  it('CRLs', () => {
    const tbs = buildTbsCertList({
      signatureAlgorithm: root.algorithm,
      issuer: root.name,
      thisUpdateMs: NOW_MS,
      nextUpdateMs: NOW_MS,
      crlNumber: 5,
      baseCrlNumber: 4,
      authorityKeyIdentifier: root.keyId,
      issuingDistributionPoint: { urls: ['http://a.example'], onlySomeReasons: 6 },
      entries: [
        { serialNumber: Uint8Array.of(1), revocationMs: NOW_MS, reason: 'removeFromCRL', invalidityMs: NOW_MS },
      ],
    });
    fuzz(
      () => [assembleCrl(tbs, root.sign(tbs))],
      (bytes) => {
        const crl = parseCrl(bytes);
        findRevoked(crl, Uint8Array.of(9));
        indexRevoked(crl);
      },
    );
  });

  it('OCSP requests and responses', () => {
    const certId = buildCertId(
      issuerHashes(root.certificate, { digestName: 'sha1', digest: nodeCrypto.digest }),
      Uint8Array.of(1),
    );
    const nonce = Uint8Array.of(1, 2, 3);
    fuzz(() => [buildOcspRequest({ certIds: [certId], nonce })], parseOcspRequest);
    const octets = buildOcspResponseData({
      responderId: { name: root.name.der },
      producedAtMs: NOW_MS,
      nonce,
      responses: [
        {
          certId,
          certStatus: { status: 'revoked', revocationMs: NOW_MS, reason: 'superseded' },
          thisUpdateMs: NOW_MS,
          nextUpdateMs: NOW_MS,
        },
      ],
    });
    fuzz(
      () => [assembleOcspResponse(octets, { ...root.sign(octets), certificates: [root.certificate.der] })],
      parseOcspResponse,
    );
  });

  it('names, keys and algorithms', () => {
    fuzz(() => [root.name.der, rich.name.der], parseName);
    fuzz(() => [root.keys.spki], parsePublicKey);
    fuzz(
      () => [signatureAlgorithm('SHA256withRSAandMGF1').der],
      (bytes) => resolveSignatureAlgorithm(parseAlgorithm(bytes)),
    );
    const piece = fc.constantFrom(
      'CN',
      '=',
      ',',
      '+',
      '\\',
      '"',
      '#',
      '0c',
      'a',
      ' ',
      ';',
      'é',
      '\\c3',
      '1.2',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        (pieces) => expectOwnErrors(() => parseNameText(pieces.join(''))) ?? true,
      ),
    );
  });

  it('PKCS #12 files and private keys', async () => {
    const file = encodeDer(
      sequence([
        integerPart(3),
        sequence([
          oidPart(OID.pkcs7Data),
          explicitPart(
            0,
            octetStringOf(sequence([sequence([oidPart(OID.pkcs7Data), explicitPart(0, octetStringOf(sequence([])))])])),
          ),
        ]),
      ]),
    );
    const expectOwnRejection = async (run: () => Promise<unknown>): Promise<void> => {
      const outcome: { error?: unknown } = await run().then(
        () => ({}),
        (error: unknown) => ({ error }),
      );
      expectOwnErrors(() => {
        if (outcome.error !== undefined) throw outcome.error;
      });
    };
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutations([file]), fc.uint8Array({ maxLength: 100 })), async (bytes) => {
        await expectOwnRejection(() => readPkcs12(bytes, { password: 'x' }));
        await expectOwnRejection(() => importPrivateKey(bytes, { password: 'x' }));
      }),
      { numRuns: 500 },
    );
  });
});
