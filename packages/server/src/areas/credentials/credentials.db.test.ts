// The lifecycle of credentials, from creation to deletion, at a connector over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import {
  createTestCredentials,
  file,
  credentialAttribute,
  unprivilegedActor,
  secret,
  text,
  userWith,
  type TestCredentials,
} from './testing/test-credentials.ts';

let test: TestCredentials;

beforeAll(async () => {
  test = await createTestCredentials();
});
afterAll(() => test.stop());

const detail = (uuid: string) => test.call('getCredential', { params: { uuid } });
const valuesOf = async (uuid: string) =>
  Object.fromEntries((await detail(uuid)).attributes.map(({ name, content }) => [name, content]));
const KEY_STORE = { content: '', fileName: 'store.p12', mimeType: 'application/x-pkcs12' };
const CANARIES = ['canary-pw', Buffer.from('canary-pw').toString('hex'), 'Y2FuYXJ5LWtz', 'canary-ks'];

describe('a credential', () => {
  it('is validated by its connector, and returned without secrets or key stores', async () => {
    const uuid = await test.create({ name: 'shown' });
    expect(test.fake.callsTo('POST /v1/credentialProvider/Login/attributes/validate').at(-1)?.body).toMatchObject([
      { name: 'user' },
      { name: 'password', content: [{ data: { secret: 'canary-pw' } }] },
      { name: 'keyStore', content: [{ data: { content: 'Y2FuYXJ5LWtz' } }] },
    ]);
    expect(await detail(uuid)).toMatchObject({
      name: 'shown',
      kind: 'Login',
      enabled: true,
      connectorUuid: test.connectorUuid,
    });
    expect(await valuesOf(uuid)).toEqual({
      user: [{ data: 'me' }],
      password: [{ data: {} }],
      keyStore: [{ data: KEY_STORE }],
    });
    expect((await test.call('listCredentials')).find((each) => each.uuid === uuid)).toMatchObject({ attributes: [] });
    expect(await test.audits(uuid)).toEqual(['create']);
  });

  it('is encrypted in the database, and does not appear in the audit log', async () => {
    await test.create();
    const rows = await test.database.query<{ row: string }>(
      'SELECT v::text AS row FROM attribute_value v UNION ALL SELECT a::text FROM audit_record a UNION ALL SELECT d::text FROM attribute_definition d',
    );
    const clear = rows.map(({ row }) => row).join('\n');
    expect(clear).toContain('store.p12');
    for (const canary of CANARIES) expect(clear).not.toContain(canary);
  });

  it('keeps secrets and key stores that an edit returns unchanged, and accepts new ones', async () => {
    const uuid = await test.create();
    const edit = (attributes: object[]) =>
      test.call('editCredential', { params: { uuid }, body: { attributes } }).then(({ attributes: shown }) => shown);
    await edit([text('user', 'you'), secret('password'), file('keyStore', '')]);
    const sent = () => test.fake.callsTo('POST /v1/credentialProvider/Login/attributes/validate').at(-1)?.body;
    expect(sent()).toMatchObject([
      { content: [{ data: 'you' }] },
      { content: [{ data: { secret: 'canary-pw' } }] },
      { content: [{ data: { content: 'Y2FuYXJ5LWtz', fileName: 'store.p12' } }] },
    ]);
    await edit([text('user', 'you'), secret('password', 'other'), file('keyStore', '')]);
    expect(sent()).toMatchObject([{}, { content: [{ data: { secret: 'other' } }] }, {}]);
    expect((await edit([text('user', 'you')])).map(({ name }) => name)).toEqual(['user']);
    expect(await test.audits(uuid)).toEqual(['create', 'update', 'update', 'update']);
  });

  it('is rejected with the errors of its connector and of the platform, and nothing is stored', async () => {
    await expect(test.create({ kind: 'Other' })).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(test.create({ connectorUuid: newUuid() })).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(test.create({ attributes: [text('unknown', 'x')] })).rejects.toThrow('unknown');
    await expect(test.create({ customAttributes: [text('costCentre', '1')] })).rejects.toThrow('costCentre');
    await test.create({ name: 'taken' });
    await expect(test.create({ name: 'taken' })).rejects.toMatchObject({ code: 'already_exists' });
    test.fake.on('POST /v1/credentialProvider/Login/attributes/validate', { status: 422, body: ['bad password'] });
    await expect(test.create({ name: 'refused' })).rejects.toThrow('bad password');
    test.fake.on('POST /v1/credentialProvider/Login/attributes/validate', {});
    expect((await test.call('listCredentials')).map(({ name }) => name)).not.toContain('refused');
  });

  it('can be deleted only once, together with its values; a bulk deletion skips deleted credentials', async () => {
    const [one, other] = [await test.create(), await test.create()];
    await test.call('deleteCredential', { params: { uuid: one } });
    await expect(test.call('deleteCredential', { params: { uuid: one } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    await test.call('bulkDeleteCredential', { body: [one, other, newUuid()] });
    expect(
      await test.database.query('SELECT FROM attribute_value WHERE object_uuid = ANY($1)', [[one, other]]),
    ).toEqual([]);
    expect(await test.audits(other)).toEqual(['create', 'delete']);
  });

  it('prevents the deletion of its connector, and cannot be edited after its connector was deleted by force', async () => {
    const connectorUuid = await test.connect();
    const uuid = await test.create({ name: 'held', connectorUuid });
    const params = { uuid: connectorUuid };
    await expect(test.call('deleteConnector', { params })).rejects.toThrow('Dependent Credentials (1): held');
    await test.call('forceDeleteConnector', { body: [connectorUuid] });
    const left = await detail(uuid);
    expect(left).toMatchObject({ attributes: [], connectorName: expect.stringContaining('(Deleted)') });
    expect(left.connectorUuid).toBeUndefined();
    const edit = test.call('editCredential', { params: { uuid }, body: { attributes: [] } });
    await expect(edit).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('a credential referenced by another object', () => {
  it('is sent in full, but only to the connector', async () => {
    const uuid = await test.create({ name: 'full' });
    const authority = await test.createAuthority(uuid);
    for (const path of [
      'POST /v1/authorityProvider/Fake/attributes/validate',
      'POST /v1/authorityProvider/authorities',
    ]) {
      const body = JSON.stringify(test.fake.callsTo(path).at(-1)?.body);
      expect(body).toContain('canary-pw');
      expect(body).toContain('Y2FuYXJ5LWtz');
    }
    expect(test.fake.callsTo('POST /v1/authorityProvider/authorities').at(-1)?.body).toMatchObject({
      attributes: [
        {
          name: 'login',
          content: [
            {
              data: {
                uuid,
                name: 'full',
                kind: 'Login',
                attributes: [
                  { name: 'keyStore', type: 'data', properties: { label: 'keyStore' } },
                  { name: 'password', content: [{ data: { secret: 'canary-pw' } }] },
                  { name: 'user' },
                ],
              },
            },
          ],
        },
      ],
    });
    const shown = await test.call('getAuthorityInstance', { params: { uuid: authority } });
    expect(shown.attributes).toMatchObject([{ content: [{ reference: 'login', data: { uuid, name: 'login' } }] }]);
    expect(shown.attributes[0]?.content).toEqual([{ reference: 'login', data: { uuid, name: 'login' } }]);
  });

  it('cannot be deleted while in use: the error lists the objects that use it, and a bulk deletion then deletes nothing', async () => {
    const [used, unused] = [await test.create({ name: 'in use' }), await test.create()];
    const authority = await test.createAuthority(used, undefined, 'user of it');
    const words = 'Credential in use is in use. Dependent authorities (1): user of it';
    await expect(test.call('deleteCredential', { params: { uuid: used } })).rejects.toThrow(words);
    await expect(test.call('bulkDeleteCredential', { body: [unused, used] })).rejects.toThrow(words);
    expect((await detail(unused)).uuid).toBe(unused);
    await test.call('deleteAuthorityInstance', { params: { uuid: authority } });
    await test.call('bulkDeleteCredential', { body: [unused, used] });
  });

  it('cannot be referenced while it is being deleted', async () => {
    const uuid = await test.create();
    // Both pass their checks before either writes.
    const both = Promise.withResolvers<void>();
    test.fake.on('POST /v1/authorityProvider/authorities', async () => {
      await both.promise;
      return { body: { uuid: newUuid(), name: 'late', attributes: [] } };
    });
    const late = test.createAuthority(uuid);
    const removal = test.call('deleteCredential', { params: { uuid } }).finally(() => both.resolve());
    await removal;
    await expect(late).rejects.toThrow('names a credential that does not exist');
  });

  it('must be visible to the caller: a credential that is not visible is rejected with the same error as a missing one', async () => {
    test.fake.on('POST /v1/authorityProvider/authorities', { body: { uuid: newUuid(), name: 'x', attributes: [] } });
    const [own, foreign] = [await test.create(), await test.create()];
    const actor = userWith({ uuid: own, actions: ['list', 'detail'] });
    await test.createAuthority(own, actor);
    const asked = test.fake.calls.length;
    const refusal = {
      code: 'rejected_by_rules',
      message: 'Attribute login names a credential that does not exist or is not visible to you.',
    };
    await expect(test.createAuthority(foreign, actor)).rejects.toMatchObject(refusal);
    await expect(test.createAuthority(newUuid(), actor)).rejects.toMatchObject(refusal);
    await expect(test.createAuthority('nonsense', actor)).rejects.toMatchObject(refusal);
    await expect(test.createAuthority(own, unprivilegedActor)).rejects.toMatchObject(refusal);
    // No secret was sent to a connector on behalf of a user without access to it.
    expect(test.fake.calls.slice(asked)).toEqual([]);
    const params = { uuid: test.connectorUuid, functionGroup: 'authorityProvider', kind: 'Fake' };
    const validate = test.call('validateConnectorAttributes', {
      params,
      body: [credentialAttribute('login', foreign)],
      actor,
    });
    await expect(validate).rejects.toMatchObject(refusal);
  });

  it('cannot be referenced by further objects while disabled, but still works where it is already in use', async () => {
    const uuid = await test.create({ name: 'switched off' });
    const authority = await test.createAuthority(uuid);
    await test.call('disableCredential', { params: { uuid } });
    expect((await detail(uuid)).enabled).toBe(false);
    await expect(test.createAuthority(uuid)).rejects.toThrow('names the credential switched off, which is disabled');
    const edit = { params: { uuid: authority }, body: { attributes: [credentialAttribute('login', uuid)] } };
    test.fake.on('GET /v1/authorityProvider/authorities/*', { body: { uuid: 'a', name: 'a', attributes: [] } });
    test.fake.on('POST /v1/authorityProvider/authorities/*', { body: { uuid: 'a', name: 'a', attributes: [] } });
    await test.call('editAuthorityInstance', edit);
    await test.call('enableCredential', { params: { uuid } });
    await test.createAuthority(uuid);
    expect(await test.audits(uuid)).toEqual(['create', 'disable', 'enable']);
  });
});
