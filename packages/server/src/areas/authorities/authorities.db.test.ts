import { authorityOperations, type Operation, type RequestAttributeDto } from '@signetry/contract';
import { createFakeClock, testDatabase, testPlatform } from '@signetry/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { infoOf, startFakeConnector, type FakeConnector } from '../connectors/testing/fake-connector.ts';
import { createBreakableAudit, type BreakableAudit } from '../connectors/testing/breakable-audit.ts';
import { createConnectorsArea, type ConnectorAnswer } from '../connectors/index.ts';
import { createAuthoritiesArea } from './index.ts';

type Operations = typeof authorityOperations;

let database: Database;
let platform: Platform;
let audit: BreakableAudit;
let connectors: ReturnType<typeof createConnectorsArea>;
let area: ReturnType<typeof createAuthoritiesArea>;
let fake: FakeConnector;
let connectorUuid: string;
const fakes: FakeConnector[] = [];
const context = (audit?: RequestContext['audit']): RequestContext => ({ ...coreContext('test'), audit });

beforeAll(async () => {
  database = await testDatabase();
  platform = testPlatform(database, {
    clock: createFakeClock(),
    publicUrl: () => 'https://pki.test',
    revocationUrl: () => 'http://crl.test',
  });
  audit = createBreakableAudit(createAuditArea(platform).trail);
  const attributes = createAttributeEngine(platform);
  connectors = createConnectorsArea(platform, { audit, attributes });
  area = createAuthoritiesArea(platform, { audit, attributes, connectors });
});
beforeEach(async () => {
  fake = await startFakeConnector();
  fakes.push(fake);
  connectorUuid = await addConnector();
});
afterAll(async () => {
  await connectors.stop?.();
  await Promise.all(fakes.map((each) => each.close()));
});

async function addConnector(): Promise<string> {
  const create = connectors.routes?.find(({ operation }) => operation.id === 'createConnector');
  const body = { name: `connector ${newUuid()}`, url: fake.url, authType: 'none' };
  const facts = { module: 'core', resource: 'connectors', operation: 'create' } as const;
  // as the operation takes it
  const answer = await create?.handle({ params: {}, query: {}, body, context: context(facts) } as never);
  return (answer as { uuid: string }).uuid;
}

async function call<Key extends keyof Operations>(
  key: Key,
  input: { params?: object; body?: unknown } = {},
): Promise<ConnectorAnswer<Operations[Key]>> {
  const operation: Operation = authorityOperations[key];
  const route = area.routes?.find((each) => each.operation === operation);
  const body = operation.body?.parse(input.body);
  const facts = operation.audit;
  return route?.handle({ params: input.params ?? {}, query: {}, body, context: context(facts) } as never) as Promise<
    ConnectorAnswer<Operations[Key]>
  >; // shaped by the operation
}

const text = (name: string, value: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'string',
  content: [{ data: value }],
});
const password = (value?: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: 'data_password',
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});
const name = () => `authority ${newUuid()}`;
const create = async (facts: object = {}): Promise<string> => {
  const { uuid } = await call('createAuthorityInstance', {
    body: { name: name(), connectorUuid, kind: 'Fake', attributes: [text('data_address', 'ca.test')], ...facts },
  });
  return uuid;
};
const audits = async (uuid: string) => {
  const rows = await database.query<{ operation: string }>(
    'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
    [JSON.stringify([{ uuid }])],
  );
  return rows.map(({ operation }) => operation);
};

