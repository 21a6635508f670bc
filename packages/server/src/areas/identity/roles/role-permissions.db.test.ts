import type {
  NameAndUuidDto,
  ObjectPermissionsDto,
  ObjectPermissionsRequestDto,
  ResourcePermissionsDto,
  ResourcePermissionsRequestDto,
  RoleDetailDto,
  RoleDto,
  SubjectPermissionsDto,
  UserDetailDto,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fixedUuid } from '../permissions/catalog.ts';
import { contextOf, identityFixture, type IdentityFixture } from '../testing/identity-fixture.ts';

const GROUPS = fixedUuid('resource groups');

let database: Database;
let fixture: IdentityFixture;
let admin: RequestContext;
let role: RoleDetailDto;
const groups: Record<'red' | 'blue', string> = { red: newUuid(), blue: newUuid() };

beforeAll(async () => {
  database = await testDatabase();
  fixture = await identityFixture(database);
  await fixture.area.ensureFirstAdministrator('admin');
  const user = await fixture.area.findUser(database.executor, { username: 'admin' });
  admin = contextOf(user ?? expect.fail('there is no user admin'));
  for (const [name, uuid] of Object.entries(groups))
    await database.query(
      'INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())',
      [uuid, name],
    );
});

beforeEach(async () => {
  role = await fixture.call<RoleDetailDto>('createRole', { body: { name: `role ${newUuid()}` }, context: admin });
});

const params = () => ({ roleUuid: role.uuid, resourceUuid: GROUPS });
const save = (
  resources: readonly ResourcePermissionsRequestDto[],
  context = admin,
  roleUuid = role.uuid,
): Promise<SubjectPermissionsDto> =>
  fixture.call('savePermissions', { params: { roleUuid }, body: { allowAllResources: false, resources }, context });
const read = (): Promise<SubjectPermissionsDto> =>
  fixture.call('getRolePermissions', { params: { roleUuid: role.uuid } });
const objects = (): Promise<ObjectPermissionsDto[]> =>
  fixture.call('getResourcePermissionObjects', { params: params() });
const on = (name: keyof typeof groups, rights: Partial<ObjectPermissionsRequestDto>): ObjectPermissionsRequestDto => ({
  uuid: groups[name],
  name,
  ...rights,
});
const withCode = (code: string) => expect.objectContaining({ code });

