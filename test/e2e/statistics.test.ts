// The dashboard, tested from outside: its figures match the lists immediately, and are visible only to users who may
// list.
import type { Client } from '@signetry/client';
import type { SearchFilterRequestDto, StatisticsDto } from '@signetry/contract';
import { generateKeyPair } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import { limitedUser, userWithRole } from './testing/limited-user.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';
import { makeRequest } from './testing/requests.ts';

const DAY_MS = 86_400_000;

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  // The platform issues one certificate for itself in the background.
  const ownProfile = async () =>
    expect((await dashboard()).raProfileStatByCertificateCount).toHaveProperty('ocsp-signetry-root');
  await vi.waitFor(ownProfile, { timeout: 20_000, interval: 100 });
  const other = await createAuthority(client, { name: 'Counted CA' });
  const { uuid: web } = await client.groups.createGroup({ body: { name: 'web' } });
  const { uuid: mail } = await client.groups.createGroup({ body: { name: 'mail' } });
  const first = await issue(client, path, await makeRequest({ subject: 'CN=first.counted.example' }));
  const second = await issue(client, other, await makeRequest({ subject: 'CN=second', keySpec: 'RSA-2048' }));
  await client.certificates.updateCertificateObjects({
    params: { uuid: first.uuid },
    body: { groupUuids: [web, mail] },
  });
  await client.certificates.updateCertificateObjects({ params: { uuid: second.uuid }, body: { groupUuids: [web] } });
  await client.clientOperations.revokeCertificate({
    params: { ...other, certificateUuid: second.uuid },
    body: { reason: 'superseded', attributes: [] },
  });
  const foreign = await createExternalAuthority('CN=Foreign Root');
  const { spki } = await generateKeyPair('P-384');
  for (const [subject, notAfterMs] of [
    ['CN=ended an hour ago', Date.now() - 3_600_000],
    ['CN=ends in an hour', Date.now() + 3_600_000],
    ['CN=ends in 25 days', Date.now() + 25 * DAY_MS],
  ] as const) {
    const der = foreign.issue({ subject, spki, notAfterMs });
    const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
    await client.certificates.uploadCertificate({ body });
  }
  const { pem } = await makeRequest({ subject: 'CN=asked for only' });
  await client.certificates.submitCertificateRequest({
    body: { raProfileUuid: path.raProfileUuid, request: pem, format: 'pkcs10', issueAttributes: [] },
  });
});

const dashboard = (includeArchived = false) => client.statistics.getStatistics({ query: { includeArchived } });

type Condition = SearchFilterRequestDto['condition'];

const property = (fieldIdentifier: string, condition: Condition, value?: unknown): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition,
  value,
});

async function countListed(filters: readonly SearchFilterRequestDto[] = [], includeArchived = false): Promise<number> {
  const body = { filters: [...filters], includeArchived, itemsPerPage: 1 };
  return (await client.certificates.listCertificates({ body })).totalItems;
}

