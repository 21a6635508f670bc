// Certificate owners and group members, over REST: access without an explicit permission, and how it ends. Also, roles
// based on templates.
import type { Client } from '@signetry/client';
import type { RoleTemplateDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { rejectionOf, type IssuedCertificate } from './testing/certificates.ts';
import { userWithRole, type LimitedUser } from './testing/limited-user.ts';
import { expectForbidden, issueUnderTwoProfiles, resourceRights } from './testing/rights.ts';

const server = sharedTestServer();
let admin: Client;
let ofFirst: IssuedCertificate;
let ofSecond: IssuedCertificate;

beforeAll(async () => {
  admin = server.client;
  ({ ofFirst, ofSecond } = await issueUnderTwoProfiles(admin));
});

const assign = ({ uuid }: IssuedCertificate, body: { ownerUuid?: string; groupUuids?: string[] }) =>
  admin.certificates.updateCertificateObjects({ params: { uuid }, body });
const of = ({ uuid }: IssuedCertificate) => ({ params: { uuid } });

async function listVisible({ client }: LimitedUser): Promise<readonly (readonly string[])[]> {
  const listed = await client.certificates.listCertificates({ body: {} });
  const found = await client.certificateSearch.searchCertificates({ body: {} });
  expect([listed.totalItems, found.totalItems]).toEqual([listed.certificates.length, found.certificates.length]);
  return [listed, found].map(({ certificates }) => certificates.map(({ uuid }) => uuid));
}

describe('an owner without any permission', () => {
  it('can list, read, change and delete only their own certificates', async () => {
    const owner = await userWithRole(server, []);
    expect(await listVisible(owner)).toEqual([[], []]);
    await assign(ofFirst, { ownerUuid: owner.userUuid });
    expect(await listVisible(owner)).toEqual([[ofFirst.uuid], [ofFirst.uuid]]);
    const { certificates } = owner.client;
    expect((await certificates.getCertificate(of(ofFirst))).ownerUuid).toBe(owner.userUuid);
    expect(await certificates.getCertificateContent({ body: [ofFirst.uuid] })).toHaveLength(1);
    await certificates.updateCertificateObjects({ ...of(ofFirst), body: { groupUuids: [] } });
    await expectForbidden(certificates.getCertificate(of(ofSecond)));
    await expectForbidden(certificates.getCertificateContent({ body: [ofFirst.uuid, ofSecond.uuid] }));
    await expectForbidden(certificates.deleteCertificate(of(ofSecond)));
    await certificates.deleteCertificate(of(ofFirst));
    expect(await listVisible(owner)).toEqual([[], []]);
  });

  it('remains named on the certificate after being deleted, and a new user with the same name gets no access', async () => {
    const { uuid: userUuid } = await admin.users.createUser({ body: { username: 'leaver' } });
    await assign(ofSecond, { ownerUuid: userUuid });
    await admin.users.deleteUser({ params: { userUuid } });
    expect((await admin.certificates.getCertificate(of(ofSecond))).owner).toBe('leaver');
    const namesake = await userWithRole(server, []);
    await server.running.platform.database.query(`UPDATE platform_user SET username = 'leaver' WHERE uuid = $1`, [
      namesake.userUuid,
    ]);
    expect(await listVisible(namesake)).toEqual([[], []]);
    await assign(ofSecond, { ownerUuid: '' });
  });
});

describe('a group member', () => {
  it("sees the group's certificates and users, cannot change them, and sees nothing after the group is deleted", async () => {
    const { uuid: groupUuid } = await admin.groups.createGroup({ body: { name: 'shared' } });
    const { uuid: userUuid } = await admin.users.createUser({
      body: { username: 'shared', groupUuids: [groupUuid] },
    });
    await assign(ofSecond, { groupUuids: [groupUuid] });
    const member = await userWithRole(server, [
      { ...resourceRights('groups'), objects: [{ uuid: groupUuid, name: 'shared', allow: ['members'] }] },
      resourceRights('certificates', 'update'),
    ]);
    const { certificates, users } = member.client;
    expect(await listVisible(member)).toEqual([[ofSecond.uuid], [ofSecond.uuid]]);
    expect((await certificates.getCertificate(of(ofSecond))).groups?.map(({ name }) => name)).toEqual(['shared']);
    // Has permission to change certificates, but not those of this RA profile.
    await expectForbidden(certificates.updateCertificateObjects({ ...of(ofSecond), body: { groupUuids: [] } }));
    expect((await users.listUsers()).map(({ username }) => username)).toEqual(['shared']);
    expect((await users.getUser({ params: { userUuid } })).groups.map(({ uuid }) => uuid)).toEqual([groupUuid]);
    await expectForbidden(users.updateUser({ params: { userUuid }, body: { email: 'shared@example.com' } }));
    await expectForbidden(users.getUser({ params: { userUuid: member.userUuid } }));
    await admin.groups.deleteGroup({ params: { uuid: groupUuid } });
    expect(await listVisible(member)).toEqual([[], []]);
    await expectForbidden(certificates.getCertificate(of(ofSecond)));
    expect(await users.listUsers()).toEqual([]);
    expect((await admin.users.getUser({ params: { userUuid } })).groups).toEqual([]);
  });
});

describe('a role based on a template', () => {
  const templates = async (): Promise<ReadonlyMap<string, RoleTemplateDto>> =>
    new Map((await admin.roleTemplates.listRoleTemplates()).map((each) => [each.name, each]));
  const userOf = async (name: string): Promise<LimitedUser> => {
    const { permissions } = (await templates()).get(name) ?? expect.fail(`there is no template ${name}`);
    return userWithRole(server, permissions.resources);
  };

  it('allows a reader to read but not change objects, and hides users and audit records', async () => {
    const { client, userUuid } = await userOf('Reader');
    expect((await client.certificates.getCertificate(of(ofSecond))).uuid).toBe(ofSecond.uuid);
    expect((await client.raProfiles.listRaProfiles()).length).toBeGreaterThan(1);
    await expectForbidden(client.certificates.deleteCertificate(of(ofSecond)));
    await expectForbidden(client.users.listUsers());
    await expectForbidden(client.auditLogs.listAuditLogs({ body: {} }));
    const { resources } = await admin.effectivePermissions.getEffectivePermissionsOfUser({ params: { userUuid } });
    const actions = new Set(resources.flatMap((each) => each.actions.map(({ name }) => name)));
    expect([...actions].toSorted()).toEqual(['ANY', 'detail', 'list', 'members']);
  });

  it('allows an auditor to read the audit log, but does not allow an approver to do so', async () => {
    const auditor = await userOf('Auditor');
    expect((await auditor.client.auditLogs.listAuditLogs({ body: {} })).items.length).toBeGreaterThan(0);
    await expectForbidden(auditor.client.auditLogs.purgeAuditLogs({ body: [] }));
    const approver = await userOf('Approver');
    await expectForbidden(approver.client.auditLogs.listAuditLogs({ body: {} }));
  });

  it('shows an operator only the certificates of the selected RA profiles', async () => {
    const operator = await userOf('RA profile operator');
    expect(await listVisible(operator)).toEqual([[], []]);
    const { raProfile } = await admin.certificates.getCertificate(of(ofSecond));
    const [choice] = (await templates()).get('RA profile operator')?.choices ?? [];
    const { resource = '', allow = [] } = choice ?? {};
    const catalogue = await admin.auth.getAuthResources();
    const resourceUuid = catalogue.find(({ name }) => name === resource)?.uuid ?? '';
    await admin.roles.addResourcePermissionObjects({
      params: { roleUuid: operator.roleUuid, resourceUuid },
      body: [{ uuid: raProfile?.uuid ?? '', name: 'chosen', allow }],
    });
    expect(await listVisible(operator)).toEqual([[ofSecond.uuid], [ofSecond.uuid]]);
    expect(await rejectionOf(operator.client.certificates.deleteCertificate(of(ofSecond)))).toMatchObject({
      status: 403,
    });
  });
});
