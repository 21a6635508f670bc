// What a user of limited rights sees and may do, over real HTTP: whole resources, single objects, denials.
import type { Client } from '@signetry/client';
import type { Resource, ResourcePermissionsRequestDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { acmeAccount } from './testing/declared-calls.ts';
import { issue, refusalOf, type IssuedCertificate } from './testing/certificates.ts';
import { userWithRole, type LimitedUser } from './testing/limited-user.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let admin: Client;
let first: IssuingPath;
let second: IssuingPath;
let ofFirst: IssuedCertificate;
let ofSecond: IssuedCertificate;

beforeAll(async () => {
  admin = server.client;
  first = await defaultProfile(admin);
  second = await createAuthority(admin, { name: 'Second CA' });
  ofFirst = await issue(admin, first, await makeRequest({ subject: 'CN=first.rights.example' }));
  ofSecond = await issue(admin, second, await makeRequest({ subject: 'CN=second.rights.example' }));
});

const whole = (name: Resource, ...actions: string[]): ResourcePermissionsRequestDto => ({
  name,
  allowAllActions: false,
  actions,
});
const object = (
  name: Resource,
  uuid: string,
  rights: { allow?: string[]; deny?: string[] },
): ResourcePermissionsRequestDto => ({
  name,
  allowAllActions: false,
  objects: [{ uuid, name: 'object', ...rights }],
});
const forbidden = async (call: Promise<unknown>): Promise<void> => {
  expect(await refusalOf(call)).toMatchObject({ status: 403 });
};
const listings = async ({ client }: LimitedUser): Promise<string[]> =>
  (await client.auth.getUserProfile()).permissions.allowedListings;
const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name).toSorted();
const ours = { body: { text: 'rights.example' } };
const commonNames = (rows: readonly { readonly commonName: string }[]): string[] =>
  rows.map(({ commonName }) => commonName).toSorted();

