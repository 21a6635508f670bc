import type { RequestAttributeDto } from '@signetry/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { infoOf, type FakeConnector } from '../connectors/testing/fake-connector.ts';
import { createAuthoritiesFixture, name, text } from './testing/authorities-fixture.ts';

const { database, audit, area, startConnector, addConnector, call, create, audits, stop } =
  await createAuthoritiesFixture();

let fake: FakeConnector;
let connectorUuid: string;

beforeEach(async () => {
  fake = await startConnector();
  connectorUuid = await addConnector(fake);
});
afterAll(stop);

const password = (value?: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: 'data_password',
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});

describe('creating an authority', () => {
  it('validates it, fetches definitions, creates it at the connector, then stores and records it', async () => {
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
    expect(shown.attributes.map(({ name: attribute, content }) => [attribute, content])).toEqual([
      ['data_address', [{ data: 'ca.test' }]],
      ['data_password', [{ data: {} }]],
    ]);
    expect(await audits(uuid)).toEqual(['create']);
    expect(await area.find(uuid)).toMatchObject({
      connectorAuthorityUuid: 'authority-1',
      isLegacy: false,
      features: ['idempotency'],
    });
  });

  it('rejects a name that is already in use before anything is created at the connector', async () => {
    const taken = name();
    await create({ name: taken });
    await expect(create({ name: taken })).rejects.toMatchObject({ code: 'already_exists' });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities')).toHaveLength(1);
  });

  it('removes the authority from the connector if two callers use the same name concurrently', async () => {
    const taken = name();
    // Neither request is answered before both have arrived.
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
  ])('rejects %s', async (_what, facts, code) => {
    await expect(create(facts)).rejects.toMatchObject({ code });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities')).toEqual([]);
  });

  it('accepts connector responses that contain no attributes', async () => {
    fake.on('POST /v1/authorityProvider/authorities', { body: { uuid: 'bare', name: 'bare', attributes: null } });
    fake.on('GET /v1/authorityProvider/authorities/*', { body: { uuid: 'bare', name: 'bare' } });
    const uuid = await create();
    expect(await call('getAuthorityInstance', { params: { uuid } })).toMatchObject({ status: 'connected' });
  });

  it('stores nothing if the connector does not create it', async () => {
    fake.on('POST /v1/authorityProvider/authorities', 'reset');
    const chosen = name();
    await expect(create({ name: chosen })).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(await area.findByName(chosen)).toBeUndefined();
  });
});