describe('the dashboard', () => {
  it.each([
    ['certificateStatByState', 'CERTIFICATE_STATE', ['issued', 'requested', 'revoked']],
    [
      'certificateStatByValidationStatus',
      'CERTIFICATE_VALIDATION_STATUS',
      ['invalid', 'not_checked', 'revoked', 'valid'],
    ],
    ['certificateStatByComplianceStatus', 'COMPLIANCE_STATUS', ['not_checked']],
    ['certificateStatByType', 'CERTIFICATE_TYPE', ['X.509']],
    ['certificateStatByKeySize', 'KEY_SIZE', ['2048', '256', '384']],
    ['certificateStatBySubjectType', 'SUBJECT_TYPE', ['Unassigned', 'endEntity', 'rootCa']],
    [
      'raProfileStatByCertificateCount',
      'RA_PROFILE_NAME',
      ['Unassigned', 'default', 'for-counted-ca', 'ocsp-signetry-root'],
    ],
    ['groupStatByCertificateCount', 'GROUP_NAME', ['Unassigned', 'mail', 'web']],
  ] as const)('matches the certificate list in %s', async (member, field, expected) => {
    const figures = (await dashboard())[member] ?? {};
    expect(Object.keys(figures).sort()).toEqual(expected);
    for (const [key, count] of Object.entries(figures)) {
      const value = field === 'KEY_SIZE' ? Number(key) : [key];
      const filter = key === 'Unassigned' ? property(field, 'EMPTY') : property(field, 'EQUALS', value);
      expect([key, count]).toEqual([key, await countListed([filter])]);
    }
  });

  it('counts expired certificates exactly, and the others under the same period as the corresponding filter', async () => {
    const countWithin = async (days: number) => countListed([property('NOT_AFTER', 'IN_NEXT', `P${days}D`)]);
    const { certificateStatByExpiry: ends = {} } = await dashboard();
    expect(ends).toMatchObject({ Expired: 1, '10': 1, '30': expect.any(Number), 'Not Issued': 1 });
    let upTo = 0;
    for (const days of [10, 20, 30, 60, 90]) {
      upTo += ends[days] ?? 0;
      expect([days, upTo]).toEqual([days, await countWithin(days)]);
    }
    expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(await countListed());
  });

  it('has totals, and omits members that the published interface never uses', async () => {
    const figures = await dashboard();
    expect(figures).toMatchObject({
      totalCertificates: await countListed(),
      totalGroups: 2,
      totalRaProfiles: (await client.raProfiles.listRaProfiles()).length,
      totalConnectors: (await client.connectors.listConnectors({})).length,
      totalCredentials: 0,
      totalAuthorities: (await client.authorities.listAuthorityInstances()).length,
      totalDiscoveries: 0,
      connectorStatByStatus: { connected: figures.totalConnectors },
      raProfileStatByStatus: { enabled: figures.totalRaProfiles },
    });
    expect(Object.keys(figures)).not.toContain('totalClients');
  });

  it('reflects every change immediately', async () => {
    const before = await dashboard();
    const total = (figures: StatisticsDto, state: string) => figures.certificateStatByState?.[state] ?? 0;
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=followed.example' }));
    expect(total(await dashboard(), 'issued')).toBe(total(before, 'issued') + 1);
    const params = { ...path, certificateUuid: uuid };
    await client.clientOperations.revokeCertificate({ params, body: { reason: 'unspecified', attributes: [] } });
    const revoked = await dashboard();
    expect([total(revoked, 'issued'), total(revoked, 'revoked')]).toEqual([
      total(before, 'issued'),
      total(before, 'revoked') + 1,
    ]);
    await client.certificates.deleteCertificate({ params: { uuid } });
    expect(await dashboard()).toEqual(before);
  });

  it('includes archived certificates only on request', async () => {
    const before = await dashboard();
    const { database } = server.running.platform;
    await database.query(`UPDATE certificate SET archived = true WHERE common_name = 'first.counted.example'`);
    const without = await dashboard();
    expect(without.totalCertificates).toBe((before.totalCertificates ?? 0) - 1);
    expect(without.groupStatByCertificateCount).not.toHaveProperty('mail');
    expect(await dashboard(true)).toEqual(before);
    expect(without.totalCertificates).toBe(await countListed());
    expect(before.totalCertificates).toBe(await countListed([], true));
    await database.query('UPDATE certificate SET archived = false WHERE archived');
    expect(await dashboard()).toEqual(before);
  });

  it('rejects a value that is neither true nor false', async () => {
    const headers = { authorization: `Bearer ${server.ready.token}` };
    const answer = await send(server.ready.http, '/api/v1/statistics?includeArchived=perhaps', { headers });
    expect(answer.status).toBe(400);
  });
});

