// Credentials and callbacks from the client's perspective: over HTTP, with the built-in connector and a separate one,
// as an administrator and as a user with limited permissions.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { RequestAttributeDto } from '@signetry/contract';
import { exportPrivateKey, generateKeyPair } from '@signetry/pki/node';
import { writePkcs12 } from '@signetry/pki/pkcs12';
import { startConnectorServer, type RunningConnectorServer } from '@signetry/server/connectors';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExternalAuthority } from './testing/external-authority.ts';
import { userWithRole } from './testing/limited-user.ts';
import { temporaryFolder } from './testing/program.ts';
import { send } from './testing/raw-request.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
const data = temporaryFolder();
let client: Client;
let remote: RunningConnectorServer;
let builtIn = '';
let remoteUuid = '';

beforeAll(async () => {
  ({ client } = server);
  remote = await startConnectorServer({
    name: 'common-credentials',
    host: '127.0.0.1',
    port: 0,
    data,
    logLevel: 'silent',
    out: () => undefined,
  });
  const [offering] = await client.connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
  builtIn = offering?.uuid ?? '';
});
afterAll(() => remote.stop());

const PASSWORD = 'canary-p12';
const text = (name: string, value: string): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType: 'string',
  content: [{ data: value }],
});
const secret = (name: string, value?: string): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});
const file = (content: string): RequestAttributeDto => ({
  uuid: randomUUID(),
  name: 'keyStore',
  contentType: 'file',
  content: [{ data: { content, fileName: 'client.p12', mimeType: 'application/x-pkcs12' } }],
});

async function pkcs12(): Promise<string> {
  const keys = await generateKeyPair('P-256');
  const { der } = await createExternalAuthority('CN=Client', keys);
  const store = await writePkcs12({
    privateKey: exportPrivateKey(keys.privateKey),
    chain: [der],
    friendlyName: 'client',
    password: PASSWORD,
  });
  return Buffer.from(store).toString('base64');
}

const keyStore = (content: string, password?: string) => [
  text('keyStoreType', 'PKCS12'),
  file(content),
  secret('keyStorePassword', password),
];
const create = (connectorUuid: string, attributes: RequestAttributeDto[], name = `store ${randomUUID()}`) =>
  client.credentials.createCredential({ body: { name, kind: 'SoftKeyStore', connectorUuid, attributes } });
const problemsOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.fail('it was not rejected'),
    (error: { status: number; body: unknown }) => ({ status: error.status, body: error.body }),
  );

describe.each(['built-in', 'separate'])('a key store credential for the %s connector', (place) => {
  let connectorUuid: string;
  beforeAll(async () => {
    if (place === 'built-in') connectorUuid = builtIn;
    else {
      const body = { name: 'remote-credentials', url: remote.url, authType: 'none' as const };
      remoteUuid ||= (await client.connectors.createConnector({ body })).uuid;
      connectorUuid = remoteUuid;
    }
  });

  it('is opened before it is stored, is never returned, and is kept by an edit that does not replace it', async () => {
    const store = await pkcs12();
    const { uuid } = await create(connectorUuid, keyStore(store, PASSWORD));
    const shown = await client.credentials.getCredential({ params: { uuid } });
    expect(JSON.stringify(shown)).not.toContain(store);
    expect(JSON.stringify(shown)).not.toContain(PASSWORD);
    expect(shown.attributes.find(({ name }) => name === 'keyStore')?.content).toEqual([
      { data: { content: '', fileName: 'client.p12', mimeType: 'application/x-pkcs12' } },
    ]);
    // The returned attributes can be sent back unchanged.
    const attributes = shown.attributes.map(({ uuid: attribute = '', name, contentType, content = [] }) => ({
      uuid: attribute,
      name,
      contentType,
      content,
    })) as RequestAttributeDto[];
    expect(await client.credentials.editCredential({ params: { uuid }, body: { attributes } })).toEqual(shown);
    const other = keyStore(await pkcs12(), 'wrong');
    expect(await problemsOf(client.credentials.editCredential({ params: { uuid }, body: { attributes: other } }))).toEqual(
      { status: 422, body: ['"Key store password" (keyStorePassword) is not correct for the file.'] },
    ); // prettier-ignore
    await client.credentials.deleteCredential({ params: { uuid } });
  });

  it('is rejected with an explanation if it cannot be opened', async () => {
    const junk = Buffer.from('junk').toString('base64');
    expect(await problemsOf(create(connectorUuid, keyStore(junk, 'x')))).toMatchObject({
      status: 422,
      body: [expect.stringContaining('"Key store" (keyStore) cannot be read as PKCS #12: ')],
    });
  });
});

