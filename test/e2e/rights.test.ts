// What a user with limited permissions can see and do, over real HTTP: whole resources, single objects, denials.
import type { Client } from '@signetry/client';
import type { ResourcePermissionsRequestDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { rejectionOf, type IssuedCertificate } from './testing/certificates.ts';
import { userWithRole, type LimitedUser } from './testing/limited-user.ts';
import type { IssuingPath } from './testing/profiles.ts';
import { expectForbidden, issueUnderTwoProfiles, objectRights, resourceRights } from './testing/rights.ts';

const server = sharedTestServer();
let admin: Client;
let first: IssuingPath;
let second: IssuingPath;
let ofFirst: IssuedCertificate;
let ofSecond: IssuedCertificate;

beforeAll(async () => {
  admin = server.client;
  ({ first, second, ofFirst, ofSecond } = await issueUnderTwoProfiles(admin));
});

/** Returns the permitted lists, without those of ownable objects, which every user can open. */
const listings = async ({ client }: LimitedUser): Promise<string[]> =>
  (await client.auth.getUserProfile()).permissions.allowedListings.filter(
    (each) => each !== 'certificates' && each !== 'keys',
  );
const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name).toSorted();
const ours = { body: { text: 'rights.example' } };
const commonNames = (rows: readonly { readonly commonName: string }[]): string[] =>
  rows.map(({ commonName }) => commonName).toSorted();

describe('a user with permissions on whole resources', () => {
  it('can do exactly what the permissions allow, and sees which lists can be opened', async () => {
    const user = await userWithRole(server, [
      resourceRights('groups', 'list', 'create'),
      resourceRights('certificates', 'list', 'detail'),
      resourceRights('raProfiles', 'members'),
    ]);
    expect(await listings(user)).toEqual(['groups']);
    await user.client.groups.createGroup({ body: { name: 'made with few rights' } });
    expect(namesOf(await user.client.groups.listGroups())).toEqual(['made with few rights']);
    expect(commonNames((await user.client.certificateSearch.searchCertificates(ours)).certificates)).toEqual([
      'first.rights.example',
      'second.rights.example',
    ]);
    const [group] = await user.client.groups.listGroups();
    await expectForbidden(user.client.groups.deleteGroup({ params: { uuid: group?.uuid ?? '' } }));
    await expectForbidden(user.client.users.listUsers());
    await expectForbidden(user.client.roles.listRoles());
    await expectForbidden(user.client.raProfiles.listRaProfiles());
    await expectForbidden(user.client.auditLogs.listAuditLogs({ body: {} }));
    await expectForbidden(user.client.certificates.deleteCertificate({ params: { uuid: ofFirst.uuid } }));
    await expectForbidden(
      user.client.clientOperations.revokeCertificate({
        params: { ...first, certificateUuid: ofFirst.uuid },
        body: { reason: 'unspecified', attributes: [] },
      }),
    );
  });

  it("gains and loses access immediately when the role's permissions change", async () => {
    const user = await userWithRole(server, [resourceRights('groups', 'list')]);
    const save = (...resources: ResourcePermissionsRequestDto[]) =>
      admin.roles.saveRolePermissions({
        params: { roleUuid: user.roleUuid },
        body: { allowAllResources: false, resources },
      });
    await user.client.groups.listGroups();
    await save(resourceRights('users', 'list'));
    await expectForbidden(user.client.groups.listGroups());
    expect((await user.client.users.listUsers()).length).toBeGreaterThan(1);
    expect(await listings(user)).toEqual(['users']);
    await admin.users.removeUserRole({ params: { userUuid: user.userUuid, roleUuid: user.roleUuid } });
    await expectForbidden(user.client.users.listUsers());
    expect(await listings(user)).toEqual([]);
  });

  it('cannot escalate their own permissions', async () => {
    const user = await userWithRole(server, [
      { name: 'roles', allowAllActions: true },
      resourceRights('users', 'list'),
    ]);
    const save = (body: { allowAllResources: boolean; resources?: ResourcePermissionsRequestDto[] }) =>
      user.client.roles.saveRolePermissions({ params: { roleUuid: user.roleUuid }, body });
    await expectForbidden(save({ allowAllResources: true }));
    await expectForbidden(
      save({
        allowAllResources: false,
        resources: [
          { name: 'roles', allowAllActions: true },
          { name: 'users', allowAllActions: true },
        ],
      }),
    );
    await expectForbidden(user.client.users.createUser({ body: { username: 'another' } }));
    const superadmin = (await user.client.roles.listRoles()).find(({ name }) => name === 'superadmin');
    expect(
      await rejectionOf(
        user.client.roles.saveRolePermissions({
          params: { roleUuid: superadmin?.uuid ?? '' },
          body: { allowAllResources: false },
        }),
      ),
    ).toMatchObject({
      status: 400,
      message: expect.stringContaining('belongs to the platform'),
    });
  });
});

