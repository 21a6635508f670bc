import { describe, expect, it } from 'vitest';
import {
  commonName,
  customExtension,
  formatGeneralName,
  isEmptyName,
  parseCertificationRequest,
  readCertificationRequest,
  requestedAltNames,
  tlsFeatureExtension,
  verifyCertificationRequest,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { generateAcmeKey } from './acme-key.ts';
import { makeSigningRequest, type SigningRequestOptions } from './signing-request.ts';

async function makeAndParse(options: SigningRequestOptions) {
  const { der, pem, keys } = await makeSigningRequest(options);
  expect(readCertificationRequest(pem).der).toEqual(der);
  const request = parseCertificationRequest(der);
  return { request, keys, isProven: verifyCertificationRequest(request, nodeCrypto.verify) };
}

describe('test CSRs', () => {
  it.each(['P-256', 'P-384', 'RSA-2048', 'Ed25519', 'ML-DSA-44'] as const)(
    'prove possession of their %s key',
    async (keySpec) => {
      const { request, isProven } = await makeAndParse({
        names: ['a.example', '*.b.example', '127.0.0.1', '::1'],
        keySpec,
      });
      expect(requestedAltNames(request).map(formatGeneralName)).toEqual([
        'a.example',
        '*.b.example',
        '127.0.0.1',
        '::1',
      ]);
      expect(isEmptyName(request.subject)).toBe(true);
      expect(isProven).toBe(true);
    },
  );

  it('contain a subject, further extensions and a challenge password', async () => {
    const { request, isProven } = await makeAndParse({
      commonName: 'a.example',
      otherNames: [{ kind: 'rfc822Name', value: 'a@b.example' }],
      extensions: [tlsFeatureExtension(), customExtension('1.2.3', { critical: true, value: Uint8Array.of(5, 0) })],
      challengePassword: 'secret',
    });
    expect(commonName(request.subject)).toBe('a.example');
    expect(request.extensions.map(({ oid }) => oid)).toEqual(['2.5.29.17', '1.3.6.1.5.5.7.1.24', '1.2.3']);
    expect(request.challengePassword).toBe('secret');
    expect(isProven).toBe(true);
    const { request: other } = await makeAndParse({ subject: 'CN=x,O=y' });
    expect(commonName(other.subject)).toBe('x');
  });

  it('can contain the account key, and be signed with a different key or have a flipped bit in the signature', async () => {
    const { privateKey } = generateAcmeKey();
    const own = await makeAndParse({ names: ['a.example'], privateKey });
    expect(own.keys.privateKey).toBe(privateKey);
    expect(own.isProven).toBe(true);
    expect((await makeAndParse({ privateKey, signedBy: generateAcmeKey('RSA-2048').privateKey })).isProven).toBe(false);
    expect((await makeAndParse({ privateKey, signedBy: generateAcmeKey().privateKey })).isProven).toBe(false);
    expect((await makeAndParse({ badSignature: true })).isProven).toBe(false);
  });
});