describe('creating an authority', () => {
  it('validates, fetches definitions, creates at the connector, then stores and records', async () => {
    const uuid = await create({ attributes: [text('data_address', 'ca.test'), password('canary-auth')] });
    expect(fake.calls.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/authorityProvider/Fake/attributes/validate',
      'GET /v1/authorityProvider/Fake/attributes',
      'POST /v1/authorityProvider/authorities',
    ]);
    expect(fake.calls.at(-1)?.body).toMatchObject({
      kind: 'Fake',
      attributes: [{ name: 'data_address' }, { name: 'data_password', content: [{ data: { secret: 'canary-auth' } }] }],
    });
    expect(fake.calls.at(-1)?.headers['idempotency-key']).toBe(uuid);
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown).toMatchObject({ status: 'connected', kind: 'Fake', connectorUuid });
    expect(shown.attributes.map(({ name: attribute, content }) => [attribute, content])).toEqual([['data_address', [{ data: 'ca.test' }]], ['data_password', [{ data: {} }]]]); // prettier-ignore
    expect(await audits(uuid)).toEqual(['create']);
    expect(await area.find(uuid)).toMatchObject({
      connectorAuthorityUuid: 'authority-1',
      isLegacy: false,
      features: ['idempotency'],
    });
  });

  it('refuses a taken name before the connector is asked to create anything', async () => {
    const taken = name();
    await create({ name: taken });
    await expect(create({ name: taken })).rejects.toMatchObject({ code: 'already_exists' });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities')).toHaveLength(1);
  });

  it('removes the authority at the connector when two callers used the name at once', async () => {
    const taken = name();
    // Neither gets its answer before both have asked.
    const both = Promise.withResolvers<void>();
    let asked = 0;
    fake.on('POST /v1/authorityProvider/authorities', async () => {
      asked += 1;
      if (asked === 2) both.resolve();
      await both.promise;
      return { body: { uuid: `made-${asked}`, name: taken, attributes: [] } };
    });
    const outcomes = await Promise.allSettled([create({ name: taken }), create({ name: taken })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(fake.callsTo('DELETE /v1/authorityProvider/authorities/*')).toHaveLength(1);
  });

  it.each([
    ['a kind that the connector does not offer', { kind: 'Other' }, 'rejected_by_rules'],
    ['a connector that does not exist', { connectorUuid: newUuid() }, 'object_not_found'],
    [
      'an attribute that is not defined',
      { attributes: [{ uuid: newUuid(), name: 'x', contentType: 'string', content: [] }] },
      'rejected_by_rules',
    ],
    [
      'custom attributes',
      { customAttributes: [{ uuid: newUuid(), name: 'x', contentType: 'string', content: [] }] },
      'rejected_by_rules',
    ],
  ])('refuses %s', async (_what, facts, code) => {
    await expect(create(facts)).rejects.toMatchObject({ code });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities')).toEqual([]);
  });

  it('does without the attributes that a connector leaves out of its answers', async () => {
    fake.on('POST /v1/authorityProvider/authorities', { body: { uuid: 'bare', name: 'bare', attributes: null } });
    fake.on('GET /v1/authorityProvider/authorities/*', { body: { uuid: 'bare', name: 'bare' } });
    const uuid = await create();
    expect(await call('getAuthorityInstance', { params: { uuid } })).toMatchObject({ status: 'connected' });
  });

  it('stores nothing when the connector does not create it', async () => {
    fake.on('POST /v1/authorityProvider/authorities', 'reset');
    const chosen = name();
    await expect(create({ name: chosen })).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(await area.findByName(chosen)).toBeUndefined();
  });
});