describe("a role's permissions", () => {
  it('are stored as saved, and replace the previous ones', async () => {
    const saved = await save([
      { name: 'users', allowAllActions: true },
      { name: 'groups', allowAllActions: false, actions: ['update', 'list'] },
    ]);
    expect(saved).toEqual({
      allowAllResources: false,
      resources: [
        { name: 'users', allowAllActions: true, actions: [], objects: [] },
        { name: 'groups', allowAllActions: false, actions: ['list', 'update'], objects: [] },
      ],
    });
    expect(await read()).toEqual(saved);
    expect(await fixture.call<ResourcePermissionsDto>('getRoleResourcePermissions', { params: params() })).toEqual(
      saved.resources[1],
    );
    expect(
      (await save([{ name: 'roles', allowAllActions: false, actions: ['list'] }])).resources.map(({ name }) => name),
    ).toEqual(['roles']);
  });

  it('can include everything, but only an administrator can grant this', async () => {
    const body = { allowAllResources: true };
    const manager = contextOf({ uuid: newUuid(), username: 'manager' }, [{ resource: 'roles', action: null }]);
    const call = (context: RequestContext) =>
      fixture.call<SubjectPermissionsDto>('savePermissions', { params: { roleUuid: role.uuid }, body, context });
    await expect(call(manager)).rejects.toEqual(withCode('access_denied'));
    expect((await call(admin)).allowAllResources).toBe(true);
    await expect(save([], manager)).rejects.toEqual(withCode('access_denied'));
  });

  it('on objects are kept if the request does not name the resource, or names it without an object list', async () => {
    await save([{ name: 'groups', allowAllActions: false, objects: [on('red', { allow: ['detail'] })] }]);
    await save([{ name: 'users', allowAllActions: true }]);
    await save([{ name: 'groups', allowAllActions: false, actions: ['list'] }]);
    expect(await objects()).toEqual([{ uuid: groups.red, name: 'red', allow: ['list', 'detail'], deny: [] }]);
    await save([{ name: 'groups', allowAllActions: false, objects: [] }]);
    expect(await objects()).toEqual([]);
  });

  it('on objects are not stored if the resource already allows them, and are not stored as allowed if they are denied', async () => {
    await save([
      {
        name: 'groups',
        allowAllActions: false,
        actions: ['list'],
        objects: [on('red', { allow: ['list', 'detail', 'update'], deny: ['update'] })],
      },
    ]);
    expect(
      await database.query('SELECT action, denied FROM role_object_permission WHERE role_uuid = $1 ORDER BY action', [
        role.uuid,
      ]),
    ).toEqual([
      { action: 'detail', denied: false },
      { action: 'update', denied: true },
    ]);
    // The returned permissions can be saved unchanged.
    const { resources } = await read();
    expect((await save(resources)).resources).toEqual(resources);
  });

  it('are rejected for unknown resources and actions, missing objects, and resources without object permissions', async () => {
    const group = (objectsOfIt: ObjectPermissionsRequestDto[]) =>
      save([{ name: 'groups', allowAllActions: false, objects: objectsOfIt }]);
    await expect(save([{ name: 'moonBases', allowAllActions: true }])).rejects.toEqual(withCode('object_not_found'));
    await expect(save([{ name: 'groups', allowAllActions: false, actions: ['detonate'] }])).rejects.toEqual(
      withCode('object_not_found'),
    );
    await expect(group([on('red', { deny: ['detonate'] })])).rejects.toEqual(withCode('object_not_found'));
    await expect(group([{ uuid: newUuid(), name: 'green', allow: ['list'] }])).rejects.toEqual(
      withCode('object_not_found'),
    );
    await expect(group([{ uuid: 'green', name: 'green', allow: ['list'] }])).rejects.toEqual(
      withCode('invalid_fields'),
    );
    await expect(group([on('red', {}), on('red', {})])).rejects.toEqual(withCode('invalid_fields'));
    await expect(
      save([{ name: 'users', allowAllActions: false, objects: [on('red', { allow: ['list'] })] }]),
    ).rejects.toEqual(withCode('rejected_by_rules'));
    await expect(
      save([
        { name: 'users', allowAllActions: true },
        { name: 'users', allowAllActions: true },
      ]),
    ).rejects.toEqual(withCode('invalid_fields'));
    expect((await read()).resources).toEqual([]);
  });

  it('cannot be changed for a system role', async () => {
    const acme =
      (await fixture.call<RoleDto[]>('listRoles')).find(({ name }) => name === 'acme') ??
      expect.fail('there is no role acme');
    const refusal = expect.objectContaining({
      code: 'rejected_by_rules',
      message: expect.stringContaining('belongs to the platform'),
    });
    await expect(save([], admin, acme.uuid)).rejects.toEqual(refusal);
    const key = { roleUuid: acme.uuid, resourceUuid: GROUPS };
    await expect(
      fixture.call('addResourcePermissionObjects', { params: key, body: [on('red', {})], context: admin }),
    ).rejects.toEqual(refusal);
    await expect(
      fixture.call('removeResourcePermissionObjects', { params: { ...key, objectUuid: groups.red }, context: admin }),
    ).rejects.toEqual(refusal);
  });

  it('are not found for an unknown role or an unknown resource', async () => {
    await expect(save([], admin, newUuid())).rejects.toEqual(withCode('object_not_found'));
    await expect(
      fixture.call('getRoleResourcePermissions', { params: { ...params(), resourceUuid: newUuid() } }),
    ).rejects.toEqual(withCode('object_not_found'));
  });

  it('are deleted with the role', async () => {
    await save([{ name: 'groups', allowAllActions: false, objects: [on('red', { allow: ['detail'] })] }]);
    await fixture.call('deleteRole', { params: { roleUuid: role.uuid }, context: admin });
    expect(await database.query('SELECT FROM role_object_permission WHERE role_uuid = $1', [role.uuid])).toEqual([]);
  });
});

