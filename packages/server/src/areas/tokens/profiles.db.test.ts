import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreContext, noPermissions, type PermissionSet } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import {
  secret,
  text,
  TOKENS,
  tokensFixture,
  type FakeProvider,
  type TokensFixture,
} from './testing/tokens-fixture.ts';

const PIN = 'canary-pin-of-the-profile';
let test: TokensFixture;
let provider: FakeProvider;
/** Two tokens from the same provider. */
let [tokenUuid, otherUuid] = ['', ''];

beforeAll(async () => {
  test = await tokensFixture();
  const added = await test.addProvider();
  ({ provider } = added);
  for (const name of ['first', 'second']) await test.addToken(added.connectorUuid, { name });
  const byName = new Map((await test.call('listTokenInstances')).map(({ name, uuid }) => [name, uuid]));
  [tokenUuid, otherUuid] = [byName.get('first') ?? '', byName.get('second') ?? ''];
});
afterAll(() => test.close());

const profileName = () => `profile ${newUuid()}`;
const add = (facts: object = {}, tokenInstanceUuid = tokenUuid) =>
  test.call('createTokenProfile', {
    params: { tokenInstanceUuid },
    body: { name: profileName(), attributes: [], ...facts },
  });
const paramsOf = (uuid: string, tokenInstanceUuid = tokenUuid) => ({ uuid, tokenInstanceUuid });
const detail = (uuid: string, of = tokenUuid) => test.call('getTokenProfile', { params: paramsOf(uuid, of) });
const edit = (uuid: string, facts: object = {}, of = tokenUuid) =>
  test.call('editTokenProfile', { params: paramsOf(uuid, of), body: { attributes: [], ...facts } });
const listed = async (enabled?: boolean) =>
  (await test.call('listTokenProfiles', { query: enabled === undefined ? {} : { enabled } })).map(({ uuid }) => uuid);
const unknown = (uuid: string) => ({
  code: 'object_not_found',
  message: `Token profile ${uuid} does not exist or is not visible to you.`,
});

describe('a new token profile', () => {
  it('is disabled, permits no usages, and has no description by default', async () => {
    const { uuid, name, ...shown } = await add({ description: '' });
    expect(shown).toEqual({
      tokenInstanceUuid: tokenUuid,
      tokenInstanceName: 'first',
      tokenInstanceStatus: 'Activated',
      enabled: false,
      usages: [],
      attributes: [],
      customAttributes: [],
    });
    expect(await detail(uuid)).toEqual({ uuid, name, ...shown });
    expect(await test.audits(uuid)).toEqual(['create']);
  });

  it('has its usages in the order of the API, without duplicates', async () => {
    const { usages, enabled } = await add({ enabled: true, usage: ['verify', 'unwrap', 'sign', 'verify'] });
    expect([usages, enabled]).toEqual([['sign', 'verify', 'unwrap'], true]);
  });

  it("has attributes that are validated by its token's provider", async () => {
    await add({ attributes: [text('data_mode', 'fast')] });
    const [there] = provider.callsTo(`POST ${TOKENS}/*/tokenProfile/attributes/validate`).slice(-1);
    expect(there?.body).toMatchObject([{ name: 'data_mode', content: [{ data: 'fast' }] }]);
    const name = profileName();
    await expect(add({ name, attributes: [text('data_other', 'x')] })).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining('data_other'),
    });
    expect((await test.call('listTokenProfiles')).map((each) => each.name)).not.toContain(name);
  });

  it('has a name that is unique across the profiles of all tokens', async () => {
    const { name } = await add();
    await expect(add({ name }, otherUuid)).rejects.toMatchObject({
      code: 'already_exists',
      message: `Token profile ${name} already exists; names and contents must be unique.`,
    });
  });

  it('requires an existing token', async () => {
    const missing = newUuid();
    await expect(add({}, missing)).rejects.toMatchObject({
      code: 'object_not_found',
      message: `Token ${missing} does not exist or is not visible to you.`,
    });
  });
});

