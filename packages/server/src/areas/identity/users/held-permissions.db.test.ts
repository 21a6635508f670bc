// Users cannot grant, obtain or become more than they hold, on any path.
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { approverPrivileges } from '../../approvals/index.ts';
import { ownerPrivileges } from '../permissions/held.ts';
import { contextOf } from '../testing/identity-fixture.ts';
import { createUsersFixture, withCode } from '../testing/users-fixture.ts';

const { database, fixture, admin, createUser } = await createUsersFixture();
const owners = new Set<string>();
fixture.area.registerPowers(approverPrivileges);
fixture.area.registerPowers(ownerPrivileges('keys', async (_tx, userUuid) => owners.has(userUuid)));

const MANAGER = [
  { resource: 'users', action: null },
  { resource: 'roles', action: null },
  { resource: 'groups', action: 'detail' },
  { resource: 'certificates', action: 'detail' },
] as const;

const deniedAccess = withCode('access_denied');
const manager = await createUser();
const managerContext = (...more: Parameters<typeof contextOf>[1] & object): RequestContext =>
  contextOf(manager, [...MANAGER, ...more]);

/** Creates a user who can destroy keys, which the manager cannot. */
const keyOperator = async () => {
  const user = await createUser();
  const roleUuid = await fixture.roleWith([{ resource: 'keys', action: 'delete' }]);
  const params = { userUuid: user.uuid, roleUuid };
  await fixture.call('addRole', { params, context: contextOf(admin) });
  return { user, roleUuid };
};

const identityOf = (subject: string) => ({ providerName: 'corporate', subject });
await fixture.call('updateOAuth2ProviderSettings', {
  params: { providerName: 'corporate' },
  body: {
    issuerUrl: 'https://id.test',
    jwkSet: Buffer.from('{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}').toString('base64'), // prettier-ignore
  },
});

const changes = [
  ['updates the user', 'updateUser', async () => ({ email: 'new@example.org' })],
  ['replaces the certificate', 'updateUser', async () => ({ certificateUuid: fixture.certificates.add().uuid })],
  ['disables the user', 'disableUser', async () => undefined],
  ['deletes the user', 'deleteUser', async () => undefined],
  ['takes the roles away', 'updateRoles', async () => []],
  ['invites the user', 'createInvitation', async () => undefined],
  ['links an identity', 'linkExternalIdentity', async () => identityOf(newUuid())],
] as const;

describe('a user manager', () => {
  it.each(changes)("%s only if they have the user's permissions", async (_what, operation, bodyOf) => {
    const { user } = await keyOperator();
    const call = async (context: RequestContext) =>
      fixture.call(operation, { params: { userUuid: user.uuid }, body: await bodyOf(), context });
    await expect(call(managerContext())).rejects.toEqual(deniedAccess);
    await call(managerContext({ resource: 'keys', action: 'delete' }));
  });

  it('assigns only roles whose permissions they have, including to themselves and in bulk', async () => {
    const { roleUuid } = await keyOperator();
    const other = await createUser();
    for (const [operation, params, body] of [
      ['addRole', { userUuid: manager.uuid, roleUuid }, undefined],
      ['addRole', { userUuid: other.uuid, roleUuid }, undefined],
      ['updateRoles', { userUuid: manager.uuid }, [roleUuid]],
      ['updateUsers', { roleUuid }, [manager.uuid, other.uuid]],
      ['updateRole', { roleUuid }, { name: newUuid() }],
      ['deleteRole', { roleUuid }, undefined],
    ] as const)
      await expect(fixture.call(operation, { params, body, context: managerContext() }), operation).rejects.toEqual(
        deniedAccess,
      );
    const params = { userUuid: other.uuid, roleUuid };
    await fixture.call('addRole', { params, context: managerContext({ resource: 'keys', action: 'delete' }) });
  });

  it('does not remove a role that denies an action that they cannot perform themselves', async () => {
    const group = newUuid();
    const roleUuid = await fixture.roleWith([]);
    await database.query(
      `INSERT INTO role_object_permission (role_uuid, resource, object_uuid, action, denied) VALUES ($1, 'groups', $2, 'update', true)`,
      [roleUuid, group],
    );
    const user = await createUser();
    const params = { userUuid: user.uuid, roleUuid };
    await fixture.call('addRole', { params, context: managerContext() });
    await expect(fixture.call('removeRole', { params, context: managerContext() })).rejects.toEqual(deniedAccess);
    await expect(fixture.call('deleteRole', { params, context: managerContext() })).rejects.toEqual(deniedAccess);
    await fixture.call('removeRole', { params, context: managerContext({ resource: 'groups', action: 'update' }) });
  });
});