describe('an authority', () => {
  it('is shown with what is stored while its connector is down', async () => {
    const uuid = await create();
    await fake.close();
    expect(await call('getAuthorityInstance', { params: { uuid } })).toMatchObject({
      status: 'unavailable',
      attributes: [{ name: 'data_address' }],
    });
  });

  it('takes its attributes from the connector when none are stored', async () => {
    const uuid = await create({ attributes: [] });
    const attribute = (attributeName: string, contentType: string, data: unknown) => ({
      version: 2, uuid: newUuid(), name: attributeName, type: 'data', contentType, content: [{ data }], properties: { label: attributeName },
    }); // prettier-ignore
    const attributes = [attribute('own', 'string', 'v'), attribute('pin', 'secret', { secret: 'canary' })];
    fake.on('GET /v1/authorityProvider/authorities/*', { body: { uuid: 'a', name: 'a', attributes } });
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown.attributes.map(({ content }) => content)).toEqual([[{ data: 'v' }], [{ data: {} }]]);
  });

  it('is edited as a whole, secrets that are left out stay', async () => {
    const uuid = await create({ attributes: [text('data_address', 'old'), password('kept')] });
    await call('editAuthorityInstance', { params: { uuid }, body: { attributes: [password()] } });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities/*').at(-1)?.body).toMatchObject({
      attributes: [{ name: 'data_password', content: [{ data: { secret: 'kept' } }] }],
    });
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown.attributes.map(({ name: attribute }) => attribute)).toEqual(['data_password']);
    expect(await audits(uuid)).toEqual(['create', 'update']);
  });

  it('stays as it was when the connector refuses the edit', async () => {
    const uuid = await create();
    fake.on('POST /v1/authorityProvider/authorities/*', { status: 422, body: ['no'] });
    await expect(call('editAuthorityInstance', { params: { uuid }, body: { attributes: [] } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect((await call('getAuthorityInstance', { params: { uuid } })).attributes).toHaveLength(1);
  });

  it('replaces placeholders before the connector sees attributes of an RA profile, and answers them to be stored', async () => {
    const uuid = await create();
    const given = [text('data_crlUrl', '{{publicUrl}}/crl/{{authority}}.crl')];
    const accepted = await area.acceptRaProfileAttributes(uuid, given);
    expect(accepted[0]).toMatchObject({
      uuid: '22222222-0000-4000-8000-000000000001',
      content: [{ data: '{{publicUrl}}/crl/{{authority}}.crl' }],
    });
    const seen = fake.callsTo('POST /v1/authorityProvider/authorities/*/raProfile/attributes/validate').at(-1)?.body;
    expect(seen).toMatchObject([{ content: [{ data: `http://crl.test/crl/${uuid}.crl` }] }]);
    await expect(
      call('validateRAProfileAttributes', { params: { uuid }, body: [text('data_crlUrl', '{{other}}')] }),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await call('listRAProfileAttributes', { params: { uuid } })).toHaveLength(1);
  });

  it('fills in the http address of CRLs, OCSP and CA certificates, also where a profile names the public one', async () => {
    const uuid = await create();
    const sent = async (value: string) =>
      (await area.raProfileAttributesToSend(uuid, [text('data_crlUrl', value)]))[0]?.content[0]?.data;
    expect(await sent('{{revocationUrl}}/crl/{{authority}}.crl')).toBe(`http://crl.test/crl/${uuid}.crl`);
    // As defaults were stored before there was an address of its own.
    expect(await sent('{{publicUrl}}/crl/{{authority}}.crl\n{{publicUrl}}/crl/{{authority}}-delta.crl')).toBe(
      `http://crl.test/crl/${uuid}.crl\nhttp://crl.test/crl/${uuid}-delta.crl`,
    );
    expect(await sent('{{publicUrl}}/ocsp/{{authority}}')).toBe(`http://crl.test/ocsp/${uuid}`);
    expect(await sent('{{publicUrl}}/ca/{{authority}}.crt')).toBe(`http://crl.test/ca/${uuid}.crt`);
    expect(await sent('{{publicUrl}}/policy')).toBe('https://pki.test/policy');
  });

  it('has end entity profiles only at a connector of the first generation', async () => {
    const uuid = await create();
    await expect(call('listEntityProfiles', { params: { uuid } })).rejects.toMatchObject({ code: 'object_not_found' });
    fake.on('GET /v1', { body: [infoOf('legacyAuthorityProvider', ['Old'])] });
    fake.on('POST /v1/legacyAuthorityProvider/Old/attributes/validate', {});
    fake.on('GET /v1/legacyAuthorityProvider/Old/attributes', { body: [] });
    fake.on('GET /v1/authorityProvider/authorities/*/endEntityProfiles', { body: [{ id: 7, name: 'people' }] });
    fake.on('GET /v1/authorityProvider/authorities/*/endEntityProfiles/7/cas', { body: [{ id: 1, name: 'ca' }] });
    connectorUuid = await addConnector();
    const legacy = await create({ kind: 'Old', attributes: [] });
    expect((await area.find(legacy)).isLegacy).toBe(true);
    expect(await call('listEntityProfiles', { params: { uuid: legacy } })).toEqual([{ id: 7, name: 'people' }]);
    expect(await call('listCAsInProfile', { params: { uuid: legacy, endEntityProfileId: 7 } })).toEqual([
      { id: 1, name: 'ca' },
    ]);
    await expect(
      call('listCertificateProfiles', { params: { uuid: legacy, endEntityProfileId: 8 } }),
    ).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('asks for an end entity profile where a connector of the first generation defines no RA profiles', async () => {
    fake.on('GET /v1', { body: [infoOf('legacyAuthorityProvider', ['Old'])] });
    fake.on('POST /v1/legacyAuthorityProvider/Old/attributes/validate', {});
    fake.on('GET /v1/legacyAuthorityProvider/Old/attributes', { body: [] });
    fake.on('GET /v1/authorityProvider/authorities/*/endEntityProfiles', { body: [{ id: 7, name: 'people' }] });
    fake.on('GET /v1/authorityProvider/authorities/*/raProfile/attributes', { status: 404 });
    fake.on('POST /v1/authorityProvider/authorities/*/raProfile/attributes/validate', { status: 404 });
    connectorUuid = await addConnector();
    const uuid = await create({ kind: 'Old', attributes: [] });
    const [definition] = await call('listRAProfileAttributes', { params: { uuid } });
    expect(definition).toMatchObject({ name: 'endEntityProfile', content: [{ data: { id: 7, name: 'people' } }] });
    const chosen = (data: unknown) => [{ uuid: newUuid(), name: 'endEntityProfile', contentType: 'object', content: [{ data }] }]; // prettier-ignore
    const check = (body: unknown) => call('validateRAProfileAttributes', { params: { uuid }, body });
    await check(chosen({ id: 7, name: 'people' }));
    await expect(check(chosen({ id: 8, name: 'others' }))).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(check([])).rejects.toMatchObject({ code: 'rejected_by_rules' });
    fake.on('GET /v1/authorityProvider/authorities/*/raProfile/attributes', { status: 500 });
    await expect(call('listRAProfileAttributes', { params: { uuid } })).rejects.toMatchObject({
      code: 'connector_failed',
    });
  });
});

describe('a change whose audit record cannot be written', () => {
  it('does not happen, and an authority that was created in vain is removed at the connector', async () => {
    const uuid = await create();
    const snapshot = () =>
      database.query(
        'SELECT a.uuid, a.name, v.item FROM authority a LEFT JOIN attribute_value v ON v.object_uuid = a.uuid ORDER BY a.uuid',
      );
    const before = await snapshot();
    audit.isBroken = true;
    try {
      await expect(create()).rejects.toThrow('audit trail');
      expect(fake.callsTo('DELETE /v1/authorityProvider/authorities/*')).toHaveLength(1);
      await expect(call('editAuthorityInstance', { params: { uuid }, body: { attributes: [] } })).rejects.toThrow(
        'audit trail',
      );
      await expect(call('deleteAuthorityInstance', { params: { uuid } })).rejects.toThrow('audit trail');
    } finally {
      audit.isBroken = false;
    }
    expect(await snapshot()).toEqual(before);
    await call('deleteAuthorityInstance', { params: { uuid } });
  });
});

describe('removing an authority', () => {
  const rowOf = (uuid: string) => database.query('SELECT status FROM authority WHERE uuid = $1', [uuid]);

  it('removes it at the connector too, where it may be gone already', async () => {
    const [uuid, other] = [await create(), await create()];
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(fake.callsTo('DELETE /v1/authorityProvider/authorities/*')).toHaveLength(1);
    expect(await rowOf(uuid)).toEqual([]);
    expect(await database.query('SELECT FROM attribute_value WHERE object_uuid = $1', [uuid])).toEqual([]);
    expect(await audits(uuid)).toEqual(['create', 'delete']);
    fake.on('DELETE /v1/authorityProvider/authorities/*', { status: 404 });
    await call('deleteAuthorityInstance', { params: { uuid: other } });
    expect(await rowOf(other)).toEqual([]);
    await expect(call('deleteAuthorityInstance', { params: { uuid } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('is refused when the connector fails, and goes on by force', async () => {
    const uuid = await create();
    fake.on('DELETE /v1/authorityProvider/authorities/*', { status: 500 });
    await expect(call('deleteAuthorityInstance', { params: { uuid } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect(await rowOf(uuid)).toEqual([{ status: 'connected' }]);
    expect(await call('bulkDeleteAuthorityInstance', { body: [uuid, newUuid()] })).toMatchObject([{ uuid }]);
    expect(await call('forceDeleteAuthorityInstances', { body: [uuid] })).toEqual([]);
    expect(await rowOf(uuid)).toEqual([]);
  });

  it('keeps others from depending on it while the connector removes it', async () => {
    const uuid = await create();
    let held: unknown;
    fake.on('DELETE /v1/authorityProvider/authorities/*', async () => {
      held = await database.transaction((tx) => area.holdForUse(tx, uuid)).catch((error: unknown) => error);
      return { status: 204 };
    });
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(held).toMatchObject({ code: 'invalid_state' });
  });

  it('can be done again after it was interrupted', async () => {
    const uuid = await create();
    await database.query("UPDATE authority SET status = 'removing' WHERE uuid = $1", [uuid]);
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(await rowOf(uuid)).toEqual([]);
  });

  it('blocks the removal of its connector, and loses it by force', async () => {
    const uuid = await create();
    const remove = (id: string, body: unknown) =>
      connectors.routes
        ?.find(({ operation }) => operation.id === id)
        ?.handle({
          params: { uuid: connectorUuid },
          query: {},
          body,
          context: context({ module: 'core', resource: 'connectors', operation: 'delete' }),
        } as never); // as the operation takes it
    await expect(remove('deleteConnector', undefined)).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await remove('forceDeleteConnector', [connectorUuid])).toEqual([]);
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown).toMatchObject({ status: 'without connector', attributes: [] });
    expect(shown.connectorUuid).toBeUndefined();
    expect(shown.connectorName).toMatch(/ \(Deleted\)$/);
    platform.clock.monotonicMs();
    (platform.clock as ReturnType<typeof createFakeClock>).advance(2_000); // the clock of this test
    await expect(call('listRAProfileAttributes', { params: { uuid } })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    await call('deleteAuthorityInstance', { params: { uuid } });
    expect(await rowOf(uuid)).toEqual([]);
  });
});
