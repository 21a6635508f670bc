import type { RoleDetailDto, UserDetailDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { contextOf } from '../testing/identity-fixture.ts';
import { createUsersFixture, withCode } from '../testing/users-fixture.ts';

const { fixture, admin, createUser } = await createUsersFixture();

describe('roles', () => {
  const createRole = (body: object) => fixture.call<RoleDetailDto>('createRole', { body, context: contextOf(admin) });

  it('are created, renamed and deleted, but never as system roles', async () => {
    const role = await createRole({ name: 'operators', description: 'Day shift', systemRole: true });
    expect(role).toMatchObject({ name: 'operators', systemRole: false, users: [] });
    const params = { roleUuid: role.uuid };
    expect(
      await fixture.call('updateRole', { params, body: { name: 'night' }, context: contextOf(admin) }),
    ).toMatchObject({ name: 'night' });
    await fixture.call('deleteRole', { params, context: contextOf(admin) });
    await expect(fixture.call('getRole', { params })).rejects.toEqual(withCode('object_not_found'));
  });

  it('have unique names, which cannot be blank', async () => {
    await createRole({ name: 'unique' });
    await expect(createRole({ name: 'unique' })).rejects.toEqual(withCode('already_exists'));
    await expect(createRole({ name: ' ' })).rejects.toEqual(withCode('invalid_fields'));
    await expect(createRole({})).rejects.toEqual(withCode('invalid_fields'));
  });

  it('are assigned and removed individually and as a set', async () => {
    const [a, b] = [await createRole({ name: 'a' }), await createRole({ name: 'b' })];
    const user = await createUser();
    const context = contextOf(admin);
    const names = async (call: Promise<UserDetailDto>) => (await call).roles.map(({ name }) => name);
    const params = { userUuid: user.uuid };
    expect(await names(fixture.call('updateRoles', { params, body: [a.uuid, b.uuid], context }))).toEqual(['a', 'b']);
    expect(await names(fixture.call('removeRole', { params: { ...params, roleUuid: a.uuid }, context }))).toEqual([
      'b',
    ]);
    expect(await names(fixture.call('addRole', { params: { ...params, roleUuid: a.uuid }, context }))).toEqual([
      'a',
      'b',
    ]);
    const { users } = await fixture.call<RoleDetailDto>('updateUsers', {
      params: { roleUuid: a.uuid },
      body: [],
      context,
    });
    expect(users).toEqual([]);
    expect(await names(fixture.call('getUser', { params }))).toEqual(['b']);
    await expect(fixture.call('updateRoles', { params, body: [newUuid()], context })).rejects.toEqual(
      withCode('object_not_found'),
    );
  });
});