describe('an authority', () => {
  it('is shown with stored data while its connector is down', async () => {
    const uuid = await create();
    await fake.close();
    expect(await call('getAuthorityInstance', { params: { uuid } })).toMatchObject({
      status: 'unavailable',
      attributes: [{ name: 'data_address' }],
    });
  });

  it("shows the connector's attributes if none are stored", async () => {
    const uuid = await create({ attributes: [] });
    const attribute = (attributeName: string, contentType: string, data: unknown) => ({
      version: 2, uuid: newUuid(), name: attributeName, type: 'data', contentType, content: [{ data }], properties: { label: attributeName },
    }); // prettier-ignore
    const attributes = [attribute('own', 'string', 'v'), attribute('pin', 'secret', { secret: 'canary' })];
    fake.on('GET /v1/authorityProvider/authorities/*', { body: { uuid: 'a', name: 'a', attributes } });
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown.attributes.map(({ content }) => content)).toEqual([[{ data: 'v' }], [{ data: {} }]]);
  });

  it('is edited as a whole, except that omitted secrets are kept', async () => {
    const uuid = await create({ attributes: [text('data_address', 'old'), password('kept')] });
    await call('editAuthorityInstance', { params: { uuid }, body: { attributes: [password()] } });
    expect(fake.callsTo('POST /v1/authorityProvider/authorities/*').at(-1)?.body).toMatchObject({
      attributes: [{ name: 'data_password', content: [{ data: { secret: 'kept' } }] }],
    });
    const shown = await call('getAuthorityInstance', { params: { uuid } });
    expect(shown.attributes.map(({ name: attribute }) => attribute)).toEqual(['data_password']);
    expect(await audits(uuid)).toEqual(['create', 'update']);
  });

  it('is unchanged if the connector rejects the edit', async () => {
    const uuid = await create();
    fake.on('POST /v1/authorityProvider/authorities/*', { status: 422, body: ['no'] });
    await expect(call('editAuthorityInstance', { params: { uuid }, body: { attributes: [] } })).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
    expect((await call('getAuthorityInstance', { params: { uuid } })).attributes).toHaveLength(1);
  });

  it('allows one edit at a time: the second is rejected, and connector and platform store the values of the first', async () => {
    const uuid = await create();
    const edit = (value: string) =>
      call('editAuthorityInstance', { params: { uuid }, body: { attributes: [text('data_address', value)] } });
    // The connector responds to the first edit once the second has ended. If the second also reached it, both would get
    // a response.
    const overlapped = Promise.withResolvers<void>();
    let asked = 0;
    fake.on('POST /v1/authorityProvider/authorities/*', async () => {
      asked += 1;
      if (asked > 1) overlapped.resolve();
      await overlapped.promise;
      return { body: { uuid: 'authority-1', name: 'edited', attributes: [] } };
    });
    const edits = [edit('one'), edit('other')];
    for (const each of edits) each.catch(() => overlapped.resolve());
    const outcomes = await Promise.allSettled(edits);
    const [refused] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(refused?.message).toContain('being edited by another user');
    const sent = fake.callsTo('POST /v1/authorityProvider/authorities/*');
    expect(sent).toHaveLength(1);
    const stored = (await call('getAuthorityInstance', { params: { uuid } })).attributes[0]?.content;
    expect(sent[0]?.body).toMatchObject({ attributes: [{ content: stored }] });
    await edit('later');
  });

  it('replaces placeholders in RA profile attributes that are sent to the connector, and returns the attributes with placeholders for storage', async () => {
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

  it('inserts the http URL for CRLs, OCSP and CA certificates, even if a profile refers to the public URL', async () => {
    const uuid = await create();
    const sent = async (value: string) =>
      (await area.raProfileAttributesToSend(uuid, [text('data_crlUrl', value)]))[0]?.content[0]?.data;
    expect(await sent('{{revocationUrl}}/crl/{{authority}}.crl')).toBe(`http://crl.test/crl/${uuid}.crl`);
    // Defaults stored before this URL was introduced.
    expect(await sent('{{publicUrl}}/crl/{{authority}}.crl\n{{publicUrl}}/crl/{{authority}}-delta.crl')).toBe(
      `http://crl.test/crl/${uuid}.crl\nhttp://crl.test/crl/${uuid}-delta.crl`,
    );
    expect(await sent('{{publicUrl}}/ocsp/{{authority}}')).toBe(`http://crl.test/ocsp/${uuid}`);
    expect(await sent('{{publicUrl}}/ca/{{authority}}.crt')).toBe(`http://crl.test/ca/${uuid}.crt`);
    expect(await sent('{{publicUrl}}/policy')).toBe('https://pki.test/policy');
  });

  it('has end entity profiles only if its connector is first-generation', async () => {
    const uuid = await create();
    await expect(call('listEntityProfiles', { params: { uuid } })).rejects.toMatchObject({ code: 'object_not_found' });
    fake.on('GET /v1', { body: [infoOf('legacyAuthorityProvider', ['Old'])] });
    fake.on('POST /v1/legacyAuthorityProvider/Old/attributes/validate', {});
    fake.on('GET /v1/legacyAuthorityProvider/Old/attributes', { body: [] });
    fake.on('GET /v1/authorityProvider/authorities/*/endEntityProfiles', { body: [{ id: 7, name: 'people' }] });
    fake.on('GET /v1/authorityProvider/authorities/*/endEntityProfiles/7/cas', { body: [{ id: 1, name: 'ca' }] });
    connectorUuid = await addConnector(fake);
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

  it('requires an end entity profile if a first-generation connector defines no RA profile attributes', async () => {
    fake.on('GET /v1', { body: [infoOf('legacyAuthorityProvider', ['Old'])] });
    fake.on('POST /v1/legacyAuthorityProvider/Old/attributes/validate', {});
    fake.on('GET /v1/legacyAuthorityProvider/Old/attributes', { body: [] });
    fake.on('GET /v1/authorityProvider/authorities/*/endEntityProfiles', { body: [{ id: 7, name: 'people' }] });
    fake.on('GET /v1/authorityProvider/authorities/*/raProfile/attributes', { status: 404 });
    fake.on('POST /v1/authorityProvider/authorities/*/raProfile/attributes/validate', { status: 404 });
    connectorUuid = await addConnector(fake);
    const uuid = await create({ kind: 'Old', attributes: [] });
    const [definition] = await call('listRAProfileAttributes', { params: { uuid } });
    expect(definition).toMatchObject({ name: 'endEntityProfile', content: [{ data: { id: 7, name: 'people' } }] });
    const chosen = (data: unknown) => [
      { uuid: newUuid(), name: 'endEntityProfile', contentType: 'object', content: [{ data }] },
    ];
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
  it('has no effect, and an authority that has already been created is removed from the connector', async () => {
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

describe('an authority whose name is taken while the connector creates it', () => {
  const createTaken = async (): Promise<unknown> => {
    const taken = name();
    fake.on('POST /v1/authorityProvider/authorities', async () => {
      await database.query(
        `INSERT INTO authority (uuid, name, kind, connector_uuid, connector_name, connector_authority_uuid, status, created_at, updated_at)
         VALUES ($1, $2, 'Fake', NULL, 'x', 'x', 'connected', now(), now())`,
        [newUuid(), taken],
      );
      return { body: { uuid: 'made-there', name: taken, attributes: [] } };
    });
    return create({ name: taken }).catch((error: unknown) => error);
  };

  it('is removed from the connector', async () => {
    fake.on('DELETE /v1/authorityProvider/authorities/made-there', { status: 204 });
    expect(await createTaken()).toMatchObject({ code: 'already_exists' });
    expect(fake.callsTo('DELETE /v1/authorityProvider/authorities/made-there')).toHaveLength(1);
  });

  it('is named in the error if it cannot be removed at the connector', async () => {
    fake.on('DELETE /v1/authorityProvider/authorities/made-there', { status: 500 });
    expect(await createTaken()).toMatchObject({
      code: 'rejected_by_rules',
      parameters: {
        problems: [
          expect.stringContaining('already exists'),
          expect.stringMatching(/created the authority .+ \(made-there\) but did not remove it again: remove it there/),
        ],
      },
    });
  });
});
