// Secrets entrusted to the platform appear nowhere: not in its log, database, audit log, responses or any file of its
// data directory, in any common encoding.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, Database } from '@signetry/server/database';
import { writePem } from '@signetry/pki';
import { exportPrivateKey, exportPrivateKeyPem, generateKeyPair } from '@signetry/pki/node';
import { writePkcs12 } from '@signetry/pki/pkcs12';
import type { RequestAttributeDto } from '@signetry/contract';
import { describe, expect, it, beforeAll } from 'vitest';
import { startServerProcess } from '../load/server-process.ts';
import { createClient, type Client } from '@signetry/client';
import { issue } from './testing/certificates.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import { startHostileAuthority } from './testing/hostile-authority.ts';
import { createLegacyAuthority } from './testing/legacy-authorities.ts';
import { createAuthority, defaultProfile } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { plantTokenSecrets } from './testing/planted-tokens.ts';
import { send } from './testing/raw-request.ts';
import { createTestBrowser } from './testing/passkeys.ts';
import { makeRequest } from './testing/requests.ts';

/** Random enough never to occur by chance, simple enough to survive every text encoding. */
const canary = (what: string): string => `canary-${what}-${crypto.randomUUID()}`;

interface PlantedSecret {
  readonly what: string;
  readonly bytes: Uint8Array;
}

const text = (what: string, value: string): PlantedSecret => ({ what, bytes: Buffer.from(value) });

/** Common encodings of bytes. Base64 depends on the offset of the bytes in the encoded text. */
function formsOf({ bytes }: PlantedSecret): Buffer[] {
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return encoded.slice(offset === 0 ? 0 : 4, -4);
  });
  const hex = Buffer.from(bytes).toString('hex');
  return [Buffer.from(bytes), ...[...base64, hex, hex.toUpperCase()].map((form) => Buffer.from(form))];
}

const planted: PlantedSecret[] = [];
/** Stored in clear text on purpose: proves that the search works. */
const visible = text('name of a group', canary('visible'));
const directory = temporaryFolder();
let output = '';
let answers = '';

/** Returns the names of planted secrets found in the content. */
const foundIn = (content: Buffer, secrets: readonly PlantedSecret[] = planted): string[] =>
  secrets.filter((secret) => formsOf(secret).some((form) => content.includes(form))).map(({ what }) => what);

async function plantConnectorPassword(client: Client): Promise<void> {
  const connector = await startHostileAuthority();
  const password = canary('connector-password');
  planted.push(text('password of a connector', password));
  const definitions = await client.connectors.getBasicAuthAttributes();
  const [username, secret] = ['username', 'password'].map((name) => definitions.find((one) => one.name === name));
  try {
    await client.connectors.createConnector({
      body: {
        name: 'with a password',
        url: connector.url,
        authType: 'basic',
        authAttributes: [
          { uuid: username?.uuid ?? '', name: 'username', contentType: 'string', content: [{ data: 'signetry' }] },
          {
            uuid: secret?.uuid ?? '',
            name: 'password',
            contentType: 'secret',
            content: [{ data: { secret: password } }],
          },
        ],
      },
    });
  } finally {
    await connector.close();
  }
}