describe('a user', () => {
  it('without list permissions sees zeros, and no additional statistics', async () => {
    const nobody = await limitedUser(server, []);
    const figures = await nobody.statistics.getStatistics({});
    for (const [member, figure] of Object.entries(figures))
      expect([member, figure]).toEqual([member, member.startsWith('total') ? 0 : {}]);
    const { certificateStatistics } = nobody;
    for (const call of [
      () => certificateStatistics.getCertificateBreakdown({}),
      () => certificateStatistics.listIssuedCertificateCounts({}),
      () => certificateStatistics.listExpiringCertificateCounts({}),
      () => certificateStatistics.rebuildStatistics(),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403, code: 'ACCESS_DENIED' });
  });

  it('who can list certificates and is a member of all RA profiles sees neither groups nor RA profiles', async () => {
    const auditor = await limitedUser(server, [
      ['certificates', 'list'],
      ['raProfiles', 'members'],
    ]);
    const seen = await auditor.statistics.getStatistics({});
    expect(seen).toMatchObject({
      totalCertificates: await countListed(),
      totalGroups: 0,
      totalRaProfiles: 0,
      totalConnectors: 0,
      totalAuthorities: 0,
      groupStatByCertificateCount: {},
      raProfileStatByCertificateCount: {},
    });
    expect((await auditor.certificateStatistics.getCertificateBreakdown({})).certificates).toBe(await countListed());
    await expect(auditor.certificateStatistics.rebuildStatistics()).rejects.toMatchObject({ status: 403 });
  });

  it('who can list certificates but is not a member of any RA profile sees no certificates, as in the list', async () => {
    const outsider = await limitedUser(server, [['certificates', 'list']]);
    expect(await outsider.statistics.getStatistics({})).toMatchObject({
      totalCertificates: 0,
      certificateStatByState: {},
    });
    await expect(outsider.certificateStatistics.getCertificateBreakdown({})).rejects.toMatchObject({ status: 403 });
  });

  it('who can list only groups and RA profiles sees only their totals', async () => {
    const rights = [
      ['groups', 'list'],
      ['raProfiles', 'list'],
    ] as const;
    const librarian = await limitedUser(server, [...rights, ['authorities', 'list']]);
    expect(await librarian.statistics.getStatistics({})).toMatchObject({
      totalCertificates: 0,
      totalGroups: 2,
      totalRaProfiles: (await client.raProfiles.listRaProfiles()).length,
      groupStatByCertificateCount: {},
      raProfileStatByCertificateCount: {},
      certificateStatByState: {},
    });
    // Listing RA profiles also requires permission to list authorities.
    const half = await limitedUser(server, rights);
    expect((await half.statistics.getStatistics({})).totalRaProfiles).toBe(0);
  });

  it.each(['only', 'all but'])(
    'who can see %s some RA profiles gets counts of only the objects that they can list',
    async (kind) => {
      const groups = await client.groups.listGroups();
      const [shown, hidden] = [groups.find(({ name }) => name === 'web'), groups.find(({ name }) => name === 'mail')];
      const named = { uuid: path.raProfileUuid, name: 'default' };
      const actions = ['list', 'members'];
      const { client: limited } = await userWithRole(server, [
        { name: 'certificates', allowAllActions: false, actions: ['list'] },
        { name: 'authorities', allowAllActions: false, actions: ['list'] },
        {
          name: 'groups',
          allowAllActions: false,
          objects: [{ uuid: shown?.uuid ?? '', name: 'web', allow: ['list'] }],
        },
        kind === 'only'
          ? { name: 'raProfiles', allowAllActions: false, objects: [{ ...named, allow: actions }] }
          : { name: 'raProfiles', allowAllActions: true, objects: [{ ...named, deny: actions }] },
      ]);
      const countListedTo = async (filters: readonly SearchFilterRequestDto[]) =>
        (await limited.certificates.listCertificates({ body: { filters: [...filters], itemsPerPage: 1 } })).totalItems;
      const seen = await limited.statistics.getStatistics({});
      expect(seen.totalCertificates).toBe(await countListedTo([]));
      expect([0, await countListed()]).not.toContain(seen.totalCertificates);
      for (const [state, count] of Object.entries(seen.certificateStatByState ?? {}))
        expect([state, count]).toEqual([
          state,
          await countListedTo([property('CERTIFICATE_STATE', 'EQUALS', [state])]),
        ]);
      const names = Object.keys(seen.raProfileStatByCertificateCount ?? {});
      expect(names.includes('default')).toBe(kind === 'only');
      for (const name of names.filter((each) => each !== 'Unassigned'))
        expect(seen.raProfileStatByCertificateCount?.[name]).toBe(
          await countListedTo([property('RA_PROFILE_NAME', 'EQUALS', [name])]),
        );
      expect([seen.totalGroups, seen.totalRaProfiles]).toEqual([1, (await limited.raProfiles.listRaProfiles()).length]);
      expect(seen.groupStatByCertificateCount).not.toHaveProperty(hidden?.name ?? '');
      const ends = Object.values(seen.certificateStatByExpiry ?? {}).reduce((total, count) => total + count, 0);
      expect(ends).toBe(seen.totalCertificates);
      const { certificates } = await limited.certificateStatistics.getCertificateBreakdown({});
      expect(certificates).toBe(seen.totalCertificates);
      const issued = await limited.certificateStatistics.listIssuedCertificateCounts({});
      const all = await client.certificateStatistics.listIssuedCertificateCounts({});
      expect(issued.at(-1)?.certificates).toBeLessThan(all.at(-1)?.certificates ?? 0);
      const expiring = await limited.certificateStatistics.listExpiringCertificateCounts({ query: { step: 'week' } });
      expect(expiring.every((week) => week.certificates >= 0)).toBe(true);
    },
  );
});

