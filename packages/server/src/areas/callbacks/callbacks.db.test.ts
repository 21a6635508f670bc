// Callbacks at a connector over HTTP, and at an in-process connector.
import { softwareAuthority } from '@signetry/software-authority';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { infoOf } from '../connectors/testing/fake-connector.ts';
import {
  createTestCredentials,
  unprivilegedActor,
  text,
  userWith,
  type TestCredentials,
} from '../credentials/testing/test-credentials.ts';

let test: TestCredentials;

beforeAll(async () => {
  test = await createTestCredentials();
});
afterAll(() => test.stop());

const FIELD = '/v1/authorityProvider/callbacks/fields/{option}';
const uuid = '44444444-0000-4000-8000-000000000001';
const mapping = (to: string, target: string, facts: object = {}) => ({
  from: 'option.data',
  to,
  targets: [target],
  ...facts,
});
const callback = (callbackContext: string, mappings: object[] = [], callbackMethod = 'GET') => ({
  callbackContext,
  callbackMethod,
  mappings,
});
const properties = { label: 'x', visible: true, required: false, readOnly: false, list: true, multiSelect: false };
const list = (name: string, attributeCallback: object, contentType = 'string') => ({
  version: 2,
  uuid,
  name,
  type: 'data',
  contentType,
  properties,
  attributeCallback,
});
const group = (name: string, attributeCallback: object, facts: object = {}) => ({
  version: 2,
  uuid,
  name,
  type: 'group',
  attributeCallback,
  ...facts,
});
const child = (name: string, facts: object = {}) => ({
  version: 2,
  uuid: '44444444-0000-4000-8000-000000000002',
  name,
  type: 'data',
  contentType: 'string',
  properties: { ...properties, list: false },
  ...facts,
});

/** Makes the connector define these attributes for authorities. */
const define = (...definitions: object[]): void =>
  test.fake.on('GET /v1/authorityProvider/Fake/attributes', { body: definitions });

