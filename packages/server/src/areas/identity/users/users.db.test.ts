import type { SubjectPermissionsDto, UserDetailDto, UserDto, UserProfileDetailDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { contextOf } from '../testing/identity-fixture.ts';
import { createUsersFixture, rejection, withCode } from '../testing/users-fixture.ts';

const { database, fixture, admin, createUser, roleNamed, auditCount } = await createUsersFixture();

describe('users', () => {
  it('are created with the fields of the request and shown with their groups, roles and certificate', async () => {
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

  it('have unique names, which are compared exactly', async () => {
    const user = await createUser();
    await expect(createUser({ username: user.username })).rejects.toEqual(withCode('already_exists'));
    await expect(createUser({ username: user.username.toUpperCase() })).resolves.toBeDefined();
  });

  it('have names that can be stored and displayed', async () => {
    await expect(createUser({ username: 'x'.repeat(3_000) })).rejects.toEqual(rejection(/longer than 255/));
    await expect(createUser({ username: 'a\0b' })).rejects.toEqual(rejection(/control characters/));
    await expect(createUser({ description: 'a\0b' })).rejects.toEqual(rejection(/control characters/));
    await expect(createUser({ description: 'two\nlines' })).resolves.toBeDefined();
  });

  it('are rejected if a group does not exist', async () => {
    await expect(createUser({ groupUuids: [newUuid()] })).rejects.toEqual(withCode('object_not_found'));
    await expect(createUser({ groupUuids: ["' OR 1=1"] })).rejects.toEqual(withCode('rejected_by_rules'));
  });

  it('lose their certificate if an update omits it, and keep their groups if none are specified', async () => {
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

  it('have either a valid email address or none', async () => {
    const user = await createUser({ email: ' ada@example.org ' });
    expect(user.email).toBe('ada@example.org');
    for (const email of [
      'ada',
      'ada@example.org, eve@example.org',
      'Ada <ada@example.org>',
      'ada@example.org\r\nBcc: e@e',
    ])
      for (const change of [
        () => createUser({ email }),
        () =>
          fixture.call('updateUser', { params: { userUuid: user.uuid }, body: { email }, context: contextOf(admin) }),
      ])
        await expect(change()).rejects.toMatchObject({ message: expect.stringContaining('is not valid') });
  });

  it('are deleted with their roles, sessions, links and tokens', async () => {
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

  it('cannot disable or delete themselves, regardless of the notation of the UUID', async () => {
    const other = await createUser();
    const superadmin = await roleNamed('superadmin');
    await fixture.call('addRole', {
      params: { userUuid: other.uuid, roleUuid: superadmin.uuid },
      context: contextOf(admin),
    });
    for (const userUuid of [other.uuid, other.uuid.toUpperCase()]) {
      for (const operation of ['disableUser', 'deleteUser']) {
        await expect(fixture.call(operation, { params: { userUuid }, context: contextOf(other) })).rejects.toEqual(
          rejection(/your own user/),
        );
      }
    }
    await fixture.call('deleteUser', { params: { userUuid: other.uuid }, context: contextOf(admin) });
  });

  it('create one audit record per change, and none if a change is rejected', async () => {
    const before = await auditCount();
    const user = await createUser();
    await createUser({ username: user.username }).catch(() => undefined);
    await fixture.call('enableUser', { params: { userUuid: user.uuid }, context: contextOf(admin) });
    expect((await auditCount()) - before).toBe(1);
  });

  it('are not created if the audit record cannot be written', async () => {
    await database.query('ALTER TABLE audit_record ADD CONSTRAINT full_disk CHECK (false) NOT VALID');
    try {
      await expect(createUser({ username: 'unaudited' })).rejects.toThrow();
    } finally {
      await database.query('ALTER TABLE audit_record DROP CONSTRAINT full_disk');
    }
    expect(await fixture.area.findUser(database.executor, { username: 'unaudited' })).toBeUndefined();
  });
});

describe('user certificates', () => {
  it('must be issued, valid, not archived, and not in use by a different user', async () => {
    const hour = 3_600_000;
    const now = fixture.clock.now().getTime();
    for (const [changes, problem] of [
      [{ state: 'revoked', revoked: true }, /revoked/],
      [{ state: 'requested' }, /requested/],
      [{ archived: true }, /archived/],
      [{ notAfter: new Date(now - hour) }, /expired/],
      [{ notBefore: new Date(now + hour) }, /is not valid before/],
    ] as const) {
      await expect(createUser({ certificateUuid: fixture.certificates.add(changes).uuid })).rejects.toEqual(
        rejection(problem),
      );
    }
    const taken = fixture.certificates.add();
    await createUser({ certificateUuid: taken.uuid });
    await expect(createUser({ certificateUuid: taken.uuid })).rejects.toEqual(rejection(/a different user/));
    await expect(createUser({ certificateUuid: newUuid() })).rejects.toEqual(withCode('object_not_found'));
  });

  it('can be kept if they have expired since they were assigned', async () => {
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

  it('are found by their content, or uploaded if they are not in the inventory', async () => {
    const known = fixture.certificates.add();
    const user = await createUser({ certificateData: Buffer.from(known.der).toString('base64') });
    expect(user.certificate?.uuid).toBe(known.uuid);
    const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from('another').toString('base64')}\n-----END CERTIFICATE-----\n`;
    const uploaded = await createUser({ certificateData: Buffer.from(pem).toString('base64') });
    expect(uploaded.certificate?.uuid).toBeDefined();
    await expect(createUser({ certificateData: '%%%' })).rejects.toEqual(withCode('malformed_request'));
  });

  it('do not give callers who can edit users access to the inventory', async () => {
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

  it('cannot belong to RA profiles of which the caller is not a member, whether specified by UUID or by content', async () => {
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

describe("the caller's profile", () => {
  it('shows only objects that the caller can list', async () => {
    const user = await createUser();
    const context = contextOf(user, [{ resource: 'groups', action: 'list' }]);
    const { permissions, username } = await fixture.call<UserProfileDetailDto>('profile', { context });
    expect([username, permissions.allowedListings]).toEqual([user.username, ['certificates', 'groups', 'keys']]);
  });

  it('includes the permissions, but not for objects that the caller cannot see', async () => {
    const [seen, hidden] = [newUuid(), newUuid()];
    for (const [uuid, name] of [
      [seen, 'Seen'],
      [hidden, 'Hidden'],
    ])
      await database.query(
        'INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())',
        [uuid, name],
      );
    const on = (object_uuid: string, action: string, denied: boolean) => ({
      resource: 'groups',
      object_uuid,
      action,
      denied,
    });
    const rows = [on(seen, 'detail', false), on(seen, 'update', true), on(hidden, 'list', true)];
    const context = contextOf(await createUser(), [{ resource: 'groups', action: 'create' }], rows);
    const { resources } = await fixture.call<SubjectPermissionsDto>('getOwnPermissions', { context });
    expect(resources).toEqual([
      {
        name: 'groups',
        allowAllActions: false,
        actions: ['create'],
        objects: [
          { uuid: seen, name: 'Seen', allow: ['detail'], deny: ['update'] },
          { uuid: hidden, name: hidden, allow: [], deny: ['list'] },
        ].toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
      },
    ]);
  });

  it('keeps the certificate and the roles, and changes groups only for callers who can edit users', async () => {
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
  it('returns the user of a certificate or token, even if the certificate is no longer valid', async () => {
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

  it('rejects a token that the platform did not sign', async () => {
    const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"username":"admin"}').toString('base64url')}.`;
    await expect(fixture.call('identifyUser', { body: { authenticationToken: forged } })).rejects.toEqual(
      withCode('object_not_found'),
    );
    await expect(fixture.call('identifyUser', { body: {} })).rejects.toEqual(withCode('rejected_by_rules'));
  });
});