describe('a user with rights on whole resources', () => {
  it('may do exactly these, and sees which lists they can open', async () => {
    const user = await userWithRole(server, [
      whole('groups', 'list', 'create'),
      whole('certificates', 'list', 'detail'),
      whole('raProfiles', 'members'),
    ]);
    expect(await listings(user)).toEqual(['certificates', 'groups']);
    await user.client.groups.createGroup({ body: { name: 'made with few rights' } });
    expect(namesOf(await user.client.groups.listGroups())).toEqual(['made with few rights']);
    expect(commonNames((await user.client.certificateSearch.searchCertificates(ours)).certificates)).toEqual([
      'first.rights.example',
      'second.rights.example',
    ]);
    const [group] = await user.client.groups.listGroups();
    await forbidden(user.client.groups.deleteGroup({ params: { uuid: group?.uuid ?? '' } }));
    await forbidden(user.client.users.listUsers());
    await forbidden(user.client.roles.listRoles());
    await forbidden(user.client.raProfiles.listRaProfiles());
    await forbidden(user.client.auditLogs.listAuditLogs({ body: {} }));
    await forbidden(user.client.certificates.deleteCertificate({ params: { uuid: ofFirst.uuid } }));
    await forbidden(
      user.client.clientOperations.revokeCertificate({
        params: { ...first, certificateUuid: ofFirst.uuid },
        body: { reason: 'unspecified', attributes: [] },
      }),
    );
  });

  it('gets more and less at once, as the role changes', async () => {
    const user = await userWithRole(server, [whole('groups', 'list')]);
    const save = (...resources: ResourcePermissionsRequestDto[]) =>
      admin.roles.saveRolePermissions({
        params: { roleUuid: user.roleUuid },
        body: { allowAllResources: false, resources },
      });
    await user.client.groups.listGroups();
    await save(whole('users', 'list'));
    await forbidden(user.client.groups.listGroups());
    expect((await user.client.users.listUsers()).length).toBeGreaterThan(1);
    expect(await listings(user)).toEqual(['users']);
    await admin.users.removeUserRole({ params: { userUuid: user.userUuid, roleUuid: user.roleUuid } });
    await forbidden(user.client.users.listUsers());
    expect(await listings(user)).toEqual([]);
  });

  it('cannot give themselves more', async () => {
    const user = await userWithRole(server, [{ name: 'roles', allowAllActions: true }, whole('users', 'list')]);
    const save = (body: { allowAllResources: boolean; resources?: ResourcePermissionsRequestDto[] }) =>
      user.client.roles.saveRolePermissions({ params: { roleUuid: user.roleUuid }, body });
    await forbidden(save({ allowAllResources: true }));
    await forbidden(
      save({
        allowAllResources: false,
        resources: [
          { name: 'roles', allowAllActions: true },
          { name: 'users', allowAllActions: true },
        ],
      }),
    );
    await forbidden(user.client.users.createUser({ body: { username: 'another' } }));
    const superadmin = (await user.client.roles.listRoles()).find(({ name }) => name === 'superadmin');
    expect(
      await refusalOf(
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

describe('a user with rights on single objects', () => {
  it('sees these objects in lists, and opens and changes no others', async () => {
    const user = await userWithRole(server, [
      object('raProfiles', first.raProfileUuid, { allow: ['list', 'detail', 'enable', 'members'] }),
      object('authorities', first.authorityUuid, { allow: ['list', 'detail'] }),
    ]);
    expect(await listings(user)).toEqual(['authorities', 'raProfiles']);
    expect(namesOf(await user.client.raProfiles.listRaProfiles())).toEqual(['default']);
    expect(namesOf(await user.client.authorities.listAuthorityInstances())).toEqual(['Signetry Root']);
    expect((await user.client.raProfiles.getRaProfile({ params: first })).name).toBe('default');
    await forbidden(user.client.raProfiles.getRaProfile({ params: second }));
    await forbidden(user.client.raProfiles.getRaProfileWithoutAuthority({ params: second }));
    await user.client.raProfiles.bulkEnableRaProfile({ body: [first.raProfileUuid] });
    await forbidden(user.client.raProfiles.bulkDisableRaProfile({ body: [first.raProfileUuid, second.raProfileUuid] }));
    await forbidden(user.client.raProfiles.createRaProfile({ params: first, body: { name: 'third', attributes: [] } }));
    await forbidden(user.client.connectors.listConnectors());
  });

  it('sees the certificates of the RA profiles that they are a member of', async () => {
    const user = await userWithRole(server, [
      whole('certificates', 'list', 'detail', 'delete'),
      object('raProfiles', second.raProfileUuid, { allow: ['members'] }),
    ]);
    const { client } = user;
    expect(await listings(user)).toEqual(['certificates']);
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
      expect(await refusalOf(call())).toMatchObject({ status: 404 });
    // It asks for a right on all RA profiles.
    await forbidden(client.certificates.bulkDeleteCertificate({ body: { uuids: [ofSecond.uuid] } }));
    expect((await admin.certificates.getCertificate({ params: { uuid: ofFirst.uuid } })).uuid).toBe(ofFirst.uuid);
  });
});

describe('a certificate of an RA profile that is hidden', () => {
  it('is asked about, changed, renewed and revoked by its members only', async () => {
    const { client } = await userWithRole(server, [
      { name: 'certificates', allowAllActions: true },
      { name: 'authorities', allowAllActions: true },
      {
        ...whole('raProfiles', 'detail'),
        objects: [{ uuid: second.raProfileUuid, name: 'second', allow: ['members'] }],
      },
    ]);
    const { pem } = await makeRequest({ subject: 'CN=second.rights.example' });
    const of = ({ uuid }: IssuedCertificate) => ({ params: { uuid } });
    const under = (path: IssuingPath) => ({ params: { ...path, certificateUuid: ofFirst.uuid } });
    const revocation = { reason: 'unspecified' as const, attributes: [] };
    const { certificateRenewal, clientOperations } = client;
    const early = { certificateUuids: [ofFirst.uuid, ofSecond.uuid] };
    expect(await certificateRenewal.askForEarlyRenewal({ body: early })).toMatchObject({
      asked: 1,
      refused: [{ uuid: ofFirst.uuid, name: '', message: 'There is no such certificate.' }],
    });
    expect((await certificateRenewal.getRenewalWindow(of(ofSecond))).reason).toBe('asked');
    expect((await admin.certificateRenewal.getRenewalWindow(of(ofFirst))).reason).toBe('rule');
    // Under the path of its RA profile the right on that is missing; under another there is no such certificate.
    for (const [path, status] of [
      [first, 403],
      [second, 404],
    ] as const)
      // prettier-ignore
      for (const call of [
        () => clientOperations.renewCertificate({ ...under(path), body: {} }),
        () => clientOperations.rekeyCertificate({ ...under(path), body: { request: pem } }),
        () => clientOperations.issueRequestedCertificate(under(path)),
        () => clientOperations.revokeCertificate({ ...under(path), body: revocation }),
      ])
        expect(await refusalOf(call())).toMatchObject({ status });
    for (const call of [
      () => certificateRenewal.getRenewalWindow(of(ofFirst)),
      () => certificateRenewal.withdrawEarlyRenewal(of(ofFirst)),
    ])
      expect(await refusalOf(call())).toMatchObject({ status: 404 });
    await certificateRenewal.withdrawEarlyRenewal(of(ofSecond));
  });

  it('is not shown beside one that succeeds it', async () => {
    const old = await issue(admin, first, await makeRequest({ subject: 'CN=moved.example' }));
    const { uuid } = await admin.clientOperations.renewCertificate({
      params: { ...first, certificateUuid: old.uuid },
      body: {},
    });
    await admin.certificates.updateCertificateObjects({ params: { uuid: old.uuid }, body: { raProfileUuid: '' } });
    await server.running.platform.database.query('UPDATE certificate SET ra_profile_uuid = $2 WHERE uuid = $1', [
      old.uuid,
      second.raProfileUuid,
    ]);
    const { client } = await userWithRole(server, [
      whole('certificates', 'detail'),
      object('raProfiles', first.raProfileUuid, { allow: ['members'] }),
    ]);
    expect((await admin.certificates.getCertificate({ params: { uuid } })).relatedCertificates).toHaveLength(1);
    const seen = await client.certificates.getCertificate({ params: { uuid } });
    expect([seen.relatedCertificates, seen.sourceCertificateUuid]).toEqual([[], undefined]);
  });
});

describe('a request that names a second object', () => {
  it('needs a right on it, too', async () => {
    const { uuid: groupUuid } = await admin.groups.createGroup({ body: { name: 'out of sight' } });
    const { connectorUuid = '' } = await admin.authorities.getAuthorityInstance({
      params: { uuid: first.authorityUuid },
    });
    const [someone] = await admin.users.listUsers();
    const { client } = await userWithRole(server, [
      { name: 'certificates', allowAllActions: true },
      { name: 'acmeProfiles', allowAllActions: true },
      whole('users', 'create'),
      whole('authorities', 'create'),
      object('raProfiles', second.raProfileUuid, { allow: ['members', 'detail'] }),
    ]);
    const change = (body: { raProfileUuid?: string; groupUuids?: string[]; ownerUuid?: string }) => () =>
      client.certificates.updateCertificateObjects({ params: { uuid: ofSecond.uuid }, body });
    const { pem: request } = await makeRequest({ subject: 'CN=not-asked.example' });
    const issuing = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };
    const { raProfileUuid } = first;
    for (const call of [
      change({ raProfileUuid }),
      change({ raProfileUuid: raProfileUuid.toUpperCase() }),
      change({ groupUuids: [groupUuid] }),
      change({ ownerUuid: someone?.uuid ?? '' }),
      () =>
        client.certificates.submitCertificateRequest({
          body: { raProfileUuid, request, format: 'pkcs10', issueAttributes: [] },
        }),
      () => client.users.createUser({ body: { username: 'grouped', groupUuids: [groupUuid] } }),
      () =>
        client.acmeProfiles.createAcmeProfile({
          body: { name: 'owned', ...issuing, certificateAssociations: { ownerUuid: someone?.uuid ?? '' } },
        }),
      () =>
        client.acmeProfiles.createAcmeProfile({
          body: { name: 'grouped', ...issuing, certificateAssociations: { groupUuids: [groupUuid] } },
        }),
      () =>
        client.authorities.createAuthorityInstance({
          body: { name: 'unseen', kind: 'SoftwareCA', attributes: [], connectorUuid },
        }),
    ])
      // prettier-ignore
      await forbidden(call());
    const {
      raProfile,
      groups = [],
      ownerUuid,
    } = await admin.certificates.getCertificate({ params: { uuid: ofSecond.uuid } });
    expect([raProfile?.uuid, groups, ownerUuid === someone?.uuid]).toEqual([second.raProfileUuid, [], false]);
    await change({ raProfileUuid: second.raProfileUuid, groupUuids: [], ownerUuid: '' })();
  });

  it('is refused by a denial on that object, in every form', async () => {
    const { connectorUuid = '' } = await admin.authorities.getAuthorityInstance({
      params: { uuid: first.authorityUuid },
    });
    const denied = { uuid: connectorUuid, name: 'denied', deny: ['connect', 'detail'] };
    const { client } = await userWithRole(server, [{ name: 'connectors', allowAllActions: true, objects: [denied] }]);
    const absent = { url: 'http://127.0.0.1:1', authType: 'none' } as const;
    const connect = (uuid?: string) => client.connectors.connectConnector({ body: { ...absent, uuid } });
    await forbidden(connect(connectorUuid));
    await forbidden(client.connectors.checkConnectorHealth({ params: { uuid: connectorUuid } }));
    expect(await refusalOf(connect())).not.toMatchObject({ status: 403 });
  });
});

describe('the health of a connector', () => {
  it('is not asked for by those who have no right on it', async () => {
    const { connectorUuid = '' } = await admin.authorities.getAuthorityInstance({
      params: { uuid: first.authorityUuid },
    });
    const params = { uuid: connectorUuid };
    const calls = async () => {
      const { values } = await server.running.platform.metrics.connectorCalls.get();
      return values.find(
        ({ labels, metricName }) => labels.operation === 'checkHealth' && metricName?.endsWith('_count'),
      )?.value;
    };
    await admin.connectors.checkConnectorHealth({ params });
    const before = await calls();
    expect(before).toBeGreaterThan(0);
    const nobody = await userWithRole(server, [whole('groups', 'list')]);
    await forbidden(nobody.client.connectors.checkConnectorHealth({ params }));
    expect(await calls()).toBe(before);
  });
});

describe('accounts of an ACME profile that is hidden', () => {
  it('are neither listed nor changed, also not many at once', async () => {
    const issuing = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };
    const [shown, hidden] = await Promise.all(
      ['shown', 'hidden'].map(async (name) => {
        const { uuid } = await admin.acmeProfiles.createAcmeProfile({ body: { name, ...issuing, ...first } });
        await admin.acmeProfiles.enableAcmeProfile({ params: { uuid } });
        return { uuid, account: await acmeAccount(server, uuid) };
      }),
    );
    const { client } = await userWithRole(server, [
      { name: 'acmeAccounts', allowAllActions: true },
      object('acmeProfiles', shown?.uuid ?? '', { allow: ['list', 'detail'] }),
    ]);
    const accounts = [shown?.account ?? '', hidden?.account ?? ''];
    expect((await client.acmeAccounts.listAcmeAccounts()).map(({ uuid }) => uuid)).toEqual([shown?.account]);
    await forbidden(client.acmeAccounts.bulkDisableAcmeAccount({ body: accounts }));
    await forbidden(client.acmeAccounts.bulkRevokeAcmeAccount({ body: accounts }));
    await client.acmeAccounts.bulkDisableAcmeAccount({ body: accounts.slice(0, 1) });
    const states = (await admin.acmeAccounts.listAcmeAccounts()).map(({ uuid, enabled }) => [uuid, enabled] as const);
    expect(accounts.map((uuid) => new Map(states).get(uuid))).toEqual([false, true]);
  });
});

describe('a denial on an object', () => {
  it('wins over rights on everything, in lists too', async () => {
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
    await forbidden(client.raProfiles.getRaProfile({ params: first }));
    expect((await client.raProfiles.getRaProfile({ params: second })).uuid).toBe(second.raProfileUuid);
    expect(commonNames((await client.certificateSearch.searchCertificates(ours)).certificates)).toEqual([
      'second.rights.example',
    ]);
    await forbidden(
      client.clientOperations.issueCertificate({ params: first, body: { request: 'anything', attributes: [] } }),
    );
  });

  it('is shown with the role, beside what is inherited', async () => {
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
    expect(await refusalOf(admin.auth.getObjectsForResource({ params: { resourceName: 'users' } }))).toMatchObject({
      status: 400,
    });
  });

  it('is given on single objects of each area that lists them', async () => {
    await admin.groups.createGroup({ body: { name: 'to give rights on' } });
    for (const resourceName of ['acmeProfiles', 'authorities', 'connectors', 'groups', 'raProfiles'] as const)
      expect(await admin.auth.getObjectsForResource({ params: { resourceName } }), resourceName).not.toEqual([]);
  });
});
