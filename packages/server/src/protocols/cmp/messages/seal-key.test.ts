import {
  findSignerCertificate,
  keyUsageExtension,
  OID,
  openEnvelope,
  parseAsymmetricKeyPackage,
  parseCertificate,
  parseEnvelopedData,
  parseSignedData,
  verifySigner,
  type EncryptedKey,
  type EnvelopeOpener,
} from '@signetry/pki';
import { exportPrivateKey, generateKeyPair, nodeCmsCrypto, nodeCrypto, recipientKeyOf } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import { callWith, macSender, profileWith, signer } from '../testing/calls.ts';
import { ERROR_BODY, SECRET } from '../testing/messages.ts';
import { reachCertificate } from '../testing/signing.ts';
import { recipientOf, sealKey } from './seal-key.ts';

const noSigning = { signingCertificates: { reach: () => Promise.reject(new Error('signing is not expected')) } };
type Usage = Parameters<typeof keyUsageExtension>[0];

async function signedCall(spec: 'P-256' | 'RSA-2048' | 'Ed25519', keyUsage?: Usage, names: string | null = 'signer') {
  const certificate = await makeCertificate('device', {
    keys: await generateKeyPair(spec),
    ...(keyUsage ? { keyUsage } : {}),
  });
  const profile = profileWith({ signingCertificateUuid: names ?? undefined });
  return { certificate, call: await callWith(ERROR_BODY, { sender: signer(certificate), profile }) };
}

describe('the recipient of a key', () => {
  it.each([
    [2, 'pwri-kek'],
    [3, 'aes-wrap'],
  ] as const)('is identified by the secret, in version %i with %s', async (pvno, wrap) => {
    expect(recipientOf(await callWith(ERROR_BODY, { header: { pvno } }))).toEqual({ password: SECRET, wrap });
  });

  it.each([
    ['RSA-2048', ['keyEncipherment']],
    ['P-256', ['keyAgreement']],
    ['P-256', ['digitalSignature', 'keyAgreement']],
  ] as const)('is the certificate of the request of type %s with the key usage %s', async (spec, usage) => {
    const { certificate, call } = await signedCall(spec, [...usage]);
    const recipient = recipientOf(call);
    expect(Object.keys(recipient)).toEqual(['certificate']);
    expect('certificate' in recipient && Buffer.from(recipient.certificate.der).equals(certificate.der)).toBe(true);
  });

  it.each([
    ['RSA-2048', ['digitalSignature', 'keyAgreement'], /lacks keyEncipherment/],
    ['P-256', ['digitalSignature', 'keyEncipherment'], /lacks keyAgreement/],
    ['Ed25519', ['digitalSignature'], /Cannot encrypt for a key of type Ed25519/],
  ] as const)('cannot be a certificate of type %s with the key usage %s', async (spec, usage, words) => {
    const { call } = await signedCall(spec, [...usage]);
    const refusal = { failure: 'notAuthorized', message: expect.stringMatching(words) };
    expect(() => recipientOf(call)).toThrow(expect.objectContaining(refusal));
  });

  it('does not exist for a signed request if the profile has no signing certificate', async () => {
    const { call } = await signedCall('RSA-2048', ['keyEncipherment'], null);
    expect(() => recipientOf(call)).toThrow(
      'A key for a signed request must also be signed, but the CMP profile factory has no signing certificate.',
    );
  });
});

describe('an encrypted key', () => {
  const openKey = async (key: EncryptedKey, opener: EnvelopeOpener) => {
    const envelope = parseEnvelopedData(key.kind === 'envelopedData' ? key.envelopedData : expect.fail(key.kind));
    expect(envelope.contentType).toBe(OID.pkcs7SignedData);
    return parseSignedData(await openEnvelope(envelope, opener, nodeCmsCrypto));
  };

  it.each([
    [2, OID.pkcs7Data],
    [3, OID.asymmetricKeyPackage],
  ] as const)(
    'can be decrypted with the secret in version %i, as %s, and the plaintext key is cleared',
    async (pvno, contentType) => {
      const call = await callWith(ERROR_BODY, { header: { pvno }, sender: await macSender() });
      const original = exportPrivateKey((await generateKeyPair('P-256')).privateKey);
      const pkcs8 = Uint8Array.from(original);
      const key = await sealKey(noSigning, call, { pkcs8, recipient: recipientOf(call) });
      const signed = await openKey(key, { password: SECRET });
      const content = signed.content ?? expect.fail('no content');
      const der = pvno === 3 ? parseAsymmetricKeyPackage(content)[0]?.der : content;
      expect([signed.contentType, signed.signers]).toEqual([contentType, []]);
      expect(Buffer.from(der ?? []).equals(original)).toBe(true);
      expect(pkcs8.every((octet) => octet === 0)).toBe(true);
      await expect(openKey(key, { password: 'another' })).rejects.toThrow('Cannot decrypt the content with this key.');
    },
  );

  it("is signed with the profile's certificate, and can be decrypted only with the certificate of the request", async () => {
    const { certificate, call } = await signedCall('RSA-2048', ['keyEncipherment']);
    const profileSigner = await makeCertificate('keys.example');
    const parts = { signingCertificates: { reach: reachCertificate(profileSigner) } };
    const pkcs8 = exportPrivateKey((await generateKeyPair('P-256')).privateKey);
    const key = await sealKey(parts, call, { pkcs8, recipient: recipientOf(call) });
    const own = { certificate: parseCertificate(certificate.der), key: recipientKeyOf(certificate.keys.privateKey) };
    const signed = await openKey(key, own);
    const [one = expect.fail('not signed'), ...others] = signed.signers;
    const { verify, digest } = nodeCrypto;
    const found = findSignerCertificate(signed, one, digest) ?? expect.fail('no certificate');
    expect([others.length, Buffer.from(found.der).equals(profileSigner.der)]).toEqual([0, true]);
    expect(verifySigner(signed, one, { certificate: found, verify, digest }).valid).toBe(true);
  });
});
