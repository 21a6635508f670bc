// Keys that the platform generates for CMP clients (RFC 9483 §4.1.6): only the client that protected the request can
// decrypt them, and they are not stored.
import { createPublicKey, randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import {
  encodeDer,
  findSignerCertificate,
  nullPart,
  OID,
  oidPart,
  openEnvelope,
  parseAsymmetricKeyPackage,
  parseEnvelopedData,
  parseSignedData,
  sequence,
  verifySigner,
  type EnvelopeOpener,
  type SignedData,
} from '@signetry/pki';
import { importPrivateKey, nodeCmsCrypto, nodeCrypto, recipientKeyOf } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { associate, createApprovalProfile } from './testing/approvals.ts';
import {
  confirmationOf,
  exchange,
  keylessRequestFor,
  makeMessage,
  makeSignedMessage,
  newTransaction,
  type CmpResponse,
} from './testing/cmp-client.ts';
import { enrollClient, makeKeySigner, profileOfClients, raProfileWith } from './testing/cmp-keys.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
const shared = { secret: 'a secret of the factory', reference: 'device-7', pvno: 3 };
let client: Client;
let clients: IssuingPath;
let signingCertificateUuid: string;

beforeAll(async () => {
  ({ client } = server);
  clients = await profileOfClients(client);
  signingCertificateUuid = await makeKeySigner(client);
});

const methods = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
const bySignature = { requestProtectionMethod: 'signature', responseProtectionMethod: 'signature' } as const;

/** URL of an enabled profile. */
async function serve(fields: object = {}): Promise<string> {
  const name = `cmp-${randomUUID()}`;
  const settings = { name, variant: 'v3', sharedSecret: shared.secret, centralKeys: true, ...methods } as const;
  const body = { ...settings, raProfileUuid: clients.raProfileUuid, ...fields };
  const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return `${server.ready.http}/api/v1/protocols/cmp/${name}`;
}

const newSubject = () => `CN=${randomUUID()}.example`;
const ask = async (url: string, algorithm?: Uint8Array, subject = newSubject()) =>
  exchange(url, await makeMessage(newTransaction(), keylessRequestFor(subject, algorithm), shared));

/** Content of the envelope. */
async function openPrivateKey({ privateKey, words }: CmpResponse, opener: EnvelopeOpener): Promise<SignedData> {
  if (privateKey?.kind !== 'envelopedData') throw new Error(`no envelope: ${words}`);
  const envelope = parseEnvelopedData(privateKey.envelopedData);
  expect(envelope.contentType).toBe(OID.pkcs7SignedData);
  return parseSignedData(await openEnvelope(envelope, opener, nodeCmsCrypto));
}

/** Expects the package to contain only the key of the certificate. */
async function expectKeyOf({ certificate }: CmpResponse, { content, contentType }: SignedData): Promise<void> {
  expect(contentType).toBe(OID.asymmetricKeyPackage);
  const [key, ...others] = parseAsymmetricKeyPackage(content ?? expect.fail('no content'));
  const privateKey = await importPrivateKey(key?.der ?? expect.fail('no key'));
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  expect([others.length, spki.equals(Buffer.from(certificate?.spki ?? []))]).toEqual([0, true]);
}

describe('a CMP request without a key', () => {
  it('gets a P-256 key that it decrypts with its secret, and confirms the certificate', async () => {
    const url = await serve();
    const answer = await ask(url);
    expect([answer.status, answer.certificate?.publicKey.curve]).toEqual(['accepted', 'P-256']);
    expect(await answer.isProtectedBy(shared.secret)).toBe(true);
    const signed = await openPrivateKey(answer, { password: shared.secret });
    expect(signed.signers).toEqual([]);
    await expectKeyOf(answer, signed);
    await expect(openPrivateKey(answer, { password: 'another' })).rejects.toThrow(/Cannot decrypt the content/);
    const confirmation = confirmationOf(answer.certificate ?? expect.fail('no certificate'));
    const done = await exchange(url, await makeMessage(answer.transaction, confirmation, shared));
    expect(done.body.type).toBe('pkiconf');
  });

  it.each(['RSA-2048', 'P-256'] as const)(
    'gets a key that it decrypts with its %s certificate, signed by the profile',
    async (spec) => {
      const device = await enrollClient(await serve(), spec, shared);
      const url = await serve({ ...bySignature, signingCertificateUuid, bindNames: false });
      const body = keylessRequestFor(newSubject());
      const answer = await exchange(url, makeSignedMessage(newTransaction(), body, { ...device, pvno: 3 }));
      const key = recipientKeyOf(device.privateKey);
      const signed = await openPrivateKey(answer, { certificate: device.certificate, key });
      await expectKeyOf(answer, signed);
      const [signer = expect.fail('not signed')] = signed.signers;
      const { verify, digest } = nodeCrypto;
      const certificate = findSignerCertificate(signed, signer, digest) ?? expect.fail('no signer certificate');
      expect(verifySigner(signed, signer, { certificate, verify, digest }).valid).toBe(true);
      const { certificateContent } = await client.certificates.getCertificate({
        params: { uuid: signingCertificateUuid },
      });
      expect(Buffer.from(certificate.der).toString('base64')).toBe(certificateContent);
      expect(Buffer.from(signed.certificates[0] ?? []).equals(Buffer.from(certificate.der))).toBe(true);
    },
  );

  it('gets a key of the requested algorithm, or of a different one if the RA profile does not accept it', async () => {
    const rsa = encodeDer(sequence([oidPart(OID.rsaEncryption), nullPart()]));
    const p384 = encodeDer(sequence([oidPart(OID.ecPublicKey), oidPart(OID.secp384r1)]));
    const any = await serve();
    const { raProfileUuid } = await raProfileWith(client, { data_keyAlgorithms: ['RSA'], data_minRsaBits: [3072] });
    const onlyLongRsa = await serve({ raProfileUuid });
    const kindOf = async (url: string, algorithm?: Uint8Array) => {
      const answer = await ask(url, algorithm);
      await expectKeyOf(answer, await openPrivateKey(answer, { password: shared.secret }));
      const { name, bits } = answer.certificate?.publicKey ?? expect.fail(answer.words);
      return [answer.status, name, bits];
    };
    expect(await kindOf(any, p384)).toEqual(['accepted', 'ECDSA', 384]);
    expect(await kindOf(any, rsa)).toEqual(['accepted', 'RSA', 2048]);
    expect(await kindOf(onlyLongRsa, rsa)).toEqual(['accepted', 'RSA', 3072]);
    expect(await kindOf(onlyLongRsa, p384)).toEqual(['grantedWithMods', 'RSA', 3072]);
  }, 60_000);
});

describe('no key is generated', () => {
  const countOf = async (text: string): Promise<number> =>
    (await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } })).certificates.filter(
      ({ commonName }) => `CN=${commonName}` === text,
    ).length;

  it('if the profile does not allow key generation', async () => {
    const subject = newSubject();
    const answer = await ask(await serve({ centralKeys: false }), undefined, subject);
    expect(answer).toMatchObject({
      failures: ['badCertTemplate'],
      words: expect.stringContaining('does not generate keys'),
    });
    expect([answer.privateKey, await countOf(subject)]).toEqual([undefined, 0]);
  });

  it('if requests require approval because of the profile setting or the RA profile', async () => {
    await expect(serve({ requireManualApproval: true })).rejects.toThrow(
      /centralKeys: cannot be combined with requireManualApproval, because generated keys are not stored/,
    );
    const guarded = await raProfileWith(client, {});
    const { uuid: userUuid } = await client.auth.getUserProfile();
    await associate(
      client,
      guarded,
      await createApprovalProfile(client, randomUUID(), [{ userUuid, requiredApprovals: 1 }]),
    );
    const subject = newSubject();
    const answer = await ask(await serve({ raProfileUuid: guarded.raProfileUuid }), undefined, subject);
    expect(answer.words).toMatch(/cannot be issued immediately/);
    expect(await countOf(subject)).toBe(0);
  });

  it('for a certificate that cannot be used for encryption, or if there is no signing certificate', async () => {
    const signing = await defaultProfile(client);
    const device = await enrollClient(await serve({ raProfileUuid: signing.raProfileUuid }), 'P-256', shared);
    const send = async (fields: object) => {
      const url = await serve({
        requestProtectionMethod: 'signature',
        raProfileUuid: signing.raProfileUuid,
        ...fields,
      });
      const body = keylessRequestFor(newSubject());
      return (await exchange(url, makeSignedMessage(newTransaction(), body, { ...device, pvno: 3 }))).words;
    };
    expect(await send({ signingCertificateUuid })).toMatch(/key usage lacks keyAgreement/);
    expect(await send({})).toMatch(/has no signing certificate/);
  });
});
