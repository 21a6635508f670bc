import { MAX_SAVED_VIEWS, SavedViewRequest, savedViewOperations, type SavedSearch } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coreContextFor, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { createAuditArea } from '../audit/index.ts';
import { createSavedViewService, type SavedViewService } from './service.ts';

const search: SavedSearch = {
  text: 'shop',
  filters: [{ fieldSource: 'property', fieldIdentifier: 'KEY_SIZE', condition: 'EQUALS', value: [2048, 'two\u0000'] }],
  sort: [{ field: 'notAfter', direction: 'asc' }],
  columns: ['owner', 'state'],
  includeArchived: true,
};

describe('saved views', () => {
  let database: Database;
  let service: SavedViewService;
  let user: string;
  let other: string;

  beforeAll(async () => {
    database = await testDatabase();
    const platform = testPlatform(database);
    service = createSavedViewService(platform, { audit: createAuditArea(platform).trail });
  });

  beforeEach(async () => {
    user = await insertUser();
    other = await insertUser();
  });

  async function insertUser(): Promise<string> {
    const uuid = newUuid();
    await database.query(
      `INSERT INTO platform_user (uuid, username, enabled, is_system, created_at, updated_at)
       VALUES ($1::uuid, $1::text, true, false, now(), now())`,
      [uuid],
    );
    return uuid;
  }

  const context = (operation: keyof typeof savedViewOperations, userUuid = user): RequestContext => {
    const own = coreContextFor(savedViewOperations[operation]);
    return { ...own, actor: { ...own.actor, type: 'user', userUuid, username: userUuid } };
  };
  const create = (name: string, more: Partial<SavedViewRequest> = {}, userUuid = user) =>
    service.create(
      { resource: 'certificates', name, search, isDefault: false, ...more },
      context('createSavedView', userUuid),
    );
  const list = (userUuid = user) => service.list('certificates', context('listSavedViews', userUuid));
  const defaults = async () => (await list()).filter(({ isDefault }) => isDefault).map(({ name }) => name);

  it('are returned as saved, can be changed and deleted, and every change is recorded with the user', async () => {
    const view = await create('Shops');
    expect(await list()).toEqual([view]);
    expect(view).toMatchObject({ name: 'Shops', resource: 'certificates', search, isDefault: false });
    const changed = await service.update(
      view.uuid,
      { name: 'All shops', search: {}, isDefault: false },
      context('updateSavedView'),
    );
    expect(await list()).toEqual([changed]);
    expect(changed).toMatchObject({ uuid: view.uuid, name: 'All shops', search: {} });
    await service.remove(view.uuid, context('deleteSavedView'));
    expect(await list()).toEqual([]);
    const records = await database.query<{ operation: string }>(
      'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
      [JSON.stringify([{ uuid: user }])],
    );
    expect(records.map(({ operation }) => operation)).toEqual(['create', 'update', 'delete']);
  });

  it('are private: other users cannot see, change or delete them', async () => {
    const { uuid } = await create('mine');
    expect(await list(other)).toEqual([]);
    const gone = { code: 'object_not_found', message: expect.stringContaining('View') };
    const change = { name: 'theirs', search: {}, isDefault: true };
    await expect(service.update(uuid, change, context('updateSavedView', other))).rejects.toMatchObject(gone);
    await expect(service.remove(uuid, context('deleteSavedView', other))).rejects.toMatchObject(gone);
    expect(await list()).toMatchObject([{ name: 'mine', isDefault: false }]);
  });

  it('have names that are unique for each user and resource', async () => {
    const first = await create('taken');
    const second = await create('free');
    await create('taken', { resource: 'keys' });
    await create('taken', {}, other);
    const taken = { code: 'already_exists', message: expect.stringContaining('View taken already exists') };
    await expect(create('taken')).rejects.toMatchObject(taken);
    const rename = { name: first.name, search: {}, isDefault: true };
    await expect(service.update(second.uuid, rename, context('updateSavedView'))).rejects.toMatchObject(taken);
    expect(await list()).toMatchObject([{ name: 'free', isDefault: false }, { name: 'taken' }]);
  });

  it('have at most one default, which is the last one set, even with concurrent requests', async () => {
    await create('one', { isDefault: true });
    const two = await create('two', { isDefault: true });
    expect(await defaults()).toEqual(['two']);
    await service.update(two.uuid, { name: 'two', search, isDefault: false }, context('updateSavedView'));
    expect(await defaults()).toEqual([]);
    await Promise.all(['three', 'four', 'five'].map((name) => create(name, { isDefault: true })));
    expect(await defaults()).toHaveLength(1);
  });

  it('are deleted with their user', async () => {
    await create('left', { isDefault: true });
    await database.query('DELETE FROM platform_user WHERE uuid = $1', [user]);
    expect(await list()).toEqual([]);
  });

  it('are limited in number, and are available only to users', async () => {
    await database.query(
      `INSERT INTO saved_view SELECT gen_random_uuid(), $1, 'keys', n::text, '{}', now(), now()
       FROM generate_series(1, $2::int) n`,
      [user, MAX_SAVED_VIEWS],
    );
    await expect(create('one too many')).rejects.toMatchObject({
      message: expect.stringContaining(`already has ${MAX_SAVED_VIEWS} saved views. Delete one first.`),
    });
    await expect(service.list(undefined, coreContextFor(savedViewOperations.createSavedView))).rejects.toMatchObject({
      code: 'rejected_by_rules',
    });
  });
});

describe('a request to save a view', () => {
  const view = { resource: 'certificates', name: 'x', search: {} };
  const filter = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'EQUALS' };

  it.each([
    ['a blank name', { ...view, name: ' ' }],
    ['a long name', { ...view, name: 'x'.repeat(101) }],
    ['an unknown list', { ...view, resource: 'users' }],
    ['too many filters', { ...view, search: { filters: Array.from({ length: 101 }, () => filter) } }],
    ['a filter with a nested value', { ...view, search: { filters: [{ ...filter, value: [['x']] }] } }],
    ['more data than a view can store', { ...view, search: { filters: [{ ...filter, value: 'x'.repeat(40_000) }] } }],
    ['too many columns', { ...view, search: { columns: Array.from({ length: 101 }, String) } }],
  ])('is rejected with %s', (_what, request) => {
    expect(SavedViewRequest.safeParse(view).success).toBe(true);
    expect(SavedViewRequest.safeParse(request).success).toBe(false);
  });
});
