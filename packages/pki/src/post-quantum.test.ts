// Post-quantum certificates: the examples of the RFCs, and certificates made with every algorithm that OpenSSL has.
import { describe, expect, it } from 'vitest';
import { createPrivateKey, generateKeyPairSync, sign as nodeSign } from 'node:crypto';
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
import { NOW_MS } from './testing/authority.ts';

const { verify } = nodeCrypto;
const example = (file: string) => readCertificate(readFileSync(join(import.meta.dirname, 'testing/vectors', file)));

describe('the examples of the RFCs', () => {
  const authority = example('rfc9881-ml-dsa-44.pem');
  const entity = example('rfc9935-ml-kem-512.pem');

  it('with ML-DSA (RFC 9881) is recognized and verifies with its own key', () => {
    expect(readableCertificate(authority)).toMatchObject({
      version: 3,
      subject: { text: 'CN=LAMPS WG, O=IETF', rfc4514: 'CN=LAMPS WG,O=IETF' },
      publicKey: { algorithm: 'ML-DSA-44', oid: '2.16.840.1.101.3.4.3.17', size: 10_496 },
      signature: { algorithm: 'ML-DSA-44' },
    });
    expect(isSignedBy(authority, { issuerSpki: authority.spki, verify })).toBe(true);
  });

  it('with ML-KEM (RFC 9935) is recognized and verifies with the key of the other', () => {
    expect(readableCertificate(entity)).toMatchObject({
      publicKey: { algorithm: 'ML-KEM-512', oid: '2.16.840.1.101.3.4.4.1', size: 6400 },
      signature: { algorithm: 'ML-DSA-44' },
    });
    expect(entity.keyUsage).toEqual(['keyEncipherment']);
    expect(entity.authorityKeyIdentifier?.keyIdentifier).toEqual(authority.subjectKeyIdentifier);
    expect(isSignedBy(entity, { issuerSpki: authority.spki, verify })).toBe(true);
    expect(isSignedBy(entity, { issuerSpki: entity.spki, verify })).toBe(false);
  });
});

describe('SLH-DSA (RFC 9909)', () => {
  it.each([...SLH_DSA_OIDS.values()].filter((name) => name.endsWith('F')))(
    '%s is recognized in a certificate and verifies',
    (name) => {
      const pair = generateKeyPairSync(name.toLowerCase() as 'x25519'); // node's types do not list all of its key types
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