describe('a user with permissions on single objects', () => {
  it('sees only those objects in lists, and cannot open or change any others', async () => {
    const user = await userWithRole(server, [
      objectRights('raProfiles', first.raProfileUuid, { allow: ['list', 'detail', 'enable', 'members'] }),
      objectRights('authorities', first.authorityUuid, { allow: ['list', 'detail'] }),
    ]);
    expect(await listings(user)).toEqual(['authorities', 'raProfiles']);
    expect(namesOf(await user.client.raProfiles.listRaProfiles())).toEqual(['default']);
    expect(namesOf(await user.client.authorities.listAuthorityInstances())).toEqual(['Signetry Root']);
    expect((await user.client.raProfiles.getRaProfile({ params: first })).name).toBe('default');
    await expectForbidden(user.client.raProfiles.getRaProfile({ params: second }));
    await expectForbidden(user.client.raProfiles.getRaProfileWithoutAuthority({ params: second }));
    await user.client.raProfiles.bulkEnableRaProfile({ body: [first.raProfileUuid] });
    await expectForbidden(
      user.client.raProfiles.bulkDisableRaProfile({ body: [first.raProfileUuid, second.raProfileUuid] }),
    );
    await expectForbidden(
      user.client.raProfiles.createRaProfile({ params: first, body: { name: 'third', attributes: [] } }),
    );
    await expectForbidden(user.client.connectors.listConnectors());
  });

  it('sees certificates of the RA profiles that the user is a member of', async () => {
    const user = await userWithRole(server, [
      resourceRights('certificates', 'list', 'detail', 'delete'),
      objectRights('raProfiles', second.raProfileUuid, { allow: ['members'] }),
    ]);
    const { client } = user;
    expect(await listings(user)).toEqual([]);
    const found = await client.certificateSearch.searchCertificates({ body: {} });
    expect([commonNames(found.certificates), found.totalItems]).toEqual([['second.rights.example'], 1]);
    const listed = await client.certificates.listCertificates({ body: {} });
    expect([commonNames(listed.certificates), listed.totalItems]).toEqual([['second.rights.example'], 1]);
    const file = new TextDecoder().decode(await client.certificateSearch.exportCertificates({ body: {} }));
    expect(file.trimEnd().split('\r\n')).toHaveLength(2);
    expect((await client.certificates.getCertificate({ params: { uuid: ofSecond.uuid } })).commonName).toBe(
      'second.rights.example',
    );
    for (const call of [
      () => client.certificates.getCertificate({ params: { uuid: ofFirst.uuid } }),
      () => client.certificates.getCertificateEventHistory({ params: { uuid: ofFirst.uuid } }),
      () => client.certificates.getCertificateChain({ params: { uuid: ofFirst.uuid } }),
      () =>
        client.certificates.downloadCertificate({
          params: { uuid: ofFirst.uuid, certificateFormat: 'raw' },
          query: { encoding: 'pem' },
        }),
      () => client.certificates.getCertificateContent({ body: [ofSecond.uuid, ofFirst.uuid] }),
      () => client.certificates.deleteCertificate({ params: { uuid: ofFirst.uuid } }),
    ])
      expect(await rejectionOf(call())).toMatchObject({ status: 404 });
    // The bulk operation requires permission on all RA profiles.
    await expectForbidden(client.certificates.bulkDeleteCertificate({ body: { uuids: [ofSecond.uuid] } }));
    expect((await admin.certificates.getCertificate({ params: { uuid: ofFirst.uuid } })).uuid).toBe(ofFirst.uuid);
  });
});

describe('a denial on an object', () => {
  it('overrides permissions on whole resources, including in lists', async () => {
    const user = await userWithRole(server, [
      {
        name: 'raProfiles',
        allowAllActions: true,
        objects: [{ uuid: first.raProfileUuid, name: 'default', deny: ['list', 'detail', 'members'] }],
      },
      { name: 'authorities', allowAllActions: true },
      { name: 'certificates', allowAllActions: true },
    ]);
    await admin.users.addUserRole({
      params: {
        userUuid: user.userUuid,
        roleUuid: (await admin.roles.listRoles()).find(({ name }) => name === 'admin')?.uuid ?? '',
      },
    });
    const { client } = user;
    const names = namesOf(await client.raProfiles.listRaProfiles());
    expect(names).toContain('for-second-ca');
    expect(names).not.toContain('default');
    await expectForbidden(client.raProfiles.getRaProfile({ params: first }));
    expect((await client.raProfiles.getRaProfile({ params: second })).uuid).toBe(second.raProfileUuid);
    expect(commonNames((await client.certificateSearch.searchCertificates(ours)).certificates)).toEqual([
      'second.rights.example',
    ]);
    await expectForbidden(
      client.clientOperations.issueCertificate({ params: first, body: { request: 'anything', attributes: [] } }),
    );
  });

  it('is shown in the role alongside inherited permissions', async () => {
    const { roleUuid } = await userWithRole(server, [
      {
        name: 'raProfiles',
        allowAllActions: false,
        actions: ['list', 'detail'],
        objects: [{ uuid: first.raProfileUuid, name: 'whatever', allow: ['update'], deny: ['detail'] }],
      },
    ]);
    const catalogue = await admin.auth.getAuthResources();
    const resourceUuid = catalogue.find(({ name }) => name === 'raProfiles')?.uuid ?? '';
    expect(await admin.roles.getResourcePermissionObjects({ params: { roleUuid, resourceUuid } })).toEqual([
      { uuid: first.raProfileUuid, name: 'default', allow: ['list', 'update'], deny: ['detail'] },
    ]);
    const choices = await admin.auth.getObjectsForResource({ params: { resourceName: 'raProfiles' } });
    expect(choices).toContainEqual({ uuid: first.raProfileUuid, name: 'default' });
    expect(await rejectionOf(admin.auth.getObjectsForResource({ params: { resourceName: 'users' } }))).toMatchObject({
      status: 501,
    });
  });

  it('can be defined on single objects in every area that lists them', async () => {
    await admin.groups.createGroup({ body: { name: 'to give rights on' } });
    for (const resourceName of ['acmeProfiles', 'authorities', 'connectors', 'groups', 'raProfiles'] as const)
      expect(await admin.auth.getObjectsForResource({ params: { resourceName } }), resourceName).not.toEqual([]);
  });
});
