import type { RoleDetailDto, RoleDto, SubjectPermissionsDto, UserDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { contextOf } from '../testing/identity-fixture.ts';
import { createUsersFixture, rejection, withCode } from '../testing/users-fixture.ts';

const { database, fixture, admin, createUser, roleNamed } = await createUsersFixture();

describe('system accounts', () => {
  it("are created with the platform's roles and users, and a second start changes nothing", async () => {
    const names = (list: readonly { name?: string; username?: string }[]) =>
      list.map((one) => one.name ?? one.username).sort();
    const roles = (await fixture.call<RoleDto[]>('listRoles')).filter(({ systemRole }) => systemRole);
    const users = (await fixture.call<UserDto[]>('listUsers')).filter(({ systemUser }) => systemUser);
    expect(names(roles)).toEqual(['acme', 'admin', 'cmp', 'est', 'localhost', 'scep', 'superadmin']);
    expect(names(users)).toEqual(['acme', 'cmp', 'est', 'localhost', 'scep']);
    const rows = () => database.query('SELECT * FROM role_permission ORDER BY role_uuid, resource, action');
    const before = await rows();
    await fixture.area.seed();
    expect(await rows()).toEqual(before);
  });

  it('grant protocol servers exactly the permissions that they need', async () => {
    const acme = await roleNamed('acme');
    const { allowAllResources, resources } = await fixture.call<SubjectPermissionsDto>('getRolePermissions', {
      params: { roleUuid: acme.uuid },
    });
    expect(allowAllResources).toBe(false);
    expect(resources.map(({ name }) => name)).toEqual([
      'attributes',
      'acmeAccounts',
      'acmeProfiles',
      'authorities',
      'raProfiles',
      'certificates',
    ]);
    expect(resources.find(({ name }) => name === 'acmeAccounts')?.allowAllActions).toBe(true);
    expect(resources.find(({ name }) => name === 'certificates')?.actions).not.toContain('delete');
  });

  it('are restored at startup if they were altered', async () => {
    const acme = await roleNamed('acme');
    await database.query(`DELETE FROM role_permission WHERE role_uuid = $1 AND resource = 'acmeProfiles'`, [acme.uuid]);
    await database.query(`INSERT INTO role_permission (role_uuid, resource) VALUES ($1, 'users')`, [acme.uuid]);
    await fixture.area.seed();
    const { resources } = await fixture.call<SubjectPermissionsDto>('getRolePermissions', {
      params: { roleUuid: acme.uuid },
    });
    expect(resources.map(({ name }) => name)).toContain('acmeProfiles');
    expect(resources.map(({ name }) => name)).not.toContain('users');
  });

  it('cannot be changed, deleted, disabled or assigned other roles', async () => {
    const users = await fixture.call<UserDto[]>('listUsers');
    const acme = users.find(({ username }) => username === 'acme') ?? expect.fail();
    const role = await roleNamed('acme');
    const context = contextOf(admin);
    const params = { userUuid: acme.uuid, roleUuid: role.uuid };
    for (const [operation, body] of [
      ['updateUser', { email: 'a@example.org' }],
      ['deleteUser', undefined],
      ['disableUser', undefined],
      ['enableUser', undefined],
      ['updateRoles', []],
      ['removeRole', undefined],
      ['updateRole', { name: 'mine' }],
      ['deleteRole', undefined],
    ] as const) {
      await expect(fixture.call(operation, { params, body, context }), operation).rejects.toEqual(
        rejection(/belongs to the platform/),
      );
    }
    await expect(createUser({ username: 'acme' })).rejects.toEqual(withCode('already_exists'));
  });

  it('keep their role when the users of the role are replaced', async () => {
    const role = await roleNamed('acme');
    const { users } = await fixture.call<RoleDetailDto>('updateUsers', {
      params: { roleUuid: role.uuid },
      body: [],
      context: contextOf(admin),
    });
    expect(users.map(({ username }) => username)).toEqual(['acme']);
  });
});
