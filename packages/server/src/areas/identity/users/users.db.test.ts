import type {
  RoleDetailDto,
  RoleDto,
  SubjectPermissionsDto,
  UserDetailDto,
  UserDto,
  UserProfileDetailDto,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { contextOf, identityFixture, type IdentityFixture } from '../testing/identity-fixture.ts';

let database: Database;
let fixture: IdentityFixture;
let admin: UserDto;

beforeAll(async () => {
  database = await testDatabase();
  fixture = await identityFixture(database);
  await fixture.area.ensureFirstAdministrator('admin');
  const users = await fixture.call<UserDto[]>('listUsers');
  admin = users.find(({ username }) => username === 'admin') ?? expect.fail('there is no user admin');
});

const refused = (problem: RegExp) =>
  expect.objectContaining({ code: 'rejected_by_rules', message: expect.stringMatching(problem) });
const withCode = (code: string) => expect.objectContaining({ code });

let made = 0;
const createUser = (fields: object = {}): Promise<UserDetailDto> =>
  fixture.call('createUser', { body: { username: `user-${++made}`, ...fields }, context: contextOf(admin) });
const roleNamed = async (name: string): Promise<RoleDto> =>
  (await fixture.call<RoleDto[]>('listRoles')).find((role) => role.name === name) ??
  expect.fail(`there is no role ${name}`);
const auditCount = async (): Promise<number> => {
  const [row] = await database.query<{ records: number }>('SELECT count(*) AS records FROM audit_record');
  return row?.records ?? 0;
};

describe('system accounts', () => {
  it('are seeded with the roles and users of the platform, and a second start changes nothing', async () => {
    const names = (list: readonly { name?: string; username?: string }[]) =>
      list.map((one) => one.name ?? one.username).sort();
    const roles = (await fixture.call<RoleDto[]>('listRoles')).filter(({ systemRole }) => systemRole);
    const users = (await fixture.call<UserDto[]>('listUsers')).filter(({ systemUser }) => systemUser);
    expect(names(roles)).toEqual(['acme', 'admin', 'cmp', 'localhost', 'scep', 'superadmin']);
    expect(names(users)).toEqual(['acme', 'cmp', 'localhost', 'scep']);
    const rows = () => database.query('SELECT * FROM role_permission ORDER BY role_uuid, resource, action');
    const before = await rows();
    await fixture.area.seed();
    expect(await rows()).toEqual(before);
  });

  it('give protocol servers exactly what they need', async () => {
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

  it('get back what they lost when a start finds them altered', async () => {
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

  it('cannot be changed, deleted, disabled or given other roles', async () => {
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
        refused(/belongs to the platform/),
      );
    }
    await expect(createUser({ username: 'acme' })).rejects.toEqual(withCode('already_exists'));
  });

  it('stay in their role when its users are replaced', async () => {
    const role = await roleNamed('acme');
    const { users } = await fixture.call<RoleDetailDto>('updateUsers', {
      params: { roleUuid: role.uuid },
      body: [],
      context: contextOf(admin),
    });
    expect(users.map(({ username }) => username)).toEqual(['acme']);
  });
});

describe('users', () => {
  it('are created with the fields of the request and shown with groups, roles and certificate', async () => {
    const [group] = await database.query<{ uuid: string }>(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'Ops', now(), now()) RETURNING uuid`,
      [newUuid()],
    );
    const certificate = fixture.certificates.add();
    const user = await createUser({
      firstName: 'Ada',
      lastName: '',
      email: 'ada@example.org',
      groupUuids: [group?.uuid],
      certificateUuid: certificate.uuid,
      certificateData: 'ignored',
    });
    expect(user).toMatchObject({
      firstName: 'Ada',
      email: 'ada@example.org',
      enabled: true,
      systemUser: false,
      groups: [{ uuid: group?.uuid, name: 'Ops' }],
      roles: [],
      certificate: { uuid: certificate.uuid, fingerprint: certificate.fingerprint },
    });
    expect(user.lastName).toBeUndefined();
    const listed = (await fixture.call<UserDto[]>('listUsers')).find(({ uuid }) => uuid === user.uuid);
    expect(listed?.groups).toEqual([{ uuid: group?.uuid, name: 'Ops' }]);
  });

  it('ignore fields that are not part of the request (mass assignment)', async () => {
    const forged = {
      systemUser: true,
      is_system: true,
      uuid: newUuid(),
      roles: [await roleNamed('superadmin')],
      permissions: {},
    };
    const user = await createUser(forged);
    expect(user).toMatchObject({ systemUser: false, roles: [] });
    expect(user.uuid).not.toBe(forged.uuid);
    const updated = await fixture.call<UserDetailDto>('updateUser', {
      params: { userUuid: user.uuid },
      body: { email: '', ...forged, enabled: false, username: 'root' },
      context: contextOf(admin),
    });
    expect(updated).toMatchObject({
      uuid: user.uuid,
      username: user.username,
      enabled: true,
      systemUser: false,
      roles: [],
    });
  });

  it('have unique names, compared exactly', async () => {
    const user = await createUser();
    await expect(createUser({ username: user.username })).rejects.toEqual(withCode('already_exists'));
    await expect(createUser({ username: user.username.toUpperCase() })).resolves.toBeDefined();
  });

  it('have names that can be stored and read', async () => {
    await expect(createUser({ username: 'x'.repeat(3_000) })).rejects.toEqual(refused(/longer than 255/));
    await expect(createUser({ username: 'a\0b' })).rejects.toEqual(refused(/control characters/));
    await expect(createUser({ description: 'a\0b' })).rejects.toEqual(refused(/control characters/));
    await expect(createUser({ description: 'two\nlines' })).resolves.toBeDefined();
  });

  it('are refused with groups that do not exist', async () => {
    await expect(createUser({ groupUuids: [newUuid()] })).rejects.toEqual(withCode('object_not_found'));
    await expect(createUser({ groupUuids: ["' OR 1=1"] })).rejects.toEqual(withCode('rejected_by_rules'));
  });

  it('lose their certificate when they are updated without one, and keep their groups when none are named', async () => {
    const certificate = fixture.certificates.add();
    const user = await createUser({ certificateUuid: certificate.uuid, firstName: 'Ada' });
    const update = (body: object) =>
      fixture.call<UserDetailDto>('updateUser', {
        params: { userUuid: user.uuid },
        body: { email: '', ...body },
        context: contextOf(admin),
      });
    expect((await update({ certificateUuid: certificate.uuid })).certificate?.uuid).toBe(certificate.uuid);
    const without = await update({});
    expect([without.certificate, without.firstName]).toEqual([undefined, undefined]);
  });

  it('are gone with their roles, sessions, links and tokens when they are deleted', async () => {
    const user = await createUser();
    await fixture.area.issueSignInLink(user.username);
    await fixture.area.createAccessToken({ username: user.username, name: 'script' });
    await fixture.call('deleteUser', { params: { userUuid: user.uuid }, context: contextOf(admin) });
    for (const table of [
      'platform_user WHERE uuid',
      'user_role WHERE user_uuid',
      'sign_in_link WHERE user_uuid',
      'access_token WHERE user_uuid',
    ]) {
      expect(await database.query(`SELECT 1 FROM ${table} = $1`, [user.uuid]), table).toEqual([]);
    }
    await expect(fixture.call('getUser', { params: { userUuid: user.uuid } })).rejects.toEqual(
      withCode('object_not_found'),
    );
  });

  it('cannot disable or delete themselves, however the identifier is written', async () => {
    const other = await createUser();
    const superadmin = await roleNamed('superadmin');
    await fixture.call('addRole', {
      params: { userUuid: other.uuid, roleUuid: superadmin.uuid },
      context: contextOf(admin),
    });
    for (const userUuid of [other.uuid, other.uuid.toUpperCase()]) {
      for (const operation of ['disableUser', 'deleteUser']) {
        await expect(fixture.call(operation, { params: { userUuid }, context: contextOf(other) })).rejects.toEqual(
          refused(/yourself/),
        );
      }
    }
    await fixture.call('deleteUser', { params: { userUuid: other.uuid }, context: contextOf(admin) });
  });

  it('leave one audit record per change and none for a refused one', async () => {
    const before = await auditCount();
    const user = await createUser();
    await createUser({ username: user.username }).catch(() => undefined);
    await fixture.call('enableUser', { params: { userUuid: user.uuid }, context: contextOf(admin) });
    expect((await auditCount()) - before).toBe(1);
  });

  it('are not created when the audit record cannot be written', async () => {
    await database.query('ALTER TABLE audit_record ADD CONSTRAINT full_disk CHECK (false) NOT VALID');
    try {
      await expect(createUser({ username: 'unaudited' })).rejects.toThrow();
    } finally {
      await database.query('ALTER TABLE audit_record DROP CONSTRAINT full_disk');
    }
    expect(await fixture.area.findUser(database.executor, { username: 'unaudited' })).toBeUndefined();
  });
});

describe('certificates of users', () => {
  it('must be issued, valid, not archived, and free', async () => {
    const hour = 3_600_000;
    const now = fixture.clock.now().getTime();
    for (const [changes, problem] of [
      [{ state: 'revoked', revoked: true }, /revoked/],
      [{ state: 'requested' }, /requested/],
      [{ archived: true }, /archived/],
      [{ notAfter: new Date(now - hour) }, /expired/],
      [{ notBefore: new Date(now + hour) }, /valid from/],
    ] as const) {
      await expect(createUser({ certificateUuid: fixture.certificates.add(changes).uuid })).rejects.toEqual(
        refused(problem),
      );
    }
    const taken = fixture.certificates.add();
    await createUser({ certificateUuid: taken.uuid });
    await expect(createUser({ certificateUuid: taken.uuid })).rejects.toEqual(refused(/another user/));
    await expect(createUser({ certificateUuid: newUuid() })).rejects.toEqual(withCode('object_not_found'));
  });

  it('may be kept although they have expired meanwhile', async () => {
    const certificate = fixture.certificates.add();
    const user = await createUser({ certificateUuid: certificate.uuid });
    fixture.certificates.change(certificate.uuid, { notAfter: new Date(0) });
    const body = { email: 'new@example.org', certificateUuid: certificate.uuid };
    await expect(
      fixture.call('updateUser', { params: { userUuid: user.uuid }, body, context: contextOf(admin) }),
    ).resolves.toMatchObject({
      email: 'new@example.org',
    });
  });

  it('are found by their content, or uploaded when the inventory does not know them', async () => {
    const known = fixture.certificates.add();
    const user = await createUser({ certificateData: Buffer.from(known.der).toString('base64') });
    expect(user.certificate?.uuid).toBe(known.uuid);
    const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from('another').toString('base64')}\n-----END CERTIFICATE-----\n`;
    const uploaded = await createUser({ certificateData: Buffer.from(pem).toString('base64') });
    expect(uploaded.certificate?.uuid).toBeDefined();
    await expect(createUser({ certificateData: '%%%' })).rejects.toEqual(withCode('malformed_request'));
  });

  it('do not open the inventory to whoever may edit users', async () => {
    const user = await createUser();
    const known = fixture.certificates.add();
    const context = contextOf(user, [{ resource: 'users', action: null }]);
    const update = (body: object) =>
      fixture.call('updateUser', { params: { userUuid: user.uuid }, body: { email: '', ...body }, context });
    await expect(update({ certificateUuid: known.uuid })).rejects.toEqual(withCode('access_denied'));
    await expect(update({ certificateData: Buffer.from('unknown').toString('base64') })).rejects.toEqual(
      withCode('access_denied'),
    );
  });

  it('are not those of RA profiles that the caller is no member of, given by identifier or as data', async () => {
    const raProfileUuid = newUuid();
    const hidden = fixture.certificates.add({ raProfileUuid });
    const data = Buffer.from(hidden.der).toString('base64');
    const rights = [
      { resource: 'users', action: 'create' },
      { resource: 'certificates', action: 'detail' },
    ];
    const member = { resource: 'raProfiles', object_uuid: raProfileUuid, action: 'members', denied: false };
    const caller = { uuid: newUuid(), username: 'manager' };
    const create = (body: object, context: RequestContext) =>
      fixture.call<UserDetailDto>('createUser', { body: { username: `hidden-${newUuid()}`, ...body }, context });
    for (const body of [{ certificateUuid: hidden.uuid }, { certificateData: data }])
      await expect(create(body, contextOf(caller, rights))).rejects.toEqual(withCode('object_not_found'));
    const user = await create({ certificateUuid: hidden.uuid }, contextOf(caller, rights, [member]));
    expect(user.certificate?.uuid).toBe(hidden.uuid);
  });
});

describe('roles', () => {
  const createRole = (body: object) => fixture.call<RoleDetailDto>('createRole', { body, context: contextOf(admin) });

  it('are created, renamed and deleted, never as system roles', async () => {
    const role = await createRole({ name: 'operators', description: 'Day shift', systemRole: true });
    expect(role).toMatchObject({ name: 'operators', systemRole: false, users: [] });
    const params = { roleUuid: role.uuid };
    expect(
      await fixture.call('updateRole', { params, body: { name: 'night' }, context: contextOf(admin) }),
    ).toMatchObject({ name: 'night' });
    await fixture.call('deleteRole', { params, context: contextOf(admin) });
    await expect(fixture.call('getRole', { params })).rejects.toEqual(withCode('object_not_found'));
  });

  it('have unique names that are not blank', async () => {
    await createRole({ name: 'unique' });
    await expect(createRole({ name: 'unique' })).rejects.toEqual(withCode('already_exists'));
    await expect(createRole({ name: ' ' })).rejects.toEqual(withCode('invalid_fields'));
    await expect(createRole({})).rejects.toEqual(withCode('invalid_fields'));
  });

  it('are held and given up one by one and as a set', async () => {
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

describe('administrators', () => {
  async function somebodyWaits(): Promise<boolean> {
    const rows = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }

  it('always remain: the last one cannot be removed, disabled or demoted', async () => {
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
        refused(/without an enabled administrator/),
      );
    }
    expect(await fixture.call('getUser', { params })).toMatchObject({ enabled: true, roles: [{ name: 'superadmin' }] });
  });

  it('remain also when two remove each other at once', async () => {
    const superadmin = await roleNamed('superadmin');
    const two = await createUser();
    const params = { userUuid: two.uuid, roleUuid: superadmin.uuid };
    await fixture.call('addRole', { params, context: contextOf(admin) });
    // One change is held open before its commit; the other must wait for it, and then see what it did.
    const other = await database.connect();
    await other.query('BEGIN');
    await other.query(`SELECT 1 FROM role WHERE name = 'superadmin' FOR NO KEY UPDATE`);
    await other.query('UPDATE platform_user SET enabled = false WHERE uuid = $1', [admin.uuid]);
    const progress = { settled: false };
    const call = fixture.call('disableUser', { params, context: contextOf(admin) }).finally(() => {
      progress.settled = true;
    });
    const outcome = expect(call).rejects.toEqual(refused(/without an enabled administrator/));
    while (!progress.settled && !(await somebodyWaits())) await new Promise((resolve) => setImmediate(resolve));
    await other.query('COMMIT');
    other.release();
    await outcome;
    await database.query('UPDATE platform_user SET enabled = true WHERE uuid = $1', [admin.uuid]);
    await fixture.call('deleteUser', { params, context: contextOf(admin) });
  });

  it('are changed by administrators only, and only they make others', async () => {
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

  it('are found by name, or else the oldest, and never among the disabled', async () => {
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

  it('are not made a second time at start', async () => {
    expect(await fixture.area.ensureFirstAdministrator('admin')).toBe(false);
    expect(await fixture.area.ensureFirstAdministrator('somebody')).toBe(false);
    expect(await fixture.area.findUser(database.executor, { username: 'somebody' })).toBeUndefined();
  });

  it('are not added by a local caller while there is one', async () => {
    await expect(fixture.call('addAdmin', { body: { username: 'intruder' } })).rejects.toEqual(
      withCode('unauthenticated'),
    );
    expect(await fixture.area.findUser(database.executor, { username: 'intruder' })).toBeUndefined();
  });
});

describe('the own profile', () => {
  it('shows what the caller may list', async () => {
    const user = await createUser();
    const context = contextOf(user, [{ resource: 'groups', action: 'list' }]);
    const { permissions, username } = await fixture.call<UserProfileDetailDto>('profile', { context });
    expect([username, permissions.allowedListings]).toEqual([user.username, ['groups']]);
  });

  it('keeps certificate and roles, and changes groups only for whoever may edit users', async () => {
    const certificate = fixture.certificates.add();
    const user = await createUser({ certificateUuid: certificate.uuid });
    const [group] = await database.query<{ uuid: string }>(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'Secret', now(), now()) RETURNING uuid`,
      [newUuid()],
    );
    const body = { email: 'me@example.org', groupUuids: [group?.uuid] };
    const own = await fixture.call<UserDetailDto>('updateUserProfile', { body, context: contextOf(user, []) });
    expect(own).toMatchObject({ email: 'me@example.org', groups: [], certificate: { uuid: certificate.uuid } });
    const rights = [{ resource: 'users', action: 'update' }];
    await expect(fixture.call('updateUserProfile', { body, context: contextOf(user, rights) })).rejects.toEqual(
      withCode('access_denied'),
    );
    const manager = contextOf(user, [...rights, { resource: 'groups', action: 'detail' }]);
    expect((await fixture.call<UserDetailDto>('updateUserProfile', { body, context: manager })).groups).toHaveLength(1);
  });
});

describe('identification', () => {
  it('names the user of a certificate or of a token, also of a certificate that no longer counts', async () => {
    const certificate = fixture.certificates.add();
    const user = await createUser({ certificateUuid: certificate.uuid });
    fixture.certificates.change(certificate.uuid, { revoked: true, state: 'revoked' });
    const { token } = await fixture.area.createAccessToken({ username: user.username, name: 'identify' });
    for (const body of [
      { certificateContent: Buffer.from(certificate.der).toString('base64') },
      { authenticationToken: token.reveal() },
    ]) {
      expect(await fixture.call('identifyUser', { body })).toMatchObject({ uuid: user.uuid });
    }
  });

  it('does not believe a token that the platform did not sign', async () => {
    const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"username":"admin"}').toString('base64url')}.`;
    await expect(fixture.call('identifyUser', { body: { authenticationToken: forged } })).rejects.toEqual(
      withCode('object_not_found'),
    );
    await expect(fixture.call('identifyUser', { body: {} })).rejects.toEqual(withCode('rejected_by_rules'));
  });
});
