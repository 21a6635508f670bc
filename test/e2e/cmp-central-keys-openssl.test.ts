// Server-generated keys and certificate request templates, as supported by the OpenSSL client since 3.5.
import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Client } from '@signetry/client';
import { parseCertificate, readDerOrPem } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKeySigner, profileOfClients, raProfileWith } from './testing/cmp-keys.ts';
import { HAS_OPENSSL_3_5, OPENSSL_3_5_NOTE, opensslFolder } from './testing/openssl.ts';
import type { IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
const openssl = opensslFolder();
const sharedSecret = 'a secret of the factory';
const proof = ['-ref', 'device-7', '-secret', `pass:${sharedSecret}`];
let client: Client;
let clients: IssuingPath;
let signingCertificateUuid: string;

describe.skipIf(!HAS_OPENSSL_3_5)(`openssl cmp${OPENSSL_3_5_NOTE}`, () => {
  beforeAll(async () => {
    ({ client } = server);
    clients = await profileOfClients(client);
    signingCertificateUuid = await makeKeySigner(client);
    await openssl.write('root.pem', await readFile(server.ready.rootCertificate));
  });

  /** Options that select an enabled profile. */
  async function serve(method: 'sharedSecret' | 'signature', fields: object = {}): Promise<readonly string[]> {
    const name = `cmp-${randomUUID()}`;
    const methods = { requestProtectionMethod: method, responseProtectionMethod: 'signature' } as const;
    const settings = { name, variant: 'v2', sharedSecret, centralKeys: true, signingCertificateUuid } as const;
    const body = { ...settings, ...methods, raProfileUuid: clients.raProfileUuid, ...fields };
    const { uuid } = await client.cmpProfiles.createCmpProfile({ body });
    await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
    return ['-server', new URL(server.ready.http).host, '-path', `api/v1/protocols/cmp/${name}`];
  }

  const requestArguments = (name: string) => [
    '-cmd',
    'ir',
    '-subject',
    `/CN=${name}.example`,
    '-certout',
    `${name}.pem`,
  ];
  const trusting = ['-trusted', 'root.pem'];

  async function expectPair(name: string): Promise<void> {
    const certificate = parseCertificate(readDerOrPem(await openssl.read(`${name}.pem`), ['CERTIFICATE']));
    const key = createPublicKey(createPrivateKey(await openssl.read(`${name}.key`)));
    expect(key.export({ type: 'spki', format: 'der' }).equals(Buffer.from(certificate.spki))).toBe(true);
  }

  it('gets a key encrypted with the shared secret', async () => {
    const made = ['-centralkeygen', '-newkeyout', 'secret.key'];
    await openssl.run('cmp', await serve('sharedSecret'), requestArguments('secret'), made, proof, trusting);
    await expectPair('secret');
  });

  it.each([
    ['RSA', ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']],
    ['EC', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ])('gets a key encrypted to its %s certificate', async (kind, options) => {
    const [own, name] = [`own-${kind}`, `made-${kind}`];
    await openssl.run('genpkey', options, ['-out', `${own}.key`]);
    const first = await serve('sharedSecret');
    await openssl.run('cmp', first, requestArguments(own), ['-newkey', `${own}.key`], proof, trusting);
    const signed = ['-cert', `${own}.pem`, '-key', `${own}.key`, ...trusting];
    const made = ['-centralkeygen', '-newkeyout', `${name}.key`];
    await openssl.run('cmp', await serve('signature'), requestArguments(name), made, signed);
    await expectPair(name);
  });

  it('can query which keys the RA profile accepts', async () => {
    const { raProfileUuid } = await raProfileWith(client, {
      data_keyAlgorithms: ['ECDSA', 'RSA'],
      data_curves: ['P-384'],
    });
    const place = await serve('sharedSecret', { raProfileUuid });
    const asked = ['-cmd', 'genm', '-infotype', 'certReqTemplate', '-template', 'template.der', '-keyspec', 'spec.der'];
    await openssl.run('cmp', place, asked, proof, trusting);
    const shown = await openssl.run('asn1parse', ['-inform', 'DER', '-in', 'spec.der']);
    expect(shown).toMatch(/secp384r1/);
    expect(shown).not.toMatch(/prime256v1/);
    expect(shown).toMatch(/INTEGER +:0800[\s\S]*INTEGER +:0C00[\s\S]*INTEGER +:1000/);
  });
});
