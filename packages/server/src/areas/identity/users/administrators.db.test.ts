import { describe, expect, it } from 'vitest';
import { contextOf } from '../testing/identity-fixture.ts';
import { createUsersFixture, rejection, withCode } from '../testing/users-fixture.ts';

const { database, fixture, admin, createUser, roleNamed } = await createUsersFixture();

describe('administrators', () => {
  async function isAnyoneWaiting(): Promise<boolean> {
    const rows = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }

  it('always exist: the last one cannot be removed, disabled or demoted', async () => {
    const superadmin = await roleNamed('superadmin');
    const other = await createUser();
    const context = contextOf(other);
    const params = { userUuid: admin.uuid, roleUuid: superadmin.uuid };
    for (const [operation, body] of [
      ['disableUser', undefined],
      ['deleteUser', undefined],
      ['removeRole', undefined],
      ['updateRoles', []],
      ['updateUsers', []],
    ] as const) {
      await expect(fixture.call(operation, { params, body, context }), operation).rejects.toEqual(
        rejection(/without an enabled administrator/),
      );
    }
    expect(await fixture.call('getUser', { params })).toMatchObject({ enabled: true, roles: [{ name: 'superadmin' }] });
  });

  it('always exist, even if two of them remove each other simultaneously', async () => {
    const superadmin = await roleNamed('superadmin');
    const two = await createUser();
    const params = { userUuid: two.uuid, roleUuid: superadmin.uuid };
    await fixture.call('addRole', { params, context: contextOf(admin) });
    // One change stays open before its commit; the other must wait for it and then see its effect.
    const other = await database.connect();
    await other.query('BEGIN');
    await other.query(`SELECT 1 FROM role WHERE name = 'superadmin' FOR NO KEY UPDATE`);
    await other.query('UPDATE platform_user SET enabled = false WHERE uuid = $1', [admin.uuid]);
    const progress = { settled: false };
    const call = fixture.call('disableUser', { params, context: contextOf(admin) }).finally(() => {
      progress.settled = true;
    });
    const outcome = expect(call).rejects.toEqual(rejection(/without an enabled administrator/));
    while (!progress.settled && !(await isAnyoneWaiting())) await new Promise((resolve) => setImmediate(resolve));
    await other.query('COMMIT');
    other.release();
    await outcome;
    await database.query('UPDATE platform_user SET enabled = true WHERE uuid = $1', [admin.uuid]);
    await fixture.call('deleteUser', { params, context: contextOf(admin) });
  });

  it('can be changed and created only by administrators', async () => {
    const superadmin = await roleNamed('superadmin');
    const manager = await createUser();
    const context = contextOf(manager, [
      { resource: 'users', action: null },
      { resource: 'roles', action: null },
    ]);
    for (const [operation, body] of [
      ['updateUser', { email: '' }],
      ['disableUser', undefined],
      ['deleteUser', undefined],
      ['updateRoles', []],
    ] as const) {
      const call = fixture.call(operation, { params: { userUuid: admin.uuid }, body, context });
      await expect(call, operation).rejects.toEqual(withCode('access_denied'));
    }
    const promote = { params: { userUuid: manager.uuid, roleUuid: superadmin.uuid }, context };
    await expect(fixture.call('addRole', promote)).rejects.toEqual(withCode('access_denied'));
    await expect(fixture.call('updateRoles', { ...promote, body: [superadmin.uuid] })).rejects.toEqual(
      withCode('access_denied'),
    );
    await expect(fixture.call('updateUsers', { ...promote, body: [manager.uuid] })).rejects.toEqual(
      withCode('access_denied'),
    );
  });

  it('are found by name; without a name, the oldest one that is not disabled is used', async () => {
    const superadmin = await roleNamed('superadmin');
    const second = await createUser();
    const params = { userUuid: second.uuid, roleUuid: superadmin.uuid };
    const found = async (name: string) => (await fixture.area.findAdministrator(name))?.username;
    expect(await found(second.username)).toBe('admin');
    await fixture.call('addRole', { params, context: contextOf(admin) });
    expect([await found(second.username), await found('admin'), await found('nobody')]).toEqual([
      second.username,
      'admin',
      'admin',
    ]);
    await fixture.call('disableUser', { params: { userUuid: admin.uuid }, context: contextOf(second) });
    expect(await found('admin')).toBe(second.username);
    await fixture.call('enableUser', { params: { userUuid: admin.uuid }, context: contextOf(second) });
    await fixture.call('deleteUser', { params, context: contextOf(admin) });
  });

  it('are not created a second time at startup', async () => {
    expect(await fixture.area.ensureFirstAdministrator('admin')).toBe(false);
    expect(await fixture.area.ensureFirstAdministrator('somebody')).toBe(false);
    expect(await fixture.area.findUser(database.executor, { username: 'somebody' })).toBeUndefined();
  });

  it('cannot be created by a local caller while one exists', async () => {
    await expect(fixture.call('addAdmin', { body: { username: 'intruder' } })).rejects.toEqual(
      withCode('unauthenticated'),
    );
    expect(await fixture.area.findUser(database.executor, { username: 'intruder' })).toBeUndefined();
  });
});
