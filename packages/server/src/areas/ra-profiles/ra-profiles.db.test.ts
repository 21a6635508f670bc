import {
  raProfileOperations,
  type CertificateDetailDto,
  type Operation,
  type RequestAttributeDto,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { CRL_URL, infoOf, startFakeConnector, type FakeConnector } from '../connectors/testing/fake-connector.ts';
import type { ConnectorResponse } from '../connectors/index.ts';
import type { CaChain } from './index.ts';
import { addAuthority, context, createTestAreas, type TestAreas } from './testing/test-areas.ts';

type Operations = typeof raProfileOperations;

let database: Database;
let platform: Platform;
let areas: TestAreas;
let fake: FakeConnector;
let authorityUuid: string;
let publicUrl = 'http://127.0.0.1:8080';
const fakes: FakeConnector[] = [];
const clock = createFakeClock();

beforeAll(async () => {
  database = await testDatabase();
  platform = testPlatform(database, { clock, publicUrl: () => publicUrl, revocationUrl: () => publicUrl });
  areas = createTestAreas(platform);
});
beforeEach(async () => {
  fake = await startFakeConnector();
  fakes.push(fake);
  authorityUuid = await addAuthority(areas, fake.url);
});
afterAll(async () => {
  await areas.connectors.stop?.();
  await Promise.all(fakes.map((each) => each.close()));
});

async function call<Key extends keyof Operations>(
  key: Key,
  input: { params?: object; query?: object; body?: unknown } = {},
): Promise<ConnectorResponse<Operations[Key]>> {
  const operation: Operation = raProfileOperations[key];
  const route = areas.area.routes?.find((each) => each.operation === operation);
  const body = operation.body?.parse(input.body);
  const facts = operation.audit;
  return route?.handle({
    params: input.params ?? {},
    query: input.query ?? {},
    body,
    context: context(facts),
  } as never) as Promise<ConnectorResponse<Operations[Key]>>; // The operation determines the type.
}

const crlUrl = (value: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: 'data_crlUrl',
  contentType: 'string',
  content: [{ data: value }],
});
const name = () => `profile-${newUuid()}`;
const create = async (facts: object = {}): Promise<string> => {
  const { uuid } = await call('createRaProfile', {
    params: { authorityUuid },
    body: { name: name(), attributes: [], enabled: true, ...facts },
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

describe('an RA profile', () => {
  it('is created with attributes that its authority accepts, and its creation is recorded in the audit log', async () => {
    const uuid = await create({
      description: 'for tests',
      attributes: [crlUrl('http://x/{{authority}}')],
      enabled: undefined,
    });
    const params = { authorityUuid, raProfileUuid: uuid };
    expect(await call('getRaProfile', { params })).toMatchObject({
      uuid, description: 'for tests', enabled: false, authorityInstanceUuid: authorityUuid, legacyAuthority: false,
      attributes: [{ name: 'data_crlUrl', label: 'Label of data_crlUrl', content: [{ data: 'http://x/{{authority}}' }] }], certificateValidationSettings: {},
    }); // prettier-ignore
    expect(await call('getRaProfileWithoutAuthority', { params: { raProfileUuid: uuid } })).toMatchObject({ uuid });
    expect(await audits(uuid)).toEqual(['create']);
  });

  it('can be found only under its own authority', async () => {
    const raProfileUuid = await create();
    await expect(call('getRaProfile', { params: { authorityUuid: newUuid(), raProfileUuid } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    await expect(areas.area.forIssuing(newUuid(), raProfileUuid)).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it.each([
    ['a name that cannot appear in a URL', { name: 'with space' }, 'rejected_by_rules'],
    [
      'an attribute that the authority does not define',
      { attributes: [{ ...crlUrl('http://x'), name: 'other' }] },
      'rejected_by_rules',
    ],
    ['a value that violates its constraint', { attributes: [crlUrl('nonsense')] }, 'rejected_by_rules'],
    ['custom attributes', { customAttributes: [crlUrl('x')] }, 'rejected_by_rules'],
  ])('is rejected for %s', async (_what, facts, code) => {
    await expect(create(facts)).rejects.toMatchObject({ code });
  });

  it('has a unique name', async () => {
    const taken = name();
    await create({ name: taken });
    await expect(create({ name: taken })).rejects.toMatchObject({ code: 'already_exists' });
  });

  it('is edited as a whole, but remains enabled or disabled unless specified otherwise', async () => {
    const raProfileUuid = await create({ attributes: [crlUrl('http://x')], description: 'old' });
    const edited = await call('editRaProfile', { params: { authorityUuid, raProfileUuid }, body: { attributes: [] } });
    expect(edited).toMatchObject({ enabled: true, attributes: [] });
    expect(edited.description).toBeUndefined();
    expect(await audits(raProfileUuid)).toEqual(['create', 'update']);
  });

  it('cannot be edited by a client that did not load the attributes if any attributes are required', async () => {
    const raProfileUuid = await create({ attributes: [crlUrl('http://x')] });
    const required = { ...CRL_URL, properties: { label: 'CRL', required: true } };
    fake.on('GET /v1/authorityProvider/authorities/*/raProfile/attributes', { body: [required] });
    const params = { authorityUuid, raProfileUuid };
    const edit = call('editRaProfile', { params, body: { attributes: [] } });
    await expect(edit).rejects.toThrow('Attribute CRL (data_crlUrl) is required.');
    expect((await call('getRaProfile', { params })).attributes).toMatchObject([{ name: 'data_crlUrl' }]);
  });

  it('can be enabled and disabled individually and in bulk; unknown profiles are skipped', async () => {
    const [first, second] = [await create(), await create()];
    await call('disableRaProfile', { params: { authorityUuid, raProfileUuid: first } });
    const disabled = await call('listRaProfiles', { query: { enabled: false } });
    expect(disabled.map(({ uuid }) => uuid)).toContain(first);
    expect(disabled.map(({ uuid }) => uuid)).not.toContain(second);
    const profile = await areas.area.forIssuing(authorityUuid, first);
    expect(() => areas.area.assertEnabled(profile)).toThrow('disabled');
    await call('bulkEnableRaProfile', { body: [first, newUuid()] });
    await call('bulkDisableRaProfile', { body: [second] });
    expect((await areas.area.findMany([first, second])).map(({ uuid, enabled }) => [uuid, enabled]).sort()).toEqual(
      [
        [first, true],
        [second, false],
      ].sort(),
    );
    expect(await audits(first)).toEqual(['create', 'disable', 'enable']);
  });

  it('shows the protocols that are activated on it, both individually and in the list', async () => {
    const [first, second] = [await create(), await create()];
    const activated = (uuids: readonly string[]) => (_executor: unknown, asked: readonly string[]) =>
      Promise.resolve(asked.filter((uuid) => uuids.includes(uuid)));
    areas.area.registerProtocol({ name: 'SCEP', activatedOn: activated([first]) });
    areas.area.registerProtocol({ name: 'ACME', activatedOn: activated([first]) });
    const shown = await call('getRaProfileWithoutAuthority', { params: { raProfileUuid: first } });
    expect(shown.enabledProtocols).toEqual(['ACME', 'SCEP']);
    const listed = new Map(
      (await call('listRaProfiles')).map(({ uuid, enabledProtocols }) => [uuid, enabledProtocols]),
    );
    expect(listed.get(first)).toEqual(['ACME', 'SCEP']);
    expect(listed.get(second)).toEqual([]);
  });

  it('cannot be removed while it is locked for use, and cannot be locked after its removal', async () => {
    const raProfileUuid = await create();
    const { holdForUse } = areas.area;
    let removing: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await holdForUse(tx, raProfileUuid);
      removing = call('deleteRaProfile', { params: { authorityUuid, raProfileUuid } });
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await vi.waitFor(async () => expect(await database.query(waiting)).toHaveLength(1));
      expect(await areas.area.findByUuid(raProfileUuid)).toBeDefined();
    });
    await removing;
    await expect(database.transaction((tx) => holdForUse(tx, raProfileUuid))).rejects.toMatchObject({
      code: 'object_not_found',
    });
  });

  it('keeps its own validation settings only as long as it specifies them', async () => {
    const raProfileUuid = await create();
    const set = (body: object) =>
      call('updateRaProfileValidationConfiguration', { params: { authorityUuid, raProfileUuid }, body });
    expect((await set({ enabled: true, frequency: 3 })).certificateValidationSettings).toEqual({
      enabled: true,
      frequency: 3,
      expiringThreshold: 30,
    });
    expect((await set({ enabled: false })).certificateValidationSettings).toEqual({ enabled: false });
    expect((await set({})).certificateValidationSettings).toEqual({});
  });

  it('is removed with its attribute values, and dependents are notified in the same transaction', async () => {
    const [first, second] = [await create({ attributes: [crlUrl('http://x')] }), await create()];
    const told: (readonly string[])[] = [];
    let keep: string | undefined;
    areas.area.registerDependants({
      reasonsToKeep: (_executor, uuid) => Promise.resolve(uuid === keep ? ['an ACME profile issues with it'] : []),
      onRaProfilesRemoved: (_tx, uuids) => Promise.resolve(void told.push(uuids)),
    });
    keep = second;
    await expect(call('bulkDeleteRaProfile', { body: [first, second] })).rejects.toThrow(
      'an ACME profile issues with it',
    );
    expect(told).toEqual([]);
    await call('deleteRaProfile', { params: { authorityUuid, raProfileUuid: first } });
    expect(told).toEqual([[first]]);
    expect(await database.query('SELECT FROM attribute_value WHERE object_uuid = $1', [first])).toEqual([]);
    await expect(call('deleteRaProfileWithoutAuthority', { params: { raProfileUuid: first } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    keep = undefined;
    await call('bulkDeleteRaProfile', { body: [first, second] });
    expect(await areas.area.findByUuid(second)).toBeUndefined();
  });

  it('does not change if the audit record cannot be written', async () => {
    const raProfileUuid = await create({ attributes: [crlUrl('http://x')] });
    const params = { authorityUuid, raProfileUuid };
    const snapshot = () =>
      database.query(
        'SELECT p.*, v.item FROM ra_profile p LEFT JOIN attribute_value v ON v.object_uuid = p.uuid ORDER BY p.uuid',
      );
    const before = await snapshot();
    const own = areas.audit;
    own.isBroken = true;
    try {
      await expect(create()).rejects.toThrow('audit trail');
      await expect(call('editRaProfile', { params, body: { attributes: [] } })).rejects.toThrow('audit trail');
      await expect(call('disableRaProfile', { params })).rejects.toThrow('audit trail');
      await expect(
        call('updateRaProfileValidationConfiguration', { params, body: { enabled: false } }),
      ).rejects.toThrow('audit trail');
      await expect(call('deleteRaProfile', { params })).rejects.toThrow('audit trail');
    } finally {
      own.isBroken = false;
    }
    expect(await snapshot()).toEqual(before);
  });

  it('prevents the removal of its authority, and has no authority after a forced removal', async () => {
    const raProfileUuid = await create({ attributes: [crlUrl('http://x')] });
    const remove = (id: string, body: unknown) =>
      areas.authorities.routes
        ?.find(({ operation }) => operation.id === id)
        ?.handle({
          params: { uuid: authorityUuid },
          query: {},
          body,
          context: context({ module: 'core', resource: 'authorities', operation: 'delete' }),
        } as never); // The operation determines the input type; prettier-ignore
    await expect(remove('deleteAuthorityInstance', undefined)).rejects.toThrow('Dependent RA profiles (1)');
    expect(await remove('forceDeleteAuthorityInstances', [authorityUuid])).toEqual([]);
    const shown = await call('getRaProfileWithoutAuthority', { params: { raProfileUuid } });
    expect(shown.authorityInstanceUuid).toBeUndefined();
    clock.advance(2_000);
    await expect(areas.area.forIssuingByUuid(raProfileUuid)).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});

describe('issuing', () => {
  it('reads the profile with everything that a call requires, and replaces placeholders with current values', async () => {
    const uuid = await create({ attributes: [crlUrl('{{publicUrl}}/crl/{{authority}}.crl')] });
    const raProfiles = areas.area;
    expect(await raProfiles.forIssuing(authorityUuid, uuid)).toMatchObject({
      authorityUuid,
      authorityConnectorUuid: 'authority-1',
      enabled: true,
      legacy: false,
      features: ['idempotency'],
      raProfileAttributes: [
        { name: 'data_crlUrl', content: [{ data: `http://127.0.0.1:8080/crl/${authorityUuid}.crl` }] },
      ],
    });
    publicUrl = 'https://pki.test';
    clock.advance(2_000);
    const [attribute] = (await raProfiles.forIssuingByUuid(uuid)).raProfileAttributes;
    expect(attribute?.content).toEqual([{ data: `https://pki.test/crl/${authorityUuid}.crl` }]);
    expect((await raProfiles.attributesForAuthority(authorityUuid))?.[0]).toEqual(attribute);
    publicUrl = 'http://127.0.0.1:8080';
  });

  it('sees changes made on this node immediately, and changes made on a different node within 5 s', async () => {
    const raProfileUuid = await create();
    const other = createTestAreas(
      testPlatform(database, {
        clock,
        publicUrl: () => publicUrl,
        revocationUrl: () => publicUrl,
        sealer: platform.sealer,
      }),
    );
    expect((await other.area.forIssuingByUuid(raProfileUuid)).enabled).toBe(true);
    await areas.area.forIssuingByUuid(raProfileUuid);
    await call('disableRaProfile', { params: { authorityUuid, raProfileUuid } });
    expect((await areas.area.forIssuingByUuid(raProfileUuid)).enabled).toBe(false);
    clock.advance(4_000);
    expect((await other.area.forIssuingByUuid(raProfileUuid)).enabled).toBe(false);
    await other.connectors.stop?.();
  });

  it('needs no call for certificate attributes if none are specified and none are required', async () => {
    const profile = await areas.area.forIssuingByUuid(await create());
    const accept = (requested: RequestAttributeDto[]) =>
      areas.area.acceptCertificateAttributes(profile, { purpose: 'issue', requested });
    expect(await accept([])).toEqual([]);
    const before = fake.calls.length;
    expect(await accept([])).toEqual([]);
    expect(fake.calls).toHaveLength(before);
  });

  it('validates certificate attributes both by the connector and by the platform', async () => {
    const required = { ...CRL_URL, properties: { label: 'Serial', required: true } };
    fake.on('GET /v2/authorityProvider/authorities/*/certificates/issue/attributes', { body: [required] });
    const raProfileUuid = await create();
    const profile = await areas.area.forIssuingByUuid(raProfileUuid);
    const accept = (requested: RequestAttributeDto[]) =>
      areas.area.acceptCertificateAttributes(profile, { purpose: 'issue', requested });
    await expect(accept([])).rejects.toMatchObject({
      parameters: { problems: ['Attribute Serial (data_crlUrl) is required.'] },
    });
    expect(await accept([crlUrl('http://x')])).toMatchObject([{ uuid: required.uuid }]);
    fake.on('POST /v2/authorityProvider/authorities/*/certificates/issue/attributes/validate', {
      status: 422,
      body: ['not today'],
    });
    await expect(accept([crlUrl('http://x')])).rejects.toMatchObject({ parameters: { problems: ['not today'] } });
    const params = { authorityUuid, raProfileUuid };
    expect(await call('listRaProfileIssueCertificateAttributes', { params })).toHaveLength(1);
    expect(await call('listRaProfileRevokeCertificateAttributes', { params })).toEqual([]);
  });
});

describe('CA certificates of an authority', () => {
  const learned: CaChain[] = [];
  const described: (readonly string[])[] = [];
  const uuids = [newUuid(), newUuid()];

  beforeAll(() => {
    areas.area.registerCaCertificates({
      learn: (chain) => Promise.resolve((learned.push(chain), uuids)),
      describe: (certificateUuids) =>
        Promise.resolve(
          (described.push(certificateUuids), certificateUuids.map((uuid) => ({ uuid }) as CertificateDetailDto)),
        ), // The port determines the rest.
    });
  });

  it("are read when a profile is created, and the first one becomes the profile's issuer", async () => {
    const raProfileUuid = await create();
    expect(learned.at(-1)).toMatchObject({
      authorityUuid,
      authorityConnectorUuid: 'authority-1',
      chainDer: [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5, 6)],
    });
    expect((await areas.area.forIssuingByUuid(raProfileUuid)).caCertificateUuid).toBe(uuids[0]);
    expect(await areas.area.caCertificateUuids(authorityUuid)).toEqual([uuids[0]]);
    expect(await call('getAuthorityCertificateChain', { params: { authorityUuid, raProfileUuid } })).toEqual(
      uuids.map((uuid) => ({ uuid })),
    );
  });

  it('are optional: the profile is also created without them', async () => {
    fake.on('POST /v1/authorityProvider/authorities/*/caCertificates', { status: 404 });
    const raProfileUuid = await create();
    expect((await areas.area.forIssuingByUuid(raProfileUuid)).caCertificateUuid).toBeNull();
    await expect(
      call('getAuthorityCertificateChain', { params: { authorityUuid, raProfileUuid } }),
    ).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('are requested even if the connector does not list the endpoint, which is not part of the interface definition', async () => {
    const info = infoOf('authorityProvider', ['Fake']);
    const endPoints = info.endPoints.filter((endpoint) => endpoint.name !== 'getCaCertificates');
    fake.on('GET /v1', { body: [{ ...info, endPoints }] });
    const other = await addAuthority(areas, fake.url);
    const { uuid: raProfileUuid } = await call('createRaProfile', {
      params: { authorityUuid: other },
      body: { name: name(), attributes: [], enabled: true },
    });
    const before = fake.callsTo('POST /v1/authorityProvider/authorities/*/caCertificates').length;
    await call('getAuthorityCertificateChain', { params: { authorityUuid: other, raProfileUuid } });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities/*/caCertificates').length).toBe(before + 1);
  });
});
