// An authority whose key is in a token: it issues, revokes and publishes like any other while its token is activated,
// and otherwise returns an error with the remedy.
import { X509Certificate } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { KeyDetailDto } from '@signetry/contract';
import { parseCrl } from '@signetry/pki';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { historyOf, issue, rejectionOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp, download, fetchCrl, serialsIn } from './testing/downloads.ts';
import { limitedUser } from './testing/limited-user.ts';
import { createAuthority, fieldsOf, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import {
  activate,
  createKey,
  createProfile,
  createTokenWithProfile,
  itemPath,
  type TokenPath,
} from './testing/tokens.ts';

const acme = sharedAcmeServer();
let client: Client;
let token: TokenPath;
let key: KeyDetailDto;
let authority: IssuingPath;

beforeAll(async () => {
  ({ client } = acme.server);
  token = await createTokenWithProfile(client);
  key = await createKey(client, token, { specification: 'P-256', name: 'ca-key' });
  authority = await createAuthority(client, { name: 'Vault CA', values: { data_tokenKey: key.uuid } });
});

const spkiOf = ({ items }: KeyDetailDto): string => items.find(({ type }) => type === 'Public')?.keyData ?? '';
const caOf = async (path: IssuingPath): Promise<X509Certificate> => {
  const [ca] = await client.raProfiles.getAuthorityCertificateChain({ params: path });
  return new X509Certificate(Buffer.from(ca?.certificateContent ?? '', 'base64'));
};
const issueFor = async (name: string, path = authority): Promise<IssuedCertificate> =>
  issue(client, path, await makeRequest({ subject: `CN=${name}` }));
const revoke = (certificate: IssuedCertificate): Promise<void> =>
  client.clientOperations.revokeCertificate({
    params: { ...authority, certificateUuid: certificate.uuid },
    body: { attributes: [] },
  });
const signaturesOf = async (of: KeyDetailDto): Promise<number> =>
  (await client.keys.getKeyItemHistory({ params: itemPath(token, of, 'Private') })).filter(
    ({ event, status }) => event === 'Sign Data' && status === 'SUCCESS',
  ).length;
const serialOf = ({ x509 }: IssuedCertificate): string => x509.serialNumber.toLowerCase().replace(/^0+/, '');

async function softwareAuthorityOf(caller: Client) {
  const [found] = await caller.connectors.listConnectors({ query: { kind: 'SoftwareCA' } });
  const params = { uuid: found?.uuid ?? '', functionGroup: 'authorityProvider', kind: 'SoftwareCA' } as const;
  return params;
}

/** Names of the keys that the form offers to a user. */
async function listOfferedKeys(caller: Client): Promise<string[]> {
  const params = await softwareAuthorityOf(client);
  const form = await client.connectors.getConnectorAttributes({ params });
  const uuid = fieldsOf(form).find(({ name }) => name === 'data_tokenKey')?.uuid ?? '';
  const body = { uuid, name: 'data_tokenKey', pathVariable: {}, requestParameter: {}, body: {} };
  const choices = (await caller.callbacks.connectorCallback({ params, body })) as { reference: string; data: string }[];
  return choices.map(({ reference }) => reference);
}

describe('an authority with a key in a token', () => {
  it("has the key pair's public key, and every signature is recorded in the key history", async () => {
    const ca = await caOf(authority);
    expect(ca.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(spkiOf(key));
    expect(ca.verify(ca.publicKey)).toBe(true);
    const before = await signaturesOf(key);
    const { x509 } = await issueFor('leaf.example');
    expect(x509.verify(ca.publicKey)).toBe(true);
    expect(await signaturesOf(key)).toBeGreaterThan(before);
  });

  it('issues over ACME', async () => {
    const { directoryUrl } = await addAcmeProfile(acme, { raProfileUuid: authority.raProfileUuid });
    const account = await acme.account({ directoryUrl });
    const { chain } = await acme.issue(account, [acme.host('vault')]);
    expect(new X509Certificate(chain).verify((await caOf(authority)).publicKey)).toBe(true);
  });

  it('publishes revocations through a CRL and OCSP', async () => {
    const [ca, { crl, ocsp }] = [await caOf(authority), downloadUrlsOf(acme.server.ready, authority.authorityUuid)];
    const [good, bad] = [await issueFor('good.example'), await issueFor('bad.example')];
    const status = ({ der }: IssuedCertificate) => askOcsp(ocsp, { certificate: der, issuer: ca.raw });
    expect(await status(bad)).toBe('good');
    await revoke(bad);
    expect([await status(good), await status(bad)]).toEqual(['good', 'revoked']);
    await vi.waitFor(async () => expect(serialsIn(await fetchCrl(crl, ca.raw))).toContain(serialOf(bad)), 10_000);
  });

  it.each(['RSA-2048', 'Ed25519', 'P-384', 'ML-DSA-44'])('signs with a %s key', async (specification) => {
    const own = await createKey(client, token, { specification });
    const path = await createAuthority(client, {
      name: `Vault ${specification}`,
      values: { data_tokenKey: own.uuid, data_subject: `CN=Vault ${specification}` },
    });
    const ca = await caOf(path);
    expect(ca.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(spkiOf(own));
    const { crl } = downloadUrlsOf(acme.server.ready, path.authorityUuid);
    await issueFor('other.example', path);
    await vi.waitFor(async () => expect(parseCrl(await download(crl))).toBeDefined(), 10_000);
    await fetchCrl(crl, ca.raw);
  });

  it('can also be a subordinate, using its own CSR', async () => {
    const own = await createKey(client, token, { specification: 'P-256' });
    const params = await softwareAuthorityOf(client);
    const form = fieldsOf(await client.connectors.getConnectorAttributes({ params }));
    const parents = form.find(({ name }) => name === 'data_parentAuthority');
    const choices = (parents?.type === 'data' ? parents.content : []) as { reference: string; data: string }[];
    const parent = choices.find(({ reference }) => reference === 'Vault CA')?.data;
    const values = { data_source: 'subordinate', data_parentAuthority: parent, data_tokenKey: own.uuid };
    const path = await createAuthority(client, { name: 'Vault Sub', values });
    const [ca, above] = [await caOf(path), await caOf(authority)];
    expect(ca.verify(above.publicKey)).toBe(true);
    expect((await issueFor('below.example', path)).x509.verify(ca.publicKey)).toBe(true);
    const { uuid } = (await client.raProfiles.getAuthorityCertificateChain({ params: path }))[0] ?? { uuid: '' };
    expect((await client.certificates.getCertificate({ params: { uuid } })).certificateRequest).toBeDefined();
  });
});

describe('while a token is deactivated', () => {
  const words = /Key ca-key in token .* cannot sign: .*Activate it/;

  it('an authority with a key in it returns 503 and explains what to do; after activation it resumes automatically', async () => {
    const certificate = await issueFor('early.example');
    const [ca, { crl, ocsp }] = [await caOf(authority), downloadUrlsOf(acme.server.ready, authority.authorityUuid)];
    const params = { uuid: token.tokenInstanceUuid };
    await client.tokens.deactivateTokenInstance({ params });
    const refused = await rejectionOf(issueFor('refused.example'));
    expect([refused.status, refused.message]).toEqual([503, expect.stringMatching(words)]);
    const failed = await client.certificates.getCertificate({ params: { uuid: refused.uuid } });
    expect(failed.state).toBe('failed');
    expect((await historyOf(client, refused.uuid)).join()).toMatch(words);
    // Revocation needs no signature; the CRL that lists it waits for the token.
    await revoke(certificate);
    expect((await client.authorities.getAuthorityInstance({ params: { uuid: authority.authorityUuid } })).name).toBe(
      'Vault CA',
    );
    await activate(client, token.tokenInstanceUuid);
    expect((await issueFor('late.example')).x509.verify(ca.publicKey)).toBe(true);
    expect(await askOcsp(ocsp, { certificate: certificate.der, issuer: ca.raw })).toBe('revoked');
    await vi.waitFor(async () => expect(serialsIn(await fetchCrl(crl, ca.raw))).toContain(serialOf(certificate)), {
      timeout: 30_000,
      interval: 250,
    });
  });

  it('no authority can be created with a key in it', async () => {
    const own = await createKey(client, token, { specification: 'P-256' });
    await client.tokens.deactivateTokenInstance({ params: { uuid: token.tokenInstanceUuid } });
    const wish = { name: 'Late CA', values: { data_tokenKey: own.uuid } };
    const refused = await rejectionOf(createAuthority(client, wish));
    expect([refused.status, refused.message]).toEqual([503, expect.stringContaining('cannot sign')]);
    const names = (await client.authorities.listAuthorityInstances()).map(({ name }) => name);
    expect(names).not.toContain('Late CA');
    await activate(client, token.tokenInstanceUuid);
    await createAuthority(client, wish);
  });
});

describe("an authority's key", () => {
  it('cannot be destroyed while the authority exists', async () => {
    const own = await createKey(client, token, { specification: 'P-256' });
    const { authorityUuid: uuid, raProfileUuid } = await createAuthority(client, {
      name: 'Passing CA',
      values: { data_tokenKey: own.uuid },
    });
    const params = { ...token, uuid: own.uuid };
    const refused = await client.keys.destroyKey({ params, body: [] }).catch((error: { body: unknown }) => error.body);
    expect(JSON.stringify(refused)).toMatch(/is in use: authorities sign with it: Passing CA/);
    const { associations } = await client.keys.getKey({ params: { uuid: own.uuid } });
    expect(associations).toContainEqual({ uuid, name: 'Passing CA', resource: 'authorities' });
    await client.raProfiles.bulkDeleteRaProfile({ body: [raProfileUuid] });
    await client.authorities.deleteAuthorityInstance({ params: { uuid } });
    await client.keys.destroyKey({ params, body: [] });
  });

  it('can be used by only one authority', async () => {
    const wish = { name: 'Second CA', values: { data_tokenKey: key.uuid } };
    expect(await rejectionOf(createAuthority(client, wish))).toMatchObject({
      status: 422,
      message: expect.stringContaining('is already used by the CA Vault CA'),
    });
  });

  it('is offered to, and accepted from, only users who can sign with it and can see its token and token profile', async () => {
    const rights = [
      ['authorities', 'list'],
      ['authorities', 'detail'],
      ['authorities', 'create'],
      ['connectors', 'list'],
      ['connectors', 'detail'],
      ['keys', 'list'],
      ['keys', 'detail'],
      ['tokens', 'detail'],
    ] as const;
    const without = await limitedUser(acme.server, [...rights, ['tokenProfiles', 'detail']]);
    const unseen = await limitedUser(acme.server, [...rights, ['keys', 'sign']]);
    const able = await limitedUser(acme.server, [...rights, ['keys', 'sign'], ['tokenProfiles', 'detail']]);
    const own = await createKey(client, token, { specification: 'P-256', name: 'offered-key' });
    const disabled = await createKey(client, token, { specification: 'P-256', name: 'off-key', enabled: false });
    const verifying = { ...token, tokenProfileUuid: await createProfile(client, token.tokenInstanceUuid, ['verify']) };
    await createKey(client, verifying, { specification: 'P-256', name: 'verify-key' });
    expect(await listOfferedKeys(without)).toEqual([]);
    expect(await listOfferedKeys(unseen)).toEqual([]);
    const offered = await listOfferedKeys(able);
    expect(offered).toContain('offered-key');
    expect(offered).not.toContain('off-key');
    expect(offered).not.toContain('verify-key');

    const { uuid: connectorUuid } = await softwareAuthorityOf(client);
    const create = (caller: Client, name: string, data: string) =>
      caller.authorities.createAuthorityInstance({
        body: {
          name,
          connectorUuid,
          kind: 'SoftwareCA',
          attributes: [{ uuid: own.uuid, name: 'data_tokenKey', contentType: 'string', content: [{ data }] }],
        },
      });
    const refusal = /does not exist or that you are not permitted to sign with/;
    for (const caller of [without, unseen])
      expect((await rejectionOf(create(caller, 'Stolen CA', own.uuid))).message).toMatch(refusal);
    expect((await rejectionOf(create(able, 'Unknown CA', own.uuid.toUpperCase()))).message).toMatch(refusal);
    expect((await rejectionOf(create(able, 'Off CA', disabled.uuid))).message).toContain('off-key is disabled');
    await create(able, 'Granted CA', own.uuid);
  });
});
