// What a call shows and changes beyond its own object for a user with limited permissions, over real HTTP.
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { acmeAccount } from './testing/declared-objects.ts';
import { issue, rejectionOf, type IssuedCertificate } from './testing/certificates.ts';
import { userWithRole } from './testing/limited-user.ts';
import type { IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
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

describe('a certificate under a hidden RA profile', () => {
  it("can be viewed, changed, renewed and revoked only by the RA profile's members", async () => {
    const { client } = await userWithRole(server, [
      { name: 'certificates', allowAllActions: true },
      { name: 'authorities', allowAllActions: true },
      {
        ...resourceRights('raProfiles', 'detail'),
        objects: [{ uuid: second.raProfileUuid, name: 'second', allow: ['members'] }],
      },
    ]);
    const { pem } = await makeRequest({ subject: 'CN=second.rights.example' });
    const of = ({ uuid }: IssuedCertificate) => ({ params: { uuid } });
    const under = (path: IssuingPath) => ({ params: { ...path, certificateUuid: ofFirst.uuid } });
    const revocation = { reason: 'unspecified' as const, attributes: [] };
    const { certificateRenewal, clientOperations } = client;
    const early = { certificateUuids: [ofFirst.uuid, ofSecond.uuid] };
    expect(await certificateRenewal.requestEarlyRenewal({ body: early })).toMatchObject({
      asked: 1,
      refused: [{ uuid: ofFirst.uuid, name: '', message: 'Certificate not found.' }],
    });
    expect((await certificateRenewal.getRenewalWindow(of(ofSecond))).reason).toBe('asked');
    expect((await admin.certificateRenewal.getRenewalWindow(of(ofFirst))).reason).toBe('rule');
    // With either RA profile in the path, the certificate does not exist for this user.
    for (const path of [first, second])
      // prettier-ignore
      for (const call of [
        () => clientOperations.renewCertificate({ ...under(path), body: {} }),
        () => clientOperations.rekeyCertificate({ ...under(path), body: { request: pem } }),
        () => clientOperations.issueRequestedCertificate(under(path)),
        () => clientOperations.revokeCertificate({ ...under(path), body: revocation }),
      ])
        expect(await rejectionOf(call())).toMatchObject({ status: 404 });
    for (const call of [
      () => certificateRenewal.getRenewalWindow(of(ofFirst)),
      () => certificateRenewal.withdrawEarlyRenewal(of(ofFirst)),
    ])
      expect(await rejectionOf(call())).toMatchObject({ status: 404 });
    await certificateRenewal.withdrawEarlyRenewal(of(ofSecond));
  });

  it('is not shown as the predecessor of a visible certificate', async () => {
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
      resourceRights('certificates', 'detail'),
      objectRights('raProfiles', first.raProfileUuid, { allow: ['members'] }),
    ]);
    expect((await admin.certificates.getCertificate({ params: { uuid } })).relatedCertificates).toHaveLength(1);
    const seen = await client.certificates.getCertificate({ params: { uuid } });
    expect([seen.relatedCertificates, seen.sourceCertificateUuid]).toEqual([[], undefined]);
  });
});

describe('a request that names a second object', () => {
  it('also requires permission on the second object', async () => {
    const { uuid: groupUuid } = await admin.groups.createGroup({ body: { name: 'out of sight' } });
    const { connectorUuid = '' } = await admin.authorities.getAuthorityInstance({
      params: { uuid: first.authorityUuid },
    });
    const [someone] = await admin.users.listUsers();
    const { client } = await userWithRole(server, [
      { name: 'certificates', allowAllActions: true },
      { name: 'acmeProfiles', allowAllActions: true },
      resourceRights('users', 'create'),
      resourceRights('authorities', 'create'),
      objectRights('raProfiles', second.raProfileUuid, { allow: ['members', 'detail'] }),
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
      await expectForbidden(call());
    const {
      raProfile,
      groups = [],
      ownerUuid,
    } = await admin.certificates.getCertificate({ params: { uuid: ofSecond.uuid } });
    expect([raProfile?.uuid, groups, ownerUuid === someone?.uuid]).toEqual([second.raProfileUuid, [], false]);
    await change({ raProfileUuid: second.raProfileUuid, groupUuids: [], ownerUuid: '' })();
  });

  it('is rejected in every form if permission on the second object is denied', async () => {
    const { connectorUuid = '' } = await admin.authorities.getAuthorityInstance({
      params: { uuid: first.authorityUuid },
    });
    const denied = { uuid: connectorUuid, name: 'denied', deny: ['connect', 'detail'] };
    const { client } = await userWithRole(server, [{ name: 'connectors', allowAllActions: true, objects: [denied] }]);
    const absent = { url: 'http://127.0.0.1:1', authType: 'none' } as const;
    const connect = (uuid?: string) => client.connectors.connectConnector({ body: { ...absent, uuid } });
    await expectForbidden(connect(connectorUuid));
    await expectForbidden(client.connectors.checkConnectorHealth({ params: { uuid: connectorUuid } }));
    expect(await rejectionOf(connect())).not.toMatchObject({ status: 403 });
  });
});

describe("a connector's health", () => {
  it('is not checked for callers without permission on the connector', async () => {
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
    const nobody = await userWithRole(server, [resourceRights('groups', 'list')]);
    await expectForbidden(nobody.client.connectors.checkConnectorHealth({ params }));
    expect(await calls()).toBe(before);
  });
});

describe("a hidden ACME profile's accounts", () => {
  it('cannot be listed or changed, not even in bulk', async () => {
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
      objectRights('acmeProfiles', shown?.uuid ?? '', { allow: ['list', 'detail'] }),
    ]);
    const accounts = [shown?.account ?? '', hidden?.account ?? ''];
    expect((await client.acmeAccounts.listAcmeAccounts()).map(({ uuid }) => uuid)).toEqual([shown?.account]);
    await expectForbidden(client.acmeAccounts.bulkDisableAcmeAccount({ body: accounts }));
    await expectForbidden(client.acmeAccounts.bulkRevokeAcmeAccount({ body: accounts }));
    await client.acmeAccounts.bulkDisableAcmeAccount({ body: accounts.slice(0, 1) });
    const states = (await admin.acmeAccounts.listAcmeAccounts()).map(({ uuid, enabled }) => [uuid, enabled] as const);
    expect(accounts.map((uuid) => new Map(states).get(uuid))).toEqual([false, true]);
  });
});