const ask = (body: object, input: object = {}) =>
  test.call('connectorCallback', {
    params: { uuid: test.connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' },
    body,
    ...input,
  });

describe('a list callback', () => {
  it('is called as its definition specifies, and its response is returned without unknown members', async () => {
    const answer = [{ reference: 'One', data: '1', extra: true }, { data: '2' }];
    define(list(
      'choice',
      callback(
        FIELD,
        [mapping('option', 'pathVariable'), mapping('page', 'requestParameter', { value: 2 }), mapping('b', 'body')],
        'POST',
      ),
    ));
    test.fake.on('POST /v1/authorityProvider/callbacks/fields/*', { body: answer });
    const asked = { name: 'choice', pathVariable: { option: 'a/b' }, body: { b: { x: 1 }, more: 1 } };
    expect(await ask(asked)).toEqual([{ reference: 'One', data: '1' }, { data: '2' }]);
    expect(test.fake.calls.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/authorityProvider/callbacks/fields/a%2Fb?page=2',
      body: { b: { x: 1 } },
    });
    expect(test.fake.calls.at(-1)?.body).toEqual({ b: { x: 1 } });
  });

  it.each([
    ['is not a list', { hello: 1 }],
    ['has items of a different type', [{ data: { secret: 'x' } }]],
    ['is text', 'x'],
    ['has too many choices', Array.from({ length: 20_001 }, () => ({ data: 'x' }))],
  ])('is rejected if the response %s', async (_what, body) => {
    define(list('choice', callback('/v1/authorityProvider/callbacks/x')));
    test.fake.on('GET /v1/authorityProvider/callbacks/x', { body });
    await expect(ask({ name: 'choice' })).rejects.toMatchObject({ code: 'connector_failed' });
  });

  it.each([
    ['closes the connection', 'reset', 'connector_unreachable'],
    ['responds with an error', { status: 500 }, 'connector_failed'],
    ['rejects the request', { status: 422, body: ['no such option'] }, 'rejected_by_rules'],
    ['sends an endless response', 'endless', 'connector_failed'],
    ['redirects', { status: 302, headers: { location: 'http://169.254.169.254/' } }, 'connector_failed'],
  ] as const)('fails like any other call if the connector %s', async (_what, behaviour, code) => {
    define(list('choice', callback('/v1/authorityProvider/callbacks/x', [], 'POST')));
    test.fake.on('POST /v1/authorityProvider/callbacks/x', behaviour);
    await expect(ask({ name: 'choice' })).rejects.toMatchObject({ code });
  });

  it('is not found under a name that is not defined, or for an attribute that has no callback', async () => {
    define(child('plain'));
    await expect(ask({ name: 'other' })).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(ask({ name: 'plain' })).rejects.toThrow('Attribute plain has no callback');
  });

  it('cannot be directed to an endpoint that the connector does not declare', async () => {
    const before = test.fake.calls.length;
    for (const context of ['http://127.0.0.1:1/x', '/v1/authorityProvider/callbacks/../../v1', '/metrics']) {
      define(list('choice', callback(context)));
      await expect(ask({ name: 'choice' })).rejects.toThrow('is not among the endpoints');
    }
    const asked = test.fake.calls.slice(before).map(({ path }) => path);
    expect(new Set(asked)).toEqual(new Set(['/v1/authorityProvider/Fake/attributes']));
  });

  it('can be sent to additional endpoints that the connector declares', async () => {
    const [credentials, authorities] = [infoOf('credentialProvider', ['Login']), infoOf('authorityProvider', ['Fake'])];
    const own = { uuid: '', name: 'own', context: '/support/{id}/values', method: 'GET', required: false };
    test.fake.on('GET /v1', { body: [credentials, { ...authorities, endPoints: [...authorities.endPoints, own] }] });
    await test.call('reconnectConnector', { params: { uuid: test.connectorUuid } });
    define(list('choice', callback('/support/{anything}/values', [mapping('anything', 'pathVariable')])));
    test.fake.on('GET /support/7/values', { body: [] });
    expect(await ask({ name: 'choice', pathVariable: { anything: 7 } })).toEqual([]);
  });

  it.each([
    ['a function group that does not exist', { functionGroup: 'nonsense' }],
    ['a function group that the connector does not offer', { functionGroup: 'discoveryProvider' }],
    ['a kind that the connector does not offer', { kind: 'Other' }],
  ])('is rejected for %s', async (_what, params) => {
    const known = { uuid: test.connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' };
    await expect(ask({ name: 'x' }, { params: { ...known, ...params } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });
});

describe('a group callback', () => {
  it('registers the returned fields, so that their values are accepted', async () => {
    const name = `field ${newUuid()}`;
    define(group('more', callback('/v1/authorityProvider/callbacks/x')));
    test.fake.on('GET /v1/authorityProvider/callbacks/x', { body: [child(name, { contentType: 'integer' })] });
    const validate = (value: object) =>
      test.call('validateConnectorAttributes', {
        params: { uuid: test.connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' },
        body: [{ ...text(name, 'x'), ...value }],
      });
    await expect(validate({})).rejects.toThrow(`Attribute ${name} is unknown`);
    expect(await ask({ name: 'more' })).toMatchObject([{ name }]);
    await expect(validate({ contentType: 'integer' })).rejects.toThrow('must contain an integer');
    await validate({ contentType: 'integer', content: [{ data: 1 }] });
  });

  it('can return fields that have callbacks', async () => {
    const name = `nested ${newUuid()}`;
    define(group('more', callback('/v1/authorityProvider/callbacks/x')));
    test.fake.on('GET /v1/authorityProvider/callbacks/x', {
      body: [list(name, callback('/v1/authorityProvider/callbacks/y'))],
    });
    test.fake.on('GET /v1/authorityProvider/callbacks/y', { body: [{ data: 'deep' }] });
    await expect(ask({ name })).rejects.toMatchObject({ code: 'object_not_found' });
    await ask({ name: 'more' });
    expect(await ask({ name })).toEqual([{ data: 'deep' }]);
  });

  it('is rejected if it returns its own group, or a group that is already in the form', async () => {
    const own = callback('/v1/authorityProvider/callbacks/x');
    define(group('more', own), group('other', own));
    for (const name of ['more', 'other']) {
      test.fake.on('GET /v1/authorityProvider/callbacks/x', { body: [group(name, own)] });
      await expect(ask({ name: 'more' })).rejects.toThrow(
        `returned group ${name} in group more, but the form already contains it`,
      );
    }
  });

  it('can return nested groups that have callbacks', async () => {
    const name = `innermost ${newUuid()}`;
    const at = (step: string) => callback(`/v1/authorityProvider/callbacks/${step}`);
    define(group('outer', at('outer')));
    test.fake.on('GET /v1/authorityProvider/callbacks/outer', { body: [group('middle', at('middle'))] });
    test.fake.on('GET /v1/authorityProvider/callbacks/middle', {
      body: [group('holder', at('unused'), { content: [group('inner', at('inner'))] })],
    });
    test.fake.on('GET /v1/authorityProvider/callbacks/inner', { body: [child(name)] });
    await expect(ask({ name: 'middle' })).rejects.toMatchObject({ code: 'object_not_found' });
    for (const step of ['outer', 'middle']) await ask({ name: step });
    expect(await ask({ name: 'inner', uuid })).toMatchObject([{ name }]);
    await test.call('validateConnectorAttributes', {
      params: { uuid: test.connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' },
      body: [text(name, 'x')],
    });
  });

  it('can return a changed definition; the latest response applies', async () => {
    const at = (step: string) => callback(`/v1/authorityProvider/callbacks/${step}`);
    define(group('outside', at('outside')));
    for (const step of ['first', 'second']) {
      test.fake.on('GET /v1/authorityProvider/callbacks/outside', { body: [group('changing', at(step))] });
      test.fake.on(`GET /v1/authorityProvider/callbacks/${step}`, { body: [child(`${step} ${newUuid()}`)] });
      await ask({ name: 'outside' });
      expect(await ask({ name: 'changing' })).toMatchObject([{ name: expect.stringContaining(step) as string }]);
    }
  });

  it('is rejected with the names of all groups that refer back to an enclosing group', async () => {
    const at = (step: string) => callback(`/v1/authorityProvider/callbacks/${step}`);
    define(group('a', at('a')));
    test.fake.on('GET /v1/authorityProvider/callbacks/a', { body: [group('b', at('b'))] });
    test.fake.on('GET /v1/authorityProvider/callbacks/b', { body: [group('c', at('c'))] });
    test.fake.on('GET /v1/authorityProvider/callbacks/c', { body: [group('b', at('b')), group('a', at('a'))] });
    for (const step of ['a', 'b']) await ask({ name: step });
    await expect(ask({ name: 'c' })).rejects.toMatchObject({
      code: 'rejected_by_rules',
      parameters: {
        problems: [
          expect.stringContaining('returned group b in group a > b > c, but the form already contains it'),
          expect.stringContaining('returned group a in group a > b > c, but the form already contains it'),
        ],
      },
    });
  });

  it('is limited in depth if every response contains another group', async () => {
    const at = (step: number) => callback(`/v1/authorityProvider/callbacks/deep${step}`);
    define(group('deep0', at(0)));
    let step = 0;
    const next = async (): Promise<unknown> => {
      test.fake.on(`GET /v1/authorityProvider/callbacks/deep${step}`, {
        body: [group(`deep${step + 1}`, at(step + 1))],
      });
      return ask({ name: `deep${step}` });
    };
    for (; step < 9; step += 1) await next();
    await expect(next()).rejects.toThrow(
      /returned group deep10 in group deep0 > .+ > deep9, which exceeds the maximum depth of 10 groups/,
    );
  });

  it.each([
    ['is not a list of definitions', [{ name: 'x' }], 'connector_failed'],
    ['contains a malformed definition', [child('x', { uuid: 'nonsense' })], 'invalid_fields'],
    ['has too many definitions', Array.from({ length: 501 }, (_, index) => child(`x${index}`)), 'connector_failed'],
  ])('is rejected if its response %s', async (_what, body, code) => {
    define(group('more', callback('/v1/authorityProvider/callbacks/x')));
    test.fake.on('GET /v1/authorityProvider/callbacks/x', { body });
    await expect(ask({ name: 'more' })).rejects.toMatchObject({ code });
  });
});

describe('a credentials callback', () => {
  beforeEach(() =>
    define(
      list('login', callback('core/getCredentials', [{ to: 'credentialKind', targets: ['pathVariable'], value: 'Login' }]), 'credential'), // prettier-ignore
    ),
  );

  it('is handled by the platform, and returns enabled credentials of the kind that the caller can use', async () => {
    const [one, two, off] = [await test.create({ name: 'a1' }), await test.create({ name: 'a2' }), await test.create()];
    await test.call('disableCredential', { params: { uuid: off } });
    const asked = { name: 'login', pathVariable: { credentialKind: 'Other' } };
    expect(await ask(asked)).toEqual([
      { reference: 'a1', data: { uuid: one, name: 'a1' } },
      { reference: 'a2', data: { uuid: two, name: 'a2' } },
    ]);
    const actor = userWith({ uuid: two, actions: ['list', 'detail'] }, { uuid: one, actions: ['list'] });
    expect(await ask(asked, { actor })).toEqual([{ reference: 'a2', data: { uuid: two, name: 'a2' } }]);
    expect(await ask(asked, { actor: unprivilegedActor })).toEqual([]);
  });

  it('requires the credential kind', async () => {
    define(list('login', callback('core/getCredentials'), 'credential'));
    await expect(ask({ name: 'login' })).rejects.toThrow('credentialKind');
  });
});

describe('a credential in a callback body', () => {
  const context = '/v1/authorityProvider/callbacks/regions';
  const asked = (value: unknown, input: object = {}) => ask({ name: 'region', body: { login: value } }, input);
  const sent = () => (test.fake.callsTo(`POST ${context}`).at(-1)?.body as { login: unknown } | undefined)?.login;

  beforeEach(() => {
    const login = mapping('login', 'body', { from: 'login', attributeContentType: 'credential' });
    define(list('region', callback(context, [login], 'POST')));
    test.fake.on(`POST ${context}`, { body: [{ data: 'eu' }] });
  });

  it('is sent in full, regardless of how it is specified', async () => {
    const credential = await test.create();
    const full = {
      uuid: credential,
      kind: 'Login',
      attributes: expect.arrayContaining([
        expect.objectContaining({ name: 'password', content: [{ data: { secret: 'canary-pw' } }] }),
      ]),
    };
    const named = { uuid: credential, name: 'x' };
    expect(await asked(named)).toEqual([{ data: 'eu' }]);
    expect(sent()).toMatchObject(full);
    await asked({ reference: 'x', data: named });
    expect(sent()).toMatchObject(full);
    await asked([{ data: named }]);
    expect(sent()).toMatchObject(full);
    await asked([{ data: named }, named]);
    expect(sent()).toMatchObject([full, full]);
  });

  it('is rejected and not sent to the connector if the caller cannot see it', async () => {
    const [credential, own] = [await test.create(), await test.create()];
    const actor = userWith({ uuid: own, actions: ['detail'] });
    const calls = test.fake.callsTo(`POST ${context}`).length;
    for (const value of [
      { uuid: credential },
      [{ data: { uuid: own } }, { data: { uuid: credential } }],
      'x',
      7,
      {},
      [],
    ])
      await asked(value, { actor }).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'rejected_by_rules' }),
      );
    const bodies = test.fake.callsTo(`POST ${context}`).slice(calls);
    expect(JSON.stringify(bodies.map(({ body }) => body))).not.toContain(credential);
    await test.call('disableCredential', { params: { uuid: own } });
    await expect(asked({ uuid: own }, { actor })).rejects.toThrow('which is disabled');
  });
});

describe('a callback at an in-process connector', () => {
  let connectorUuid: string;
  beforeAll(async () => {
    connectorUuid = await test.connectors.registerBuiltIn(softwareAuthority);
  });
  const params = () => ({ uuid: connectorUuid, functionGroup: 'authorityProvider', kind: 'SoftwareCA' });
  const fields = async (source: string): Promise<unknown> => {
    const answer = await test.call('connectorCallback', {
      params: params(),
      body: { name: 'group_source', pathVariable: { source } },
    });
    return (answer as { name: string }[]).map(({ name }) => name); // The response contains definitions.
  };

  it('returns the fields for the selected kind of CA', async () => {
    expect(await fields('root')).toEqual([
      'data_subject',
      'data_keyAlgorithm',
      'data_validityYears',
      'data_pathLength',
    ]);
    expect(await fields('subordinate')).toEqual(expect.arrayContaining(['data_parentAuthority', 'data_keyAlgorithm']));
    expect(await fields('import')).toEqual(['data_keyStore', 'data_keyStorePassword']);
    await expect(fields('other')).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(fields('../x')).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('can be skipped by clients that know the fields: their values are accepted anyway', async () => {
    const attributes = [
      text('data_source', 'root'),
      text('data_subject', 'CN=Flat'),
      text('data_keyAlgorithm', 'P-384'),
    ];
    const body = { name: 'flat', kind: 'SoftwareCA', connectorUuid, attributes };
    const { uuid: made } = await test.call('createAuthorityInstance', { body });
    const shown = await test.call('getAuthorityInstance', { params: { uuid: made } });
    expect(shown.attributes.map(({ name }) => name).toSorted()).toEqual([
      'data_keyAlgorithm',
      'data_source',
      'data_subject',
    ]);
  });
});

describe('a callback below a parent object', () => {
  it('is rejected with 422 for resources without a parent, and the error lists those that have one', async () => {
    test.callbacks.registerParent('raProfiles', {
      resource: 'authorities',
      source: () => Promise.resolve({ connectorUuid: test.connectorUuid, functionGroup: 'authorityProvider', definitions: [] }),
    }); // prettier-ignore
    for (const resource of ['keys', 'locations', 'certificates'] as const) {
      const refused = test.call('resourceCallback', {
        params: { resource, parentObjectUuid: newUuid() },
        body: { name: 'x' },
      });
      await expect(refused).rejects.toThrow(`There are no callbacks for ${resource}; supported resources: raProfiles.`);
    }
  });

  it('uses the definitions of the parent, for callers with permission for the parent', async () => {
    const asked = { params: { resource: 'raProfiles', parentObjectUuid: newUuid() }, body: { name: 'profile' } };
    test.fake.on('GET /v1/authorityProvider/callbacks/profiles', { body: [{ data: 'p' }] });
    test.callbacks.registerParent('raProfiles', {
      resource: 'authorities',
      source: () =>
        Promise.resolve({
          connectorUuid: test.connectorUuid,
          functionGroup: 'authorityProvider',
          definitions: [list('profile', callback('/v1/authorityProvider/callbacks/profiles')) as never],
        }),
    });
    expect(await test.call('resourceCallback', asked)).toEqual([{ data: 'p' }]);
    await expect(test.call('resourceCallback', { ...asked, actor: unprivilegedActor })).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});