async function plantAuthorityKey(client: Client): Promise<void> {
  const keys = await generateKeyPair('P-256');
  const password = canary('key-store-password');
  // The private value of an EC key: what a thief would want, contained in every key encoding.
  const scalar = Buffer.from(keys.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  planted.push(text('password of a key store', password), { what: 'key of an authority', bytes: scalar });
  expect(Buffer.from(exportPrivateKey(keys.privateKey)).includes(scalar)).toBe(true);
  const { der } = await createExternalAuthority('CN=Imported CA', keys);
  // The file as a whole is also a secret, encrypted or not.
  const pem = (await exportPrivateKeyPem(keys.privateKey, { password })) + writePem('CERTIFICATE', der);
  planted.push(text('file of an authority', pem.split('\n')[2] ?? ''));
  const imported = await createAuthority(client, {
    name: 'Imported CA',
    values: {
      data_source: 'import',
      data_keyStore: { content: Buffer.from(pem).toString('base64'), fileName: 'ca.pem', mimeType: 'text/plain' },
      data_keyStorePassword: { secret: password },
    },
  });
  await issue(client, imported, await makeRequest({ subject: 'CN=by-imported.example' }));
}

/** Plants a password and a key store that other objects refer to. */
async function plantNamedCredentials(client: Client): Promise<void> {
  const [connector] = await client.connectors.listConnectors({ query: { functionGroup: 'credentialProvider' } });
  const password = canary('credential-password');
  const keys = await generateKeyPair('P-256');
  const { der } = await createExternalAuthority('CN=Credential', keys);
  const privateKey = exportPrivateKey(keys.privateKey);
  const store = Buffer.from(await writePkcs12({ privateKey, chain: [der], friendlyName: 'credential', password }));
  planted.push(text('password of a credential', password), {
    what: 'key store of a credential',
    bytes: store.subarray(100, 140),
  });
  const attributes: RequestAttributeDto[] = [
    { uuid: crypto.randomUUID(), name: 'keyStoreType', contentType: 'string', content: [{ data: 'PKCS12' }] },
    {
      uuid: crypto.randomUUID(),
      name: 'keyStore',
      contentType: 'file',
      content: [{ data: { content: store.toString('base64'), fileName: 'a.p12', mimeType: 'application/x-pkcs12' } }],
    },
    {
      uuid: crypto.randomUUID(),
      name: 'keyStorePassword',
      contentType: 'secret',
      content: [{ data: { secret: password } }],
    },
  ];
  const body = { name: 'with a key store', kind: 'SoftKeyStore', connectorUuid: connector?.uuid ?? '', attributes };
  const { uuid } = await client.credentials.createCredential({ body });
  await client.credentials.editCredential({ params: { uuid }, body: { attributes } });
  const refused = { ...body, name: 'refused', attributes: attributes.slice(0, 2) };
  await expect(client.credentials.createCredential({ body: refused })).rejects.toMatchObject({ status: 422 });
}

/** Plants one that was used, one that is unused, and one that was wrong. */
async function plantEndEntityPasswords(client: Client): Promise<void> {
  const path = await createLegacyAuthority(client, { name: 'Of end entities' });
  const [used, waiting, wrong] = ['used', 'waiting', 'wrong'].map((which) => {
    const password = canary(`end-entity-${which}`);
    planted.push(text(`${which} password of an end entity`, password));
    return password;
  });
  const { raProfileName } = path;
  const register = (username: string, password = '') =>
    client.legacyClientOperations.addEndEntity({
      params: { raProfileName },
      body: { username, password, subjectDN: `CN=${username}` },
    });
  const enroll = async (username: string, password = '') =>
    client.legacyClientOperations.issueLegacyCertificate({
      params: { raProfileName },
      body: { username, password, pkcs10: (await makeRequest({ subject: 'CN=x' })).pem },
    });
  await register('used', used);
  await register('waiting', waiting);
  await enroll('used', used);
  await expect(enroll('waiting', wrong)).rejects.toMatchObject({ status: 400 });
}

async function plantCredentials(client: Client, http: string): Promise<void> {
  const { token } = await client.accessTokens.createAccessToken({ body: { name: 'canary' } });
  planted.push(text('access token', token));
  const { url } = await client.signInLinks.createSignInLink();
  const { origin, pathname } = new URL(url);
  planted.push(text('sign-in link', pathname.split('/').at(-1) ?? ''));
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin };
  const signedIn = await send(http, pathname, { method: 'POST', headers: form });
  const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
  planted.push(text('session cookie', /=([^;]+)/.exec(cookie)?.[1] ?? ''));
  await send(http, '/api/v1/auth/profile', { headers: { cookie: cookie.split(';', 1)[0] ?? '' } });
  await send(http, '/api/v1/auth/profile', { headers: { authorization: `Bearer ${token}` } });
  const wrong = canary('wrong-token');
  planted.push(text('refused token', wrong));
  await send(http, '/api/v1/auth/profile', { headers: { authorization: `Bearer ${wrong}` } });
}

/** Plants a pending and an accepted invitation, and the messages of a browser and an authenticator. */
async function plantInvitations(client: Client, http: string): Promise<void> {
  const { uuid: userUuid } = await client.users.createUser({ body: { username: 'invited' } });
  const invite = async (which: string): Promise<string> => {
    const { url } = await client.invitations.createInvitation({ params: { userUuid } });
    planted.push(text(`${which} invitation`, url.split('/').at(-1) ?? ''));
    return new URL(url).pathname;
  };
  const browser = createTestBrowser(http);
  const path = await invite('accepted');
  await send(http, path);
  const { challenge, passkey, session } = await browser.accept(path);
  await browser.signIn(passkey);
  await invite('waiting');
  planted.push(text('challenge', challenge), text('session cookie of an invitation', session.split('=')[1] ?? ''));
}

async function readAllOfTokens(client: Client): Promise<unknown> {
  const tokens = await client.tokens.listTokenInstances();
  const { cryptographicKeys: items } = await client.keys.listKeys({ body: {} });
  expect(items.length).toBeGreaterThan(0);
  return Promise.all([
    ...tokens.map(({ uuid }) => client.tokens.getTokenInstance({ params: { uuid } })),
    ...items.map(({ keyWrapperUuid: uuid }) => client.keys.getKey({ params: { uuid } })),
    ...items.map(({ keyWrapperUuid: uuid, uuid: keyItemUuid }) =>
      client.keys.getKeyItemHistory({ params: { uuid, keyItemUuid } }),
    ),
  ]);
}