describe("a role's objects", () => {
  const add = (body: ObjectPermissionsRequestDto[], context = admin) =>
    fixture.call('addResourcePermissionObjects', { params: params(), body, context });

  it('are added, changed and removed individually', async () => {
    await add([on('red', { allow: ['list'] })]);
    await add([on('blue', { allow: ['list', 'detail'], deny: ['update'] })]);
    const object = { ...params(), objectUuid: groups.red.toUpperCase() };
    await fixture.call('updateResourcePermissionObjects', {
      params: object,
      body: { uuid: groups.blue, name: 'whatever', allow: ['detail'] },
      context: admin,
    });
    expect(await objects()).toEqual([
      { uuid: groups.blue, name: 'blue', allow: ['list', 'detail'], deny: ['update'] },
      { uuid: groups.red, name: 'red', allow: ['detail'], deny: [] },
    ]);
    for (let times = 0; times < 2; times += 1)
      await fixture.call('removeResourcePermissionObjects', { params: object, context: admin });
    expect((await objects()).map(({ name }) => name)).toEqual(['blue']);
  });

  it('are no longer shown after their deletion, and the role then has no objects', async () => {
    const gone = newUuid();
    await database.query(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'gone', now(), now())`,
      [gone],
    );
    await add([{ uuid: gone, name: 'gone', allow: ['list'] }]);
    await database.query('DELETE FROM object_group WHERE uuid = $1', [gone]);
    expect(await objects()).toEqual([]);
  });

  it('apply to the users with the role, and are merged across all of their roles', async () => {
    const other = await fixture.call<RoleDetailDto>('createRole', {
      body: { name: `role ${newUuid()}` },
      context: admin,
    });
    const user = await fixture.call<UserDetailDto>('createUser', {
      body: { username: `user ${newUuid()}` },
      context: admin,
    });
    await fixture.call('updateRoles', {
      params: { userUuid: user.uuid },
      body: [role.uuid, other.uuid],
      context: admin,
    });
    await save([{ name: 'groups', allowAllActions: false, objects: [on('red', { allow: ['list', 'detail'] })] }]);
    await save(
      [{ name: 'groups', allowAllActions: false, actions: ['list'], objects: [on('red', { deny: ['detail'] })] }],
      admin,
      other.uuid,
    );
    expect(await fixture.call('getPermissions', { params: { userUuid: user.uuid } })).toEqual({
      allowAllResources: false,
      resources: [
        {
          name: 'groups',
          allowAllActions: false,
          actions: ['list'],
          objects: [{ uuid: groups.red, name: 'red', allow: [], deny: ['detail'] }],
        },
      ],
    });
  });

  it('can be selected from those that the caller can list', async () => {
    const choices = (context: RequestContext, resourceName = 'groups') =>
      fixture.call<NameAndUuidDto[]>('getObjectsForResource', { params: { resourceName }, context });
    const someone = { uuid: newUuid(), username: 'someone' };
    expect((await choices(admin)).map(({ name }) => name)).toEqual(['blue', 'red']);
    const one = [{ resource: 'groups', object_uuid: groups.red, action: 'list', denied: false }];
    expect(await choices(contextOf(someone, [], one))).toEqual([{ uuid: groups.red, name: 'red' }]);
    expect(await choices(contextOf(someone, []))).toEqual([]);
    await expect(choices(admin, 'users')).rejects.toEqual(withCode('not_supported'));
  });
});

describe('a caller who changes permissions', () => {
  it('cannot grant permissions that they do not have, on a resource or on an object', async () => {
    const manager = contextOf(
      { uuid: newUuid(), username: 'manager' },
      [
        { resource: 'roles', action: null },
        { resource: 'users', action: 'list' },
      ],
      [{ resource: 'groups', object_uuid: groups.red, action: 'detail', denied: false }],
    );
    await save([{ name: 'users', allowAllActions: false, actions: ['list'] }], manager);
    await expect(
      save([{ name: 'users', allowAllActions: false, actions: ['list', 'delete'] }], manager),
    ).rejects.toEqual(withCode('access_denied'));
    await expect(save([{ name: 'users', allowAllActions: true }], manager)).rejects.toEqual(withCode('access_denied'));
    const add = (...given: ObjectPermissionsRequestDto[]) =>
      fixture.call('addResourcePermissionObjects', { params: params(), body: given, context: manager });
    await add(on('red', { allow: ['detail'] }));
    await expect(add(on('blue', { allow: ['detail'] }))).rejects.toEqual(withCode('access_denied'));
    expect((await objects()).map(({ name }) => name)).toEqual(['red']);
  });

  it('can change only roles whose permissions they have, and must keep denials of actions that they cannot perform', async () => {
    const deletingAll = { name: 'groups', allowAllActions: true, objects: [on('red', { deny: ['delete'] })] };
    const listing = { name: 'groups', allowAllActions: false, actions: ['list'] };
    const manager = contextOf({ uuid: newUuid(), username: 'manager' }, [
      { resource: 'roles', action: null },
      { resource: 'groups', action: 'list' },
    ]);
    await save([deletingAll]);
    await expect(save([listing], manager)).rejects.toEqual(withCode('access_denied'));
    await save([{ ...listing, objects: [on('red', { deny: ['delete'] })] }]);
    const remove = fixture.call('removeResourcePermissionObjects', {
      params: { ...params(), objectUuid: groups.red },
      context: manager,
    });
    await expect(remove).rejects.toEqual(withCode('access_denied'));
    await save([listing], manager);
  });

  it('is recorded together with the granted permissions', async () => {
    await save([{ name: 'users', allowAllActions: false, actions: ['list'] }]);
    const [record] = await database.query(
      'SELECT operation, resource_objects, operation_data FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id DESC LIMIT 1',
      [JSON.stringify([{ uuid: role.uuid }])],
    );
    expect(record).toMatchObject({
      operation: 'updatePermissions',
      resource_objects: [{ uuid: role.uuid, name: role.name }],
      operation_data: {
        allowAllResources: false,
        resources: [{ name: 'users', allowAllActions: false, actions: ['list'] }],
      },
    });
  });
});
