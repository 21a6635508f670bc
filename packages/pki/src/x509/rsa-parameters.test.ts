// RSA signature algorithms whose NULL parameters are missing in one place (RFC 4055 §5): readable and verified in
// certificates, CRLs and OCSP responses, and never written.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  assembleCertificate,
  assembleCrl,
  assembleOcspResponse,
  buildCertId,
  buildOcspResponseData,
  buildTbsCertificate,
  buildTbsCertList,
  isSignedBy,
  issuerHashes,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
  signatureAlgorithm,
  type SignatureAlgorithm,
} from '../index.ts';
import { encodeDer, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { findingsOnCertificate } from '../lint/index.ts';
import { nodeCrypto } from '../node/index.ts';
import { DAY_MS, issue, NOW_MS, type TestEntity } from '../testing/authority.ts';

const WITH_NULL = signatureAlgorithm('SHA256withRSA');
const WITHOUT: SignatureAlgorithm = { ...WITH_NULL, der: encodeDer(sequence([oidPart(OID.sha256WithRsa)])) };
const WITH_OTHER: SignatureAlgorithm = {
  ...WITH_NULL,
  der: encodeDer(sequence([oidPart(OID.sha256WithRsa), octetStringPart(new Uint8Array())])),
};
const EC = signatureAlgorithm('SHA256withECDSA');
const EC_WITH_NULL: SignatureAlgorithm = { ...EC, der: encodeDer(sequence([oidPart(EC.oid), Uint8Array.of(5, 0)])) };

let rsa: TestEntity;
beforeAll(async () => {
  rsa = await issue({ subject: 'CN=RSA Root', spec: 'RSA-2048' });
});

const signed = (data: Uint8Array) => nodeCrypto.sign(rsa.keys.privateKey, { algorithm: WITH_NULL, data });

function certificateWith(inner: SignatureAlgorithm, outer: SignatureAlgorithm): Uint8Array {
  const tbs = buildTbsCertificate({
    serialNumber: Uint8Array.of(0x41, 1, 2, 3, 4, 5, 6, 7, 8),
    signatureAlgorithm: inner,
    issuer: rsa.name,
    subject: rsa.name,
    notBeforeMs: NOW_MS,
    notAfterMs: NOW_MS + DAY_MS,
    spki: rsa.keys.spki,
    extensions: [],
  });
  return assembleCertificate(tbs, { algorithm: outer, signature: signed(tbs) });
}

function crlWith(inner: SignatureAlgorithm, outer: SignatureAlgorithm): Uint8Array {
  const tbs = buildTbsCertList({
    signatureAlgorithm: inner,
    issuer: rsa.name,
    thisUpdateMs: NOW_MS,
    nextUpdateMs: NOW_MS + DAY_MS,
    crlNumber: 1,
    authorityKeyIdentifier: rsa.keyId,
    entries: [],
  });
  return assembleCrl(tbs, { algorithm: outer, signature: signed(tbs) });
}

describe('RSA algorithm parameters', () => {
  it.each([
    ['inside', WITHOUT, WITH_NULL],
    ['outside', WITH_NULL, WITHOUT],
  ])('can be missing %s the signed part', (_where, inner, outer) => {
    const options = { issuerSpki: rsa.keys.spki, verify: nodeCrypto.verify };
    const certificate = parseCertificate(certificateWith(inner, outer));
    expect([certificate.hasEqualAlgorithms, isSignedBy(certificate, options)]).toEqual([false, true]);
    expect(findingsOnCertificate(certificate).map(({ rule }) => rule)).toContain('signature-algorithms-equal');
    expect(isSignedBy(parseCrl(crlWith(inner, outer)), options)).toBe(true);
  });

  it('can be missing in an OCSP response', () => {
    const hashes = issuerHashes(rsa.certificate, { digestName: 'sha256', digest: nodeCrypto.digest });
    const data = buildOcspResponseData({
      responderId: { keyHash: rsa.keyId },
      producedAtMs: NOW_MS,
      responses: [
        {
          certId: buildCertId(hashes, Uint8Array.of(0x41)),
          certStatus: { status: 'good' },
          thisUpdateMs: NOW_MS,
          nextUpdateMs: NOW_MS + DAY_MS,
        },
      ],
    });
    const response = parseOcspResponse(assembleOcspResponse(data, { algorithm: WITHOUT, signature: signed(data) }));
    if (response.status !== 'successful') expect.unreachable();
    expect(isSignedBy(response.basic, { issuerSpki: rsa.keys.spki, verify: nodeCrypto.verify })).toBe(true);
  });

  it('must not differ in any other way', () => {
    for (const [inner, outer] of [
      [WITH_NULL, WITH_OTHER],
      [WITHOUT, signatureAlgorithm('SHA384withRSA')],
      [EC, EC_WITH_NULL],
    ] as const) {
      expect(() => parseCertificate(certificateWith(inner, outer))).toThrow(/inner and outer/);
      expect(() => parseCrl(crlWith(inner, outer))).toThrow(/inner and outer/);
    }
  });

  it('are written in both places', () => {
    expect(parseCertificate(certificateWith(WITH_NULL, WITH_NULL)).hasEqualAlgorithms).toBe(true);
    expect(rsa.certificate.hasEqualAlgorithms).toBe(true);
  });
});