describe('additional statistics', () => {
  const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

  it('count certificates by algorithm and by protocol', async () => {
    const { certificates, ...maps } = await client.certificateStatistics.getCertificateBreakdown({});
    expect(certificates).toBe(await countListed());
    for (const map of Object.values(maps)) expect(sum(Object.values(map))).toBe(certificates);
    expect(maps.publicKeyAlgorithms).toMatchObject({ RSA: 1 });
    expect(maps.signatureAlgorithms).toMatchObject({ Unassigned: 1, SHA256withECDSA: expect.any(Number) });
    expect(maps.protocols).toEqual({ Unassigned: certificates });
  });

  it('count certificates issued on each of the last 90 days, excluding uploaded certificates', async () => {
    const days = await client.certificateStatistics.listIssuedCertificateCounts({});
    expect(days).toHaveLength(90);
    expect(days.map(({ from }) => from)).toEqual(days.map(({ from }) => from).toSorted());
    const { database } = server.running.platform;
    const [issued] = await database.query<{ count: number }>(
      'SELECT count(*) FROM certificate WHERE issued_at IS NOT NULL AND NOT archived',
    );
    expect(sum(days.map(({ certificates }) => certificates))).toBe(issued?.count);
    const [uploaded] = await database.query<{ count: number }>(
      `SELECT count(*) FROM certificate WHERE issued_at IS NOT NULL AND (common_name LIKE 'ends%' OR state = 'requested')`,
    );
    expect(uploaded?.count).toBe(0);
  });

  it('count certificates that expire on each day or in each week of the coming year, excluding revoked ones', async () => {
    const days = await client.certificateStatistics.listExpiringCertificateCounts({});
    const weeks = await client.certificateStatistics.listExpiringCertificateCounts({ query: { step: 'week' } });
    expect([days.length, weeks.length]).toEqual([365, 53]);
    expect(days[0]?.from).toBe(weeks[0]?.from);
    const day = new Date(Date.now() + 25 * DAY_MS).toISOString().slice(0, 10);
    expect(days.find(({ from }) => from === day)?.certificates).toBeGreaterThanOrEqual(1);
    const live = await countListed([
      property('CERTIFICATE_STATE', 'EQUALS', ['issued']),
      property('NOT_AFTER', 'IN_NEXT', 'P365D'),
    ]);
    // Today counts from midnight, so the certificate that expired an hour ago can belong to today.
    expect([live, live + 1]).toContain(sum(days.map(({ certificates }) => certificates)));
    expect(sum(weeks.map(({ certificates }) => certificates))).toBeGreaterThanOrEqual(live);
  });

  it('can be rebuilt by an administrator, and the rebuild is recorded', async () => {
    const before = await dashboard();
    expect(await client.certificateStatistics.rebuildStatistics()).toMatchObject({ wrongCounters: 0, examples: [] });
    expect(await dashboard()).toEqual(before);
    const { items } = await client.auditLogs.listAuditLogs({ body: { itemsPerPage: 1 } });
    expect(items).toMatchObject([{ operation: 'update', resource: { type: 'dashboard' }, operationResult: 'success' }]);
  });
});
