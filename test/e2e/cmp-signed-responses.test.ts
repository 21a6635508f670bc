// CMP responses signed with a key in a token, verified by OpenSSL, which trusts only the root, and by the codec.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Client } from '@signetry/client';
import { parseCertificate, parsePkiMessage, readDerOrPem, verifySignatureProtection } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { exchange, makeMessage, newTransaction, post, requestFor } from './testing/cmp-client.ts';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { createKey, createTokenWithProfile, textValue } from './testing/tokens.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
const shared = { secret: 'a secret of the factory', reference: 'device-7' };
let client: Client;
let path: IssuingPath;
let signingCertificateUuid: string;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  signingCertificateUuid = await makeSigner();
});

/** Creates a certificate whose P-256 key is in a token. */
async function makeSigner(): Promise<string> {
  const token = await createTokenWithProfile(client);
  const { uuid: keyUuid } = await createKey(client, token, { specification: 'P-256' });
  const names = [textValue('commonName', 'cmp.example'), textValue('dnsNames', 'cmp.example')];
  const { tokenProfileUuid } = token;
  const body = { attributes: [], keyUuid, tokenProfileUuid, csrAttributes: names };
  return (await client.clientOperations.issueCertificate({ params: path, body })).uuid;
}

async function makeProfile(signer = signingCertificateUuid): Promise<string> {
  const name = `cmp-${randomUUID()}`;
  const body = {
    name,
    variant: 'v2' as const,
    raProfileUuid: path.raProfileUuid,
    requestProtectionMethod: 'sharedSecret' as const,
    responseProtectionMethod: 'signature' as const,
    sharedSecret: shared.secret,
    signingCertificateUuid: signer,
  };
  const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return name;
}

const urlOf = (profile: string): string => `${server.ready.http}/api/v1/protocols/cmp/${profile}`;

async function requestMessageFor(name: string): Promise<Uint8Array> {
  return makeMessage(newTransaction(), await requestFor(`CN=${name}`), shared);
}

describe('a signed CMP response', () => {
  it("contains the profile's certificate with its issuers, and its signature is valid", async () => {
    const response = await post(urlOf(await makeProfile()), await requestMessageFor(`${randomUUID()}.example`));
    const answer = parsePkiMessage(new Uint8Array(await response.arrayBuffer()));
    const [signer = expect.fail('no certificate'), issuer = expect.fail('no issuer')] = answer.extraCerts.map((der) =>
      parseCertificate(der),
    );
    const shown = await client.certificates.getCertificate({ params: { uuid: signingCertificateUuid } });
    expect(Buffer.from(signer.der).toString('base64')).toBe(shown.certificateContent);
    expect(issuer.subject).toEqual(signer.issuer);
    expect(verifySignatureProtection(answer, { spki: signer.spki, verify: nodeCrypto.verify })).toBe(true);
    expect(verifySignatureProtection(answer, { spki: issuer.spki, verify: nodeCrypto.verify })).toBe(false);
  });

  it('is an error with an explanation once that certificate is revoked, and nothing is issued', async () => {
    const signer = await makeSigner();
    const profile = await makeProfile(signer);
    const params = { ...path, certificateUuid: signer };
    await client.clientOperations.revokeCertificate({ params, body: { reason: 'superseded', attributes: [] } });
    const name = `${randomUUID()}.example`;
    const message = await requestMessageFor(name);
    // The server caches the status of the certificate for a few seconds.
    await expect
      .poll(async () => (await exchange(urlOf(profile), message)).words, { timeout: 15_000, interval: 500 })
      .toMatch(/revoked/);
  });
});

describe.skipIf(!HAS_OPENSSL)(`openssl cmp${OPENSSL_NOTE}`, () => {
  async function enroll(profile: string, root: Buffer | string) {
    await openssl.write('root.pem', root);
    await openssl.run('genpkey', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'device.key']);
    const place = ['-server', new URL(server.ready.http).host, '-path', `api/v1/protocols/cmp/${profile}`];
    const asked = ['-cmd', 'ir', '-newkey', 'device.key', '-subject', '/CN=signed.example', '-certout', 'device.pem'];
    const proof = ['-ref', shared.reference, '-secret', `pass:${shared.secret}`];
    return openssl.run('cmp', place, asked, proof, ['-trusted', 'root.pem']);
  }

  it('enrolls with the secret and updates its key with the certificate at one URL', async () => {
    const body = {
      name: `cmp-${randomUUID()}`,
      variant: 'v2' as const,
      raProfileUuid: path.raProfileUuid,
      requestProtectionMethod: 'sharedSecret' as const,
      responseProtectionMethod: 'sharedSecret' as const,
      sharedSecret: shared.secret,
      signingCertificateUuid,
      acceptBothProtections: true,
    };
    const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
    await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
    await enroll(body.name, await readFile(server.ready.rootCertificate));
    await openssl.run('genpkey', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'next.key']);
    const place = ['-server', new URL(server.ready.http).host, '-path', `api/v1/protocols/cmp/${body.name}`];
    const asked = ['-cmd', 'kur', '-newkey', 'next.key', '-certout', 'next.pem'];
    await openssl.run('cmp', place, asked, ['-cert', 'device.pem', '-key', 'device.key', '-trusted', 'root.pem']);
    const [first, next] = await Promise.all(
      ['device.pem', 'next.pem'].map(async (file) =>
        parseCertificate(readDerOrPem(await openssl.read(file), ['CERTIFICATE'])),
      ),
    );
    expect(next?.subject.der).toEqual(first?.subject.der);
    expect(next?.serialNumber).not.toBe(first?.serialNumber);
  });

  it('accepts the response if it trusts its root, and rejects it if it trusts only a different root', async () => {
    const profile = await makeProfile();
    await enroll(profile, await readFile(server.ready.rootCertificate));
    const certificate = parseCertificate(readDerOrPem(await openssl.read('device.pem'), ['CERTIFICATE']));
    expect(certificate.subject.rdns.flat().map(({ value }) => value)).toEqual(['signed.example']);
    await openssl.run('req', [
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'other.key',
      '-subj',
      '/CN=other',
      '-out',
      'other.pem',
    ]);
    await expect(enroll(profile, await openssl.read('other.pem'))).rejects.toThrow(/certificate|trust/i);
  });
});