describe('approver status', () => {
  const approvedBy = async (column: 'user_uuid' | 'role_uuid' | 'group_uuid', approver: string) => {
    const [profile, version] = [newUuid(), newUuid()];
    await database.query(
      `INSERT INTO approval_profile (uuid, name, latest_version, created_at, updated_at) VALUES ($1, $2, 1, now(), now())`,
      [profile, `profile ${profile}`],
    );
    await database.query(
      `INSERT INTO approval_profile_version (uuid, approval_profile_uuid, version, expiry_hours, allow_own_approval, created_at)
       VALUES ($1, $2, 1, 24, false, now())`,
      [version, profile],
    );
    await database.query(
      `INSERT INTO approval_step (uuid, version_uuid, step_order, ${column}, required_approvals) VALUES ($1, $2, 1, $3, 1)`,
      [newUuid(), version, approver],
    );
  };
  const newGroup = async () => {
    const uuid = newUuid();
    await database.query(
      'INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1::uuid, $1::text, now(), now())',
      [uuid],
    );
    return uuid;
  };
  const editor = { resource: 'approvalProfiles', action: 'update' };

  it('cannot be gained by joining an approver group, in any way', async () => {
    const group = await newGroup();
    await approvedBy('group_uuid', group);
    const own = { groupUuids: [group] };
    const join = (operation: string, body: object, context: RequestContext) =>
      fixture.call(operation, { params: { userUuid: manager.uuid }, body, context });
    for (const operation of ['updateUser', 'updateUserProfile'])
      await expect(join(operation, own, managerContext()), operation).rejects.toEqual(deniedAccess);
    const another = { username: newUuid(), ...own };
    await expect(join('createUser', another, managerContext())).rejects.toEqual(deniedAccess);
    await join('createUser', another, managerContext(editor));
    await join('updateUser', { groupUuids: [await newGroup()] }, managerContext());
  });

  it('cannot be gained through an approver role, even one without permissions', async () => {
    const roleUuid = await fixture.roleWith([]);
    await approvedBy('role_uuid', roleUuid);
    const params = { userUuid: manager.uuid, roleUuid };
    await expect(fixture.call('addRole', { params, context: managerContext() })).rejects.toEqual(deniedAccess);
    const many = { params, body: [manager.uuid], context: managerContext() };
    await expect(fixture.call('updateUsers', many)).rejects.toEqual(deniedAccess);
    await fixture.call('addRole', { params, context: managerContext(editor) });
  });

  it.each(['createInvitation', 'linkExternalIdentity', 'updateUser'])(
    'cannot be gained by signing in as an approver (%s)',
    async (operation) => {
      const approver = await createUser();
      await approvedBy('user_uuid', approver.uuid);
      const body = { ...identityOf(newUuid()), certificateUuid: fixture.certificates.add().uuid };
      const call = (context: RequestContext) =>
        fixture.call(operation, { params: { userUuid: approver.uuid }, body, context });
      await expect(call(managerContext())).rejects.toEqual(deniedAccess);
      await call(managerContext(editor));
    },
  );
});

it('callers cannot sign in as the owner of objects that they do not fully control', async () => {
  const owner = await createUser();
  owners.add(owner.uuid);
  const invite = (context: RequestContext) =>
    fixture.call('createInvitation', { params: { userUuid: owner.uuid }, context });
  await expect(invite(managerContext({ resource: 'keys', action: 'detail' }))).rejects.toEqual(deniedAccess);
  await invite(managerContext({ resource: 'keys', action: null }));
  // Editing the account grants no access to the objects that it owns.
  await fixture.call('updateUser', {
    params: { userUuid: owner.uuid },
    body: { email: '' },
    context: managerContext(),
  });
});

describe("settings that determine the caller's identity", () => {
  const params = { providerName: 'corporate' };
  const body = { issuerUrl: 'https://id.test', jwkSet: 'e30=' };
  const operations = [
    ['updateOAuth2ProviderSettings', body],
    ['updateProviderProvisioning', { createUnknownUsers: true, createUnknownRoles: false, syncPolicy: 'create-only', grantedRoleUuids: [] }], // prettier-ignore
    ['updateAuthenticationSettings', { disableLocalhostUser: false, oauth2Providers: [] }],
    ['removeOAuth2Provider', undefined],
  ] as const;

  it.each(operations)('require full permissions, and cannot be changed with a scoped token (%s)', async (id, sent) => {
    const full = contextOf(admin);
    for (const context of [
      contextOf(manager, [{ resource: 'settings', action: null }]),
      { ...full, actor: { ...full.actor, hasScope: true as const } },
    ])
      await expect(fixture.call(id, { params, body: sent, context })).rejects.toEqual(deniedAccess);
  });
});
