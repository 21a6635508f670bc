import type { UserAccess } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { mergePermissions } from '../permissions/permission-rows.ts';
import { contextOf } from '../testing/identity-fixture.ts';
import { createUsersFixture } from '../testing/users-fixture.ts';

const { database, fixture, admin, createUser, roleNamed } = await createUsersFixture();

const listFor = (context: RequestContext): Promise<UserAccess[]> => fixture.call('listUserAccess', { context });
const accessOf = async (uuid: string, context = contextOf(admin)): Promise<UserAccess | undefined> =>
  (await listFor(context)).find((access) => access.uuid === uuid);

const someone = (
  rows: Parameters<typeof mergePermissions>[0],
  objects: Parameters<typeof mergePermissions>[1] = [],
) => {
  const context = contextOf(admin);
  return { ...context, actor: { ...context.actor, permissions: mergePermissions(rows, objects) } };
};

describe('user access', () => {
  it('is empty for a new user', async () => {
    const { uuid } = await createUser();
    expect(await accessOf(uuid)).toEqual({
      uuid,
      roles: [],
      certificate: false,
      passkeys: 0,
      accessTokens: 0,
      externalIdentities: 0,
      invited: false,
    });
  });

  it('lists the role names, the certificate, and the number of currently usable credentials', async () => {
    const { uuid, username } = await createUser({ certificateUuid: fixture.certificates.add().uuid });
    const roles = [await roleNamed('superadmin'), await roleNamed('acme')];
    await fixture.call('updateRoles', {
      params: { userUuid: uuid },
      body: roles.map((role) => role.uuid),
      context: contextOf(admin),
    });
    const soon = new Date(fixture.clock.now().getTime() + 60_000);
    await fixture.area.createAccessToken({ username, name: 'lasting' });
    await fixture.area.createAccessToken({ username, name: 'short', expiresAt: soon });
    await fixture.call('createInvitation', { params: { userUuid: uuid }, context: contextOf(admin) });
    await database.query(
      `INSERT INTO external_identity (uuid, issuer_url, subject, user_uuid, created_at) VALUES ($1, 'https://id.test', 'somebody', $2, now())`,
      [newUuid(), uuid],
    );
    await database.query(
      `INSERT INTO passkey (uuid, user_uuid, name, credential_id, public_key, sign_count, transports, host, synced, created_at)
       VALUES ($1, $2, 'key', $3, $3, 0, '{}', 'pki.test', false, now())`,
      [newUuid(), uuid, Uint8Array.of(1, 2, 3)],
    );
    expect(await accessOf(uuid)).toMatchObject({
      roles: [{ name: 'acme' }, { name: 'superadmin' }],
      certificate: true,
      passkeys: 1,
      accessTokens: 2,
      externalIdentities: 1,
      invited: true,
    });
    fixture.clock.advance(60_000);
    expect(await accessOf(uuid)).toMatchObject({ accessTokens: 1, invited: true });
    fixture.clock.advance(30 * 24 * 60 * 60 * 1000);
    expect(await accessOf(uuid)).toMatchObject({ invited: false });
  });

  it('is shown only for users whose details the caller may see', async () => {
    const [own, other] = [await createUser(), await createUser()];
    const list = { resource: 'users', action: 'list' } as const;
    const detail = { resource: 'users', action: 'detail' } as const;
    expect(await listFor(someone([list]))).toEqual([]);
    expect((await listFor(someone([list, detail]))).map(({ uuid }) => uuid)).toEqual(
      expect.arrayContaining([own.uuid, other.uuid]),
    );
  });

  it('of the users in a group is shown to its members', async () => {
    const group = newUuid();
    await database.query(
      `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'Shared', now(), now())`,
      [group],
    );
    const { uuid } = await createUser({ groupUuids: [group] });
    const member = someone([], [{ resource: 'groups', action: 'members', object_uuid: group, denied: false }]);
    expect((await listFor(member)).map((access) => access.uuid)).toEqual([uuid]);
  });
});