describe('callbacks', () => {
  it('are answered by the built-in authority, with separate fields for each kind of CA', async () => {
    const [connector] = await client.connectors.listConnectors({ query: { functionGroup: 'authorityProvider' } });
    const params = { uuid: connector?.uuid ?? '', functionGroup: 'authorityProvider', kind: 'SoftwareCA' };
    const form = await client.connectors.getConnectorAttributes({
      params: { ...params, functionGroup: 'authorityProvider' },
    });
    expect(form.map(({ name }) => name)).not.toContain('data_keyStore');
    const ask = (pathVariable: object) =>
      client.callbacks.connectorCallback({ params, body: { name: 'group_source', pathVariable: { ...pathVariable } } });
    expect(await ask({ source: 'import' })).toMatchObject([
      { name: 'data_keyStore' },
      { name: 'data_keyStorePassword' },
      { name: 'data_tokenKey' },
    ]);
    expect(await problemsOf(ask({}))).toEqual({
      status: 422,
      body: [
        'The callback of attribute group_source requires a value for source (pathVariable), from data_source.data.',
      ],
    });
    expect(await problemsOf(ask({ source: '..' }))).toMatchObject({ status: 422 });
    expect(await problemsOf(ask({ source: 'other' }))).toMatchObject({ status: 404 });
  });

  it.each(['{"name":"x","body":[]}', '{"pathVariable":{}}', '[]', '{"name":"\\u0000"}'])(
    'reject %s as the request body',
    async (body) => {
      const [connector] = await client.connectors.listConnectors({ query: { functionGroup: 'authorityProvider' } });
      const path = `/api/v1/connectors/${connector?.uuid}/authorityProvider/SoftwareCA/callback`;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.ready.token}` };
      const answer = await send(server.ready.http, path, { method: 'POST', headers, body });
      expect(answer.status, answer.text).toBe(400);
    },
  );

  it('for groups and other unsupported resources are rejected with 422', async () => {
    const params = { resource: 'groups' as const, parentObjectUuid: randomUUID() };
    expect(await problemsOf(client.callbacks.resourceCallback({ params, body: { name: 'x' } }))).toEqual({
      status: 422,
      body: ['There are no callbacks for groups; supported resources: tokenProfiles, keys, raProfiles, locations.'],
    });
  });

  it('require a permission on the connector or the authority', async () => {
    const { client: limited } = await userWithRole(server, [{ name: 'groups', allowAllActions: true }]);
    const params = { uuid: builtIn, functionGroup: 'credentialProvider', kind: 'Basic' };
    expect(await problemsOf(limited.callbacks.connectorCallback({ params, body: { name: 'x' } }))).toMatchObject({
      status: 403,
    });
    const ofAuthority = { resource: 'raProfiles' as const, parentObjectUuid: randomUUID() };
    expect(
      await problemsOf(limited.callbacks.resourceCallback({ params: ofAuthority, body: { name: 'x' } })),
    ).toMatchObject({ status: 403 });
  });
});

describe('a user with permissions on a single credential', () => {
  it('sees only that credential', async () => {
    const store = await pkcs12();
    const { uuid } = await create(builtIn, keyStore(store, PASSWORD), 'mine');
    const { uuid: foreign } = await create(builtIn, keyStore(store, PASSWORD), 'not mine');
    const { client: limited } = await userWithRole(server, [
      {
        name: 'credentials',
        allowAllActions: false,
        actions: [],
        objects: [{ uuid, name: 'mine', allow: ['list', 'detail'], deny: [] }],
      },
    ]);
    expect((await limited.credentials.listCredentials()).map(({ name }) => name)).toEqual(['mine']);
    expect((await limited.credentials.getCredential({ params: { uuid } })).name).toBe('mine');
    expect(await problemsOf(limited.credentials.getCredential({ params: { uuid: foreign } }))).toMatchObject({
      status: 403,
    });
    expect(await problemsOf(limited.credentials.deleteCredential({ params: { uuid } }))).toMatchObject({ status: 403 });
  });
});
