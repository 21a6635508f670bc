import type { Resource } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext, type RequestContext, type ResourceRights } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { insertRows, type RowFacts } from '../certificates/testing/certificate-rows.ts';
import { replaceMemberships } from '../groups/store.ts';
import { createInventoryStatistics, type InventoryStatistics } from './inventory-service.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

let database: Database;
let statistics: InventoryStatistics;
const everything = coreContext('test');
const [profile, otherProfile, group, owner] = [newUuid(), newUuid(), newUuid(), newUuid()];

const members = { allowed: new Set(['members'] as const), denied: new Set<never>() };

/** Can list the certificates of one RA profile, and certificates owned by the user. */
const limited: RequestContext = {
  ...everything,
  actor: {
    ...everything.actor,
    type: 'user',
    userUuid: owner,
    permissions: {
      allowAllResources: false,
      resources: new Map<Resource, ResourceRights>([
        ['certificates', { allowAllActions: true, actions: new Set() }],
        ['raProfiles', { allowAllActions: false, actions: new Set(), objects: new Map([[profile, members]]) }],
      ]),
    },
  },
};

const live = { not_before: inDays(-10), not_after: inDays(100) };
const ended = (from: number, until: number) => ({ not_before: inDays(from), not_after: inDays(until) });
const of = (name: string) => ({ common_name: name, names: { dNSName: [name] } });

const rows: readonly RowFacts[] = [
  { common_name: 'Root', ...ended(-500, 5000), trusted_ca: true, subject_type: 'rootCa', subject_dn: 'CN=Root', subject_dn_normalized: 'root', issuer_dn: 'CN=Root', issuer_dn_normalized: 'root', issuer_common_name: 'Root' },
  { common_name: 'Sub', ...ended(-400, 4000), trusted_ca: false, subject_dn: 'CN=Sub', subject_dn_normalized: 'sub', issuer_dn: 'CN=Root', issuer_dn_normalized: 'root', issuer_common_name: 'Root' },
  ...['a', 'b', 'c'].map((name) => ({ ...of(name), ...live, ra_profile_uuid: profile, issuer_dn: 'CN=Sub', issuer_dn_normalized: 'sub', issuer_common_name: 'Sub', public_key_algorithm: 'RSA', key_size: 2048, signature_algorithm: 'SHA256withRSA' })),
  { ...of('owned'), ...live, ra_profile_uuid: otherProfile, owner_uuid: owner, owner_username: 'olga' },
  { ...of('hidden'), ...live, ra_profile_uuid: otherProfile, not_after: new Date('9999-12-31T23:59:59Z') },
  { ...of('short-lived'), not_before: inDays(-1), not_after: new Date(inDays(46).getTime() - 1_000), ra_profile_uuid: otherProfile },
  { ...of('a second more'), not_before: inDays(-1), not_after: inDays(46), ra_profile_uuid: otherProfile },
  { ...of('archived'), ...live, archived: true },
  { ...of('revoked'), ...live, state: 'revoked' },
  { ...of('in-time'), ...ended(-100, -10), ra_profile_uuid: profile },
  { ...of('in-time'), ...ended(-20, 70), ra_profile_uuid: profile },
  { ...of('late'), ...ended(-100, -40), ra_profile_uuid: profile },
  { ...of('late'), ...ended(-30, -1), ra_profile_uuid: profile },
  { ...of('shorter'), ...ended(-100, -5), ra_profile_uuid: profile },
  { ...of('shorter'), ...ended(-90, -6), ra_profile_uuid: profile },
  { common_name: 'rekeyed', ...ended(-100, -15), ra_profile_uuid: otherProfile },
  { common_name: 'successor', ...ended(-16, 80), ra_profile_uuid: otherProfile },
  { ...of('renewal failed'), ...ended(-100, -3) },
  { ...of('renewal failed'), ...ended(-4, 80), state: 'failed' },
  { ...of('long ago'), ...ended(-300, -91) },
  { ...of('put away'), ...ended(-100, -2), archived: true },
]; // prettier-ignore

