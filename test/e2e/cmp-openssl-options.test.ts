// CMP with options of the OpenSSL client: requested names and policies, confirmation, proof of possession, general
// information, TLS, persistent connections and replayed messages.
import type { Client } from '@signetry/client';
import { parseCertificate, readDerOrPem } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { HAS_OPENSSL, OPENSSL_NOTE, opensslFolder } from './testing/openssl.ts';
import { defaultProfile } from './testing/profiles.ts';

const SECRET = 'a secret of the factory';
const PROTECTED = ['-ref', 'device-7', '-secret', `pass:${SECRET}`];
const server = sharedTestServer();
const openssl = opensslFolder();
let client: Client;
let profile: string;
let cmpProfileUuid: string;

beforeAll(async () => {
  ({ client } = server);
  const { raProfileUuid } = await defaultProfile(client);
  profile = `cmp-${randomUUID()}`;
  const protection = { requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret' } as const;
  const body = { name: profile, variant: 'v2', raProfileUuid, sharedSecret: SECRET, ...protection } as const;
  ({ uuid: cmpProfileUuid } = await client.cmpProfiles.createCmpProfile({ body }));
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid } });
});

const at = (address: string): string[] => [
  '-server',
  new URL(address).host,
  '-path',
  `api/v1/protocols/cmp/${profile}`,
];

const cmp = (...options: readonly string[]): Promise<string> =>
  openssl.run('cmp', at(server.ready.http), PROTECTED, options);

/** Arguments that request a certificate with this name and a new key. */
async function ask(command: 'ir' | 'cr', name: string): Promise<string[]> {
  const key = `${name}.key`;
  await openssl.run('genpkey', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key]);
  return ['-cmd', command, '-newkey', key, '-subject', `/CN=${name}`, '-certout', `${name}.pem`];
}

const certificateOf = async (name: string) =>
  parseCertificate(readDerOrPem(await openssl.read(`${name}.pem`), ['CERTIFICATE']));

const outcomesOf = async (text: string) =>
  (await client.enrollments.listEnrollments({ query: { profileUuid: cmpProfileUuid, text } })).enrollments.map(
    ({ kind, state }) => [kind, state],
  );

const countIssuedTo = async (commonName: string): Promise<number> =>
  (await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } })).certificates.filter(
    (each) => each.commonName === commonName,
  ).length;

describe.skipIf(!HAS_OPENSSL)(`openssl cmp${OPENSSL_NOTE}`, () => {
  it('gets the SANs requested by -sans', async () => {
    const asked = await ask('ir', 'names.example');
    await cmp(...asked, '-sans', 'names.example,www.names.example');
    const { subjectAltNames } = await certificateOf('names.example');
    expect(subjectAltNames.map((each) => 'value' in each && each.value).sort()).toEqual([
      'names.example',
      'www.names.example',
    ]);
  });

  it('gets the SANs requested by -reqexts', async () => {
    await openssl.write('ext.cnf', '[asked]\nsubjectAltName=DNS:ext.example,DNS:alias.ext.example\n[default]\n');
    await cmp(...(await ask('cr', 'ext.example')), '-config', 'ext.cnf', '-reqexts', 'asked');
    expect((await certificateOf('ext.example')).subjectAltNames).toHaveLength(2);
  });

  it('gets a certificate without the policies requested by -policy_oids, since the RA profile determines them', async () => {
    await cmp(...(await ask('ir', 'policies.example')), '-policy_oids', '1.3.6.1.4.1.99999.1');
    const { extensions } = await certificateOf('policies.example');
    expect(extensions.map(({ oid }) => oid)).not.toContain('2.5.29.32');
  });

  it('can omit the confirmation, and the certificate stays unconfirmed', async () => {
    await cmp(...(await ask('ir', 'unconfirmed.example')), '-disable_confirm');
    expect(await outcomesOf('unconfirmed.example')).toEqual([['ir', 'issued']]);
  });

  it('can send general information with a request, which has no effect', async () => {
    await cmp(...(await ask('ir', 'info.example')), '-geninfo', '1.3.6.1.4.1.99999.2:int:7');
    expect(await outcomesOf('info.example')).toEqual([['ir', 'confirmed']]);
  });

  it('uses one connection for both the request and its confirmation if it requires a persistent connection', async () => {
    await cmp(...(await ask('ir', 'kept.example')), '-keep_alive', '2');
    expect(await outcomesOf('kept.example')).toEqual([['ir', 'confirmed']]);
  });

  it('can use TLS', async () => {
    const tls = ['-tls_used', '-tls_trusted', server.ready.rootCertificate];
    await openssl.run('cmp', at(server.ready.https), PROTECTED, tls, await ask('ir', 'tls.example'));
    expect(await outcomesOf('tls.example')).toEqual([['ir', 'confirmed']]);
  });

  it.each([
    ['that the RA is said to have verified', '0', 'popo-ra.example'],
    ['that is not there', '-1', 'popo-none.example'],
  ])('is rejected with a proof of possession %s', async (_what, popo, name) => {
    await expect(cmp(...(await ask('ir', name)), '-popo', popo)).rejects.toThrow(/badPOP|possession/i);
    expect(await countIssuedTo(name)).toBe(0);
  });

  it('gets nothing by replaying messages', async () => {
    const asked = await ask('ir', 'replayed.example');
    await cmp(...asked, '-reqout', 'first.req,second.req');
    expect(await countIssuedTo('replayed.example')).toBe(1);
    await expect(cmp(...asked, '-reqin', 'first.req,second.req')).rejects.toThrow(/transaction/i);
    expect(await countIssuedTo('replayed.example')).toBe(1);
  });
});