/** Everything about the objects created with secrets, as returned by the API. */
async function readBack(client: Client): Promise<string> {
  const connectors = await client.connectors.listConnectors();
  const authorities = await client.authorities.listAuthorityInstances();
  const credentials = await client.credentials.listCredentials();
  const details = await Promise.all([
    ...credentials.map(({ uuid }) => client.credentials.getCredential({ params: { uuid } })),
    ...connectors.map(({ uuid }) => client.connectors.getConnector({ params: { uuid } })),
    ...authorities.map(({ uuid }) => client.authorities.getAuthorityInstance({ params: { uuid } })),
  ]);
  const audit = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 1000 } });
  expect(audit.items.length).toBeGreaterThan(10);
  const tokens = [await client.accessTokens.listAccessTokens(), await readAllOfTokens(client)];
  const users = await client.users.listUsers();
  const signIns = await Promise.all(
    users.map(async ({ uuid }) => [
      await client.invitations.listInvitations({ params: { userUuid: uuid } }),
      await client.passkeys.listPasskeysOfUser({ params: { userUuid: uuid } }),
    ]),
  );
  return JSON.stringify([connectors, authorities, credentials, details, audit, tokens, signIns]);
}

beforeAll(async () => {
  const { ready, stop, stdout, stderr } = await startServerProcess({
    directory,
    args: ['--log-level', 'trace', '--egress-allowed-hosts=127.0.0.1'],
  });
  try {
    const client = createClient({ baseUrl: ready.api, token: ready.token });
    await plantConnectorPassword(client);
    await plantAuthorityKey(client);
    await plantNamedCredentials(client);
    await plantEndEntityPasswords(client);
    await plantCredentials(client, ready.http);
    await plantInvitations(client, ready.http);
    await plantTokenSecrets(client, { canary, plant: (what, bytes) => void planted.push({ what, bytes }) });
    await issue(client, await defaultProfile(client), await makeRequest({ subject: 'CN=searched.example' }));
    await client.groups.createGroup({ body: { name: Buffer.from(visible.bytes).toString() } });
    answers = await readBack(client);
    planted.push(text('token of the command line', ready.token));
  } finally {
    await stop();
  }
  output = stdout() + stderr();
});

describe('planted secrets', () => {
  it('are all in place, and would be detected if they leaked', () => {
    expect(planted.map(({ what }) => what)).toHaveLength(28);
    for (const secret of planted) {
      expect(secret.bytes.length, secret.what).toBeGreaterThanOrEqual(16);
      const behind = Buffer.concat([Buffer.from('x'), secret.bytes, Buffer.from('yz')]);
      for (const content of [behind, behind.toString('base64'), behind.toString('hex')])
        expect(foundIn(Buffer.from(content)), secret.what).toContain(secret.what);
    }
  });

  it('do not appear in the log at its most verbose level', () => {
    expect(output).toContain('"level":"');
    expect(foundIn(Buffer.from(output))).toEqual([]);
  });

  it('do not appear in responses or the audit log', () => {
    expect(answers).toContain('with a password');
    expect(answers).toContain('with a key store');
    expect(foundIn(Buffer.from(answers))).toEqual([]);
  });

  it('do not appear in any column of any table', async () => {
    const server = await startEmbeddedPostgres({ directory, log: () => undefined });
    const connection = {
      host: server.socketDirectory,
      port: server.port,
      user: server.user,
      password: server.password,
    };
    const database = new Database({ connection: { ...connection, database: 'signetry' }, onError: () => undefined });
    try {
      const tables = await database.query<{ schema: string; name: string }>(
        `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
         WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
      );
      expect(tables.length).toBeGreaterThan(30);
      const withVisible: string[] = [];
      for (const { schema, name } of tables) {
        const rows = await database.query<{ row: string }>(`SELECT t::text AS row FROM "${schema}"."${name}" AS t`);
        const content = Buffer.from(rows.map(({ row }) => row).join('\n'));
        expect(foundIn(content), `${schema}.${name}`).toEqual([]);
        if (foundIn(content, [visible]).length > 0) withVisible.push(`${schema}.${name}`);
      }
      expect(withVisible).toEqual(expect.arrayContaining(['public.audit_record']));
      expect(withVisible.length).toBeGreaterThan(1);
    } finally {
      await database.close();
      await server.stop();
    }
  });

  it('do not appear in any file of the data directory', async () => {
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    const contents = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(contents.length).toBeGreaterThan(100);
    let withVisible = 0;
    for (const path of contents) {
      const content = await readFile(path);
      expect(foundIn(content), path).toEqual([]);
      withVisible += foundIn(content, [visible]).length;
    }
    expect(withVisible).toBeGreaterThan(0);
  });
});