describe('a token profile', () => {
  it('can be found only under its own token, in every operation', async () => {
    const { uuid } = await add();
    const params = paramsOf(uuid, otherUuid);
    const asked = [
      () => detail(uuid, otherUuid),
      () => edit(uuid, {}, otherUuid),
      () => test.call('enableTokenProfile', { params }),
      () => test.call('deleteTokenProfile', { params }),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject(unknown(uuid));
    expect(await detail(uuid, tokenUuid.toUpperCase())).toMatchObject({ uuid, enabled: false });
  });

  it('keeps all values that an edit omits, except its description and attributes', async () => {
    const attributes = [text('data_mode', 'fast'), secret('data_pin', PIN)];
    const { uuid } = await add({ description: 'a', enabled: true, usage: ['sign'], attributes });
    const kept = await edit(uuid, { attributes: [secret('data_pin')] });
    expect(kept).toMatchObject({ enabled: true, usages: ['sign'], attributes: [{ name: 'data_pin' }] });
    expect(kept.description).toBeUndefined();
    expect(await edit(uuid, { enabled: false, usage: [], description: 'b' })).toMatchObject({
      enabled: false,
      usages: [],
      description: 'b',
      attributes: [],
    });
    const left = await test.database.query(
      `SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb
       AND operation = 'update' AND to_jsonb(audit_record)::text LIKE '%attributesLeftOut%'`,
      [JSON.stringify([{ uuid }])],
    );
    expect(left).toHaveLength(2);
  });

  it('has secrets that are never shown, but are sent to the provider', async () => {
    const { uuid } = await add({ attributes: [secret('data_pin', PIN)] });
    expect(JSON.stringify(await detail(uuid))).not.toContain(PIN);
    await edit(uuid, { attributes: [secret('data_pin')] });
    const row = await test.area.requireProfile({ profileUuid: uuid });
    expect(await test.area.profileAttributesToSend(row)).toMatchObject([
      { name: 'data_pin', content: [{ data: { secret: PIN } }] },
    ]);
  });

  it('can be enabled and assigned usages individually or in bulk; unknown profiles are skipped only in bulk', async () => {
    const [{ uuid: one }, { uuid: two }] = [await add(), await add()];
    const missing = newUuid();
    await test.call('enableTokenProfile', { params: paramsOf(one) });
    await test.call('enableTokenProfiles', { body: [two, missing] });
    await test.call('bulkUpdateTokenProfileUsages', { body: { uuids: [one, missing], usage: ['wrap', 'sign'] } });
    const params = { tokenInstanceUuid: tokenUuid, tokenProfileUuid: two };
    await test.call('updateTokenProfileUsages', { params, body: { usage: ['decrypt'] } });
    expect(await detail(one)).toMatchObject({ enabled: true, usages: ['sign', 'wrap'] });
    expect(await detail(two)).toMatchObject({ enabled: true, usages: ['decrypt'] });
    await test.call('disableTokenProfiles', { body: [one, two] });
    expect(await detail(one)).toMatchObject({ enabled: false, usages: ['sign', 'wrap'] });
    await expect(test.call('disableTokenProfile', { params: paramsOf(missing) })).rejects.toMatchObject(
      unknown(missing),
    );
  });

  it('can be filtered by enabled state, and is counted for its token', async () => {
    const { uuid: token } = await test.addToken((await test.addProvider()).connectorUuid);
    const on = await add({ enabled: true }, token);
    const off = await add({}, token);
    const shows = async (enabled?: boolean) => {
      const uuids = await listed(enabled);
      return [on, off].map(({ uuid }) => uuids.includes(uuid));
    };
    expect([await shows(), await shows(true), await shows(false)]).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
    expect(await test.call('getTokenInstance', { params: { uuid: token } })).toMatchObject({ tokenProfiles: 2 });
  });

  it('can be deleted under its token, individually or in bulk, while the token remains', async () => {
    const [one, two, three] = [await add(), await add(), await add()];
    await test.call('deleteTokenProfile', { params: paramsOf(one.uuid) });
    await test.call('deleteTokenProfileWithoutToken', { params: { uuid: two.uuid } });
    await test.call('bulkDeleteTokenProfiles', { body: [three.uuid, newUuid(), one.uuid] });
    for (const { uuid } of [one, two, three]) {
      await expect(detail(uuid)).rejects.toMatchObject(unknown(uuid));
      expect(await test.audits(uuid)).toEqual(['create', 'delete']);
    }
    const again = test.call('deleteTokenProfileWithoutToken', { params: { uuid: two.uuid } });
    await expect(again).rejects.toMatchObject(unknown(two.uuid));
    expect(await test.area.find(tokenUuid)).toMatchObject({ name: 'first' });
  });
});

describe('the custom attributes of a token profile', () => {
  const as = (permissions: PermissionSet) => ({
    ...coreContext('test'),
    actor: { ...coreContext('test').actor, permissions },
  });
  const detailOf = (uuid: string): PermissionSet => {
    const right = { allowed: new Set(['detail'] as const), denied: new Set<never>() };
    const tokens = { allowAllActions: false, actions: new Set<never>(), objects: new Map([[uuid, right]]) };
    return { allowAllResources: false, resources: new Map([['tokens', tokens]]) };
  };

  it("are accessible to callers who can see the profile's token", async () => {
    const { uuid } = await add();
    const holder = test.area.valueHolders?.tokenProfiles ?? expect.fail('profiles hold no values');
    expect(await holder(uuid, as(detailOf(tokenUuid)))).toMatchObject({ uuid, token_uuid: tokenUuid });
    const denied = { code: 'access_denied', message: expect.stringContaining('the permission detail on tokens') };
    await expect(holder(uuid, as(detailOf(otherUuid)))).rejects.toMatchObject(denied);
    await expect(holder(uuid, as(noPermissions))).rejects.toMatchObject(denied);
    const missing = newUuid();
    await expect(holder(missing, as(noPermissions))).rejects.toMatchObject(unknown(missing));
  });
});
