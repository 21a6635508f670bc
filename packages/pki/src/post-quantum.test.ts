// Post-quantum certificates: the RFC examples, and certificates for every algorithm that OpenSSL supports.
import { describe, expect, it } from 'vitest';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign as nodeSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  isSignedBy,
  keyUsageExtension,
  parseCertificate,
  readableCertificate,
  readCertificate,
  signatureAlgorithm,
  SLH_DSA_OIDS,
} from './index.ts';
import { nodeCrypto } from './node/index.ts';
import { findingsOnCertificate } from './lint/index.ts';
import { NOW_MS } from './testing/authority.ts';

const { verify } = nodeCrypto;
/** RFC 9909 appendix C.2: seed, PRF key and both halves of the public key (FIPS 205 §9.1). */
const RFC9909_PRIVATE_KEY =
  'MFICAQAwCwYJYIZIAWUDBAMUBECiJjvKRYYINlIxYASVI9YhZ3+tkNUetgZ6Mn4NHmSlASuBCex3fKpOHwJMz8+Ul9mRgFCSgPQlavKwevgCibSU';
const example = (file: string) => readCertificate(readFileSync(join(import.meta.dirname, 'testing/vectors', file)));

describe('the RFC example', () => {
  const authority = example('rfc9881-ml-dsa-44.pem');
  const entity = example('rfc9935-ml-kem-512.pem');

  it('for ML-DSA (RFC 9881) is recognized and verifies with its own key', () => {
    expect(readableCertificate(authority)).toMatchObject({
      version: 3,
      subject: { text: 'CN=LAMPS WG, O=IETF', rfc4514: 'CN=LAMPS WG,O=IETF' },
      publicKey: { algorithm: 'ML-DSA-44', oid: '2.16.840.1.101.3.4.3.17', size: 44 },
      signature: { algorithm: 'ML-DSA-44' },
    });
    expect(isSignedBy(authority, { issuerSpki: authority.spki, verify })).toBe(true);
  });

  it('for ML-KEM (RFC 9935) is recognized and verifies with the key from the ML-DSA example', () => {
    expect(readableCertificate(entity)).toMatchObject({
      publicKey: { algorithm: 'ML-KEM-512', oid: '2.16.840.1.101.3.4.4.1', size: 512 },
      signature: { algorithm: 'ML-DSA-44' },
    });
    expect(entity.keyUsage).toEqual(['keyEncipherment']);
    expect(entity.authorityKeyIdentifier?.keyIdentifier).toEqual(authority.subjectKeyIdentifier);
    expect(isSignedBy(entity, { issuerSpki: authority.spki, verify })).toBe(true);
    expect(isSignedBy(entity, { issuerSpki: entity.spki, verify })).toBe(false);
  });

  it('for ML-KEM (RFC 9935) has no lint errors or warnings other than its long validity', () => {
    const findings = findingsOnCertificate(entity, { issuer: authority });
    const serious = findings.filter(({ severity }) => severity !== 'notice').map(({ rule }) => rule);
    expect(serious).toEqual(['strength-validity']);
  });

  it('for SLH-DSA (RFC 9909) is recognized and verifies with its own key, unless a byte is modified', () => {
    const stateless = example('rfc9909-slh-dsa-sha2-128s.pem');
    expect(readableCertificate(stateless)).toMatchObject({
      version: 3,
      subject: { text: 'O=Bogus SLH-DSA-SHA2-128s CA, L=Paris, C=FR' },
      serialNumber: '70fb9641c374539b27cb07bcd2bb4abc8a5d7a25',
      publicKey: { algorithm: 'SLH-DSA-SHA2-128S', oid: '2.16.840.1.101.3.4.3.20', size: 128 },
      signature: { algorithm: 'SLH-DSA-SHA2-128S' },
    });
    expect(stateless.keyUsage).toEqual(['keyCertSign', 'cRLSign']);
    expect(stateless.signature).toHaveLength(7856);
    expect(isSignedBy(stateless, { issuerSpki: stateless.spki, verify })).toBe(true);
    const { tbs, signatureAlgorithm: algorithm, signature } = stateless;
    const changed = { tbs: tbs.with(100, (tbs[100] ?? 0) ^ 1), signatureAlgorithm: algorithm, signature };
    expect(isSignedBy(changed, { issuerSpki: stateless.spki, verify })).toBe(false);
  });

  it('for SLH-DSA (RFC 9909) contains the public key for the published private key', () => {
    const { spki } = example('rfc9909-slh-dsa-sha2-128s.pem');
    const ownKey = createPublicKey(
      createPrivateKey({ key: Buffer.from(RFC9909_PRIVATE_KEY, 'base64'), format: 'der', type: 'pkcs8' }),
    );
    expect(new Uint8Array(ownKey.export({ type: 'spki', format: 'der' }))).toEqual(spki);
  });
});

describe('SLH-DSA (RFC 9909)', () => {
  it.each([...SLH_DSA_OIDS.values()].filter((name) => name.endsWith('F')))(
    '%s is recognized in a certificate, and the certificate verifies',
    (name) => {
      // The types of Node.js do not include all of its key types.
      const pair = generateKeyPairSync(name.toLowerCase() as 'x25519');
      const spki = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }));
      const algorithm = signatureAlgorithm(name);
      const subject = buildName([{ type: 'CN', value: name }]);
      const tbs = buildTbsCertificate({
        serialNumber: Uint8Array.of(1),
        signatureAlgorithm: algorithm,
        issuer: subject,
        subject,
        notBeforeMs: NOW_MS,
        notAfterMs: NOW_MS,
        spki,
        extensions: [keyUsageExtension(['digitalSignature'])],
      });
      const privateKey = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const signature = new Uint8Array(nodeSign(null, tbs, privateKey));
      const certificate = parseCertificate(assembleCertificate(tbs, { algorithm, signature }));
      expect(certificate.publicKey).toMatchObject({ family: 'SLH-DSA', name });
      expect(certificate.signatureAlgorithmName).toBe(name);
      expect(isSignedBy(certificate, { issuerSpki: spki, verify })).toBe(true);
    },
  );
});