beforeAll(async () => {
  database = await testDatabase();
  statistics = createInventoryStatistics(testPlatform(database));
  await database.query(
    `INSERT INTO ra_profile (uuid, name, enabled, created_at, updated_at)
     SELECT uuid, uuid::text, true, now(), now() FROM unnest($1::uuid[]) AS uuid`,
    [[profile, otherProfile]],
  );
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, 'shop', now(), now())`,
    [group],
  );
  const inserted = await insertRows(database, rows);
  const uuidOf = (name: string) => inserted.find(({ common_name }) => common_name === name)?.uuid ?? '';
  for (const name of ['a', 'owned'])
    await replaceMemberships(database.executor, { resource: 'certificates', uuid: uuidOf(name) }, [group]);
  await database.query(
    `INSERT INTO certificate_relation (successor_uuid, predecessor_uuid, relation_type, created_at)
     VALUES ($1, $2, 'rekey', now())`,
    [uuidOf('successor'), uuidOf('rekeyed')],
  );
});

/** Returns the expected counts, computed from one condition and one column. */
const groupedBy = async (column: string, where = 'NOT archived'): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.query<{ value: string | null; count: number }>(
        `SELECT ${column} AS value, count(*) AS count FROM certificate
         WHERE state = 'issued' AND not_after >= now() AND ${where} GROUP BY 1`,
      )
    ).map(({ value, count }) => [value ?? '', count]),
  );

const added = (shares: readonly { readonly name: string; readonly certificates: number }[]) => {
  const sums: Record<string, number> = {};
  for (const { name, certificates } of shares) sums[name] = (sums[name] ?? 0) + certificates;
  return sums;
};

describe('the composition of active certificates', () => {
  it.each([
    ['without the archive', false, 'NOT archived'],
    ['with the archive', true, 'true'],
  ])('equals the result of GROUP BY, %s', async (_, includeArchived, where) => {
    const { certificates, keys, issuers, owners } = await statistics.composition({ includeArchived }, everything);
    const of = (name: (key: (typeof keys)[number]) => string) =>
      added(keys.map((key) => ({ ...key, name: name(key) })));
    expect({ '': certificates }).toEqual(await groupedBy(`''`, where));
    expect(of((key) => key.publicKeyAlgorithm)).toEqual(await groupedBy('public_key_algorithm', where));
    expect(of((key) => key.signatureAlgorithm ?? '')).toEqual(await groupedBy('signature_algorithm', where));
    expect(of((key) => String(key.year))).toEqual(
      await groupedBy(`least(extract(year FROM not_after AT TIME ZONE 'UTC'), 2100)::text`, where),
    );
    expect(added(issuers.map((each) => ({ ...each, name: each.issuerDn })))).toEqual(
      await groupedBy('issuer_dn', where),
    );
    expect(added(owners)).toEqual({ olga: 1 });
  });

  it('is counted by validity period, and both ends of a range are inclusive', async () => {
    const { certificates, lifetimes } = await statistics.composition({ includeArchived: false }, everything);
    expect(lifetimes.reduce((sum, share) => sum + share.certificates, 0)).toBe(certificates);
    expect(lifetimes[0]).toEqual({ atMostDays: 7, certificates: 0 });
    expect(lifetimes[1]).toEqual({ moreThanDays: 7, atMostDays: 47, certificates: 1 });
    expect(lifetimes.at(-1)).toEqual({ moreThanDays: 3653, certificates: 3 });
    const found = (await groupedBy(`not_after - not_before = interval '47 days'`))['true'];
    expect(found).toBe(1);
    expect(lifetimes[2]?.certificates).toBe(3); // The certificate from above, and two with about 90 days.
  });

  it("includes an issuer's certificate, whether it is trusted, and its own issuer", async () => {
    const { issuers } = await statistics.composition({ includeArchived: false }, everything);
    const [root, sub] = ['CN=Root', 'CN=Sub'].map((dn) => issuers.find(({ issuerDn }) => issuerDn === dn));
    expect(root).toMatchObject({ issuerCommonName: 'Root', certificates: 2, trusted: true });
    expect(root).not.toHaveProperty('certifiedBy');
    expect(sub).toMatchObject({ certificates: 3, trusted: false, certifiedBy: 'CN=Root' });
    expect(await database.query('SELECT uuid FROM certificate WHERE common_name = $1', ['Sub'])).toEqual([
      { uuid: sub?.issuerUuid },
    ]);
  });

  it('includes the certificates without an owner and those without a group', async () => {
    const found = await statistics.composition({ includeArchived: false }, everything);
    expect(found.groups).toEqual([{ name: 'shop', certificates: 2 }]);
    expect(found.withoutOwner).toBe(found.certificates - 1);
    expect(found.withoutGroup).toBe(found.certificates - 2);
    expect(found.ofNobody).toBe(found.certificates - 2);
    expect([found.byOtherIssuers, found.byOtherOwners]).toEqual([0, 0]);
  });

  it('is limited to certificates that the caller can list through RA profile membership or ownership', async () => {
    const found = await statistics.composition({ includeArchived: false }, limited);
    expect({ '': found.certificates }).toEqual(
      await groupedBy(`''`, `NOT archived AND (ra_profile_uuid = '${profile}' OR owner_uuid = '${owner}')`),
    );
    expect(found.owners).toEqual([{ name: 'olga', certificates: 1 }]);
    expect(found.groups).toEqual([]);
    expect(found.issuers.find(({ issuerDn }) => issuerDn === 'CN=Sub')).not.toHaveProperty('issuerUuid');
  });
});

describe('renewals of certificates that expired in the last 90 days', () => {
  const names = async (outcome: 'inTime' | 'late' | 'never', context = everything) => {
    const selection = { includeArchived: false, outcome, itemsPerPage: 25, pageNumber: 1 };
    return (await statistics.ended(selection, context)).certificates.map(({ commonName }) => commonName);
  };

  it('are in time, late or missing, based on a relation or on a newer certificate for the same names that expires later', async () => {
    expect(await statistics.renewals({ includeArchived: false }, everything)).toMatchObject({
      inTime: 2,
      late: 1,
      never: 4,
    });
    expect(await names('inTime')).toEqual(['in-time', 'rekeyed']);
    expect(await names('late')).toEqual(['late']);
    expect(await names('never')).toEqual(['late', 'renewal failed', 'shorter', 'shorter']);
  });

  it('are counted in the period in which the certificate expired, and the counts add up to the total', async () => {
    const health = await statistics.renewals({ includeArchived: true }, everything);
    expect(health.steps).toHaveLength(9);
    for (const outcome of ['inTime', 'late', 'never'] as const)
      expect(health.steps.reduce((sum, step) => sum + step[outcome], 0)).toBe(health[outcome]);
    expect(health.never).toBe(5);
    const step = health.steps.find(({ late }) => late === 1);
    const period = { from: step?.from, until: step?.until };
    const selection = { includeArchived: true, ...period, itemsPerPage: 25, pageNumber: 1 };
    const { certificates } = await statistics.ended(selection, everything);
    expect(certificates).toMatchObject([{ commonName: 'late', outcome: 'late', renewedAt: expect.any(String) }]);
  });

  it('are limited to those that the caller can list', async () => {
    expect(await statistics.renewals({ includeArchived: false }, limited)).toMatchObject({
      inTime: 1,
      late: 1,
      never: 3,
    });
    expect(await names('inTime', limited)).toEqual(['in-time']);
  });

  it('are listed page by page', async () => {
    const page = (pageNumber: number) =>
      statistics.ended({ includeArchived: false, outcome: 'never', itemsPerPage: 3, pageNumber }, everything);
    expect(await page(1)).toMatchObject({
      countedAt: expect.any(String),
      hasMore: true,
      certificates: [{}, {}, {}],
    });
    expect(await page(2)).toMatchObject({ hasMore: false, certificates: [{ commonName: 'shorter' }] });
  });
});
