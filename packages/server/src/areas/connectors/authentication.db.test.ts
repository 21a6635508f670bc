// How the platform authenticates to connectors, and what it stores and shows of the credentials.
import { createPrivateKey } from 'node:crypto';
import { platformTokens } from '@signetry/connector-sdk';
import { connectorBaseOperations } from '@signetry/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { ACTIVATION_DELAY_MS } from './tokens.ts';
import type { FakeConnector } from './testing/fake-connector.ts';
import {
  basic,
  createTestConnectors,
  newFakeConnector,
  secret,
  text,
  type TestConnectors,
} from './testing/test-connectors.ts';

let test: TestConnectors;
let fake: FakeConnector;

beforeAll(async () => {
  test = await createTestConnectors();
});
beforeEach(async () => {
  fake = await newFakeConnector();
});
afterAll(() => test.area.stop?.());

const create = (facts: object = {}): Promise<string> => test.create({ url: fake.url, ...facts });
const basicHeader = (password: string) => `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
const lastInfoCall = (connector = fake) => connector.callsTo('GET /v1').at(-1);

describe('authentication to a connector', () => {
  it('with a username and password is sent to the connector, shown without the password, and encrypted in the database', async () => {
    const uuid = await create(basic('canary-pw'));
    expect(lastInfoCall()?.headers.authorization).toBe(basicHeader('canary-pw'));
    const shown = await test.call('getConnector', { params: { uuid } });
    expect(lastInfoCall()?.headers.authorization).toBe(basicHeader('canary-pw'));
    expect(shown.authAttributes).toMatchObject([
      { name: 'username', label: 'Username', content: [{ data: 'user' }] },
      { name: 'password', content: [{ data: {} }] },
    ]);
    const rows = await test.database.query<{ row: string }>('SELECT c::text AS row FROM connector c WHERE uuid = $1', [
      uuid,
    ]);
    for (const form of ['canary-pw', Buffer.from('canary-pw').toString('hex')])
      expect(rows[0]?.row).not.toContain(form);
  });

  it('with an API key is sent in the configured header', async () => {
    await create({ authType: 'apiKey', authAttributes: [text('apiKeyHeader', 'X-My-Key'), secret('apiKey', 'k1')] });
    expect(lastInfoCall()?.headers['x-my-key']).toBe('k1');
  });

  it.each([
    [
      'a header that carries the request',
      { authType: 'apiKey', authAttributes: [text('apiKeyHeader', 'Host'), secret('apiKey', 'k')] },
    ],
    [
      'a key with a line break',
      { authType: 'apiKey', authAttributes: [text('apiKeyHeader', 'X-K'), secret('apiKey', 'a\r\nb: c')] },
    ],
    ['missing attributes', { authType: 'basic', authAttributes: [text('username', 'user')] }],
    ['no attributes', { authType: 'basic' }],
    [
      'an attribute beside a token',
      { authType: 'jwt', authAttributes: [text('audience', 'https://elsewhere.example')] },
    ],
    [
      'a key store that is none',
      {
        authType: 'certificate',
        authAttributes: [
          text('keyStoreType', 'PKCS12'),
          {
            uuid: newUuid(),
            name: 'keyStore',
            contentType: 'file',
            content: [{ data: { content: 'AQID', fileName: 'a.p12', mimeType: 'application/x-pkcs12' } }],
          },
          secret('keyStorePassword', 'x'),
        ],
      },
    ],
  ])('rejects %s', async (_what, facts) => {
    await expect(create(facts)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(fake.calls).toEqual([]);
  });

  it('keeps a password that an edit omits, but only for the same URL', async () => {
    const uuid = await create(basic('first'));
    await test.call('editConnector', { params: { uuid }, body: basic() });
    expect(lastInfoCall()?.headers.authorization).toBe(basicHeader('first'));
    const thief = await newFakeConnector();
    await expect(test.call('editConnector', { params: { uuid }, body: { url: thief.url } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    await expect(
      test.call('editConnector', { params: { uuid }, body: { url: thief.url, ...basic() } }),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(test.call('connectConnector', { body: { uuid, url: thief.url, ...basic() } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect(thief.calls).toEqual([]);
    await test.call('editConnector', { params: { uuid }, body: { url: thief.url, ...basic('second') } });
    expect(lastInfoCall(thief)?.headers.authorization).toBe(basicHeader('second'));
  });

  it('lists its types and the attributes of each type', async () => {
    expect(await test.call('getAuthenticationTypes')).toEqual(['none', 'basic', 'certificate', 'apiKey', 'jwt']);
    expect((await test.call('getApiKeyAuthAttributes'))[0]).toMatchObject({
      name: 'apiKeyHeader',
      content: [{ data: 'X-API-KEY' }],
    });
    expect(await test.call('getJWTAuthAttributes')).toEqual([]);
    await expect(
      test.call('validateBasicAuthAttributes', { body: basic('x').authAttributes }),
    ).resolves.toBeUndefined();
    await expect(test.call('validateBasicAuthAttributes', { body: [] })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });
});

describe('token authentication', () => {
  const bearer = (connector = fake) => connector.callsTo('GET /v1').at(-1)?.headers.authorization ?? '';
  const checkFor = (connector: FakeConnector) =>
    platformTokens({
      issuer: test.platform.publicUrl(),
      audience: new URL(connector.url).origin,
      now: () => test.clock.now(),
      fetch: async () => Response.json(await test.call('getConnectorTokenKeys')),
    });
  const keyOf = (authorization: string): unknown =>
    (JSON.parse(Buffer.from(authorization.split(/[ .]/)[1] ?? '', 'base64url').toString()) as { kid?: unknown }).kid;

  it('sends a new token with each call, which is valid only for this connector', async () => {
    await create({ authType: 'jwt', url: `${fake.url}/` });
    const first = bearer();
    expect(await checkFor(fake)({ headers: { authorization: first } })).toBe(true);
    expect(await checkFor(await newFakeConnector())({ headers: { authorization: first } })).toBe(false);
    await create({ authType: 'jwt' });
    expect(bearer()).not.toBe(first);
    test.clock.advance(600_000);
    expect(await checkFor(fake)({ headers: { authorization: first } })).toBe(false);
  });

  it('publishes only public keys; private keys are encrypted in the database', async () => {
    await create({ authType: 'jwt' });
    const { keys } = await test.call('getConnectorTokenKeys');
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const [row] = await test.database.query<{ sealed_key: Buffer }>('SELECT sealed_key FROM connector_token_key');
    expect(() => createPrivateKey({ key: row?.sealed_key ?? Buffer.of(), format: 'der', type: 'pkcs8' })).toThrow();
    expect(test.area.sealedColumns?.()).toContainEqual(expect.objectContaining({ table: 'connector_token_key' }));
  });

  it('signs with a new key soon after a rotation, on every node, while previously issued tokens remain valid', async () => {
    const other = test.newArea();
    const uuid = await create({ authType: 'jwt' });
    const before = bearer();
    const callFromOther = async () =>
      (await other.client(uuid)).call(connectorBaseOperations.checkHealth, {}).then(() => fake.calls.at(-1)?.headers);
    expect(keyOf((await callFromOther())?.authorization ?? '')).toBe(keyOf(before));
    const { keys } = await test.call('rotateConnectorTokenKey');
    expect(keys).toHaveLength(2);
    await test.call('reconnectConnector', { params: { uuid } });
    expect(keyOf(bearer())).toBe(keyOf(before));
    test.clock.advance(2 * ACTIVATION_DELAY_MS);
    await test.call('reconnectConnector', { params: { uuid } });
    expect(keyOf(bearer())).toBe(keys[0]?.kid);
    expect(keyOf(bearer())).not.toBe(keyOf(before));
    expect(keyOf((await callFromOther())?.authorization ?? '')).toBe(keys[0]?.kid);
    const check = checkFor(fake);
    for (const authorization of [before, bearer()]) expect(await check({ headers: { authorization } })).toBe(true);
    test.clock.advance(3_600_000);
    expect((await test.call('getConnectorTokenKeys')).keys).toHaveLength(1);
    await other.stop?.();
  });

  it('creates one key even if two nodes start concurrently, and at most one more for two concurrent rotations', async () => {
    const fresh = await createTestConnectors();
    const [one, two] = [fresh.newArea(), fresh.newArea()];
    const uuid = await fresh.create({ url: fake.url });
    await fresh.database.query("UPDATE connector SET auth_type = 'jwt'");
    await Promise.all(
      [one, two].map(async (area) => (await area.client(uuid)).call(connectorBaseOperations.checkHealth, {})),
    );
    expect((await fresh.call('getConnectorTokenKeys')).keys).toHaveLength(1);
    await Promise.all([fresh.call('rotateConnectorTokenKey'), fresh.call('rotateConnectorTokenKey')]);
    const current = await fresh.database.query('SELECT FROM connector_token_key WHERE retired_at IS NULL');
    expect(current).toHaveLength(1);
    for (const area of [one, two, fresh.area]) await area.stop?.();
  });
});
