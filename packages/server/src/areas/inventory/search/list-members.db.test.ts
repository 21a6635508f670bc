// Lists for users who can see some certificates, through RA profiles, ownership or groups: each page and the totals,
// compared with the permissions.
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectRights, PermissionSet, RequestContext } from '../../../kernel/actor.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { createCertificateList } from './list.ts';
import { createCertificateFields } from './search-fields.ts';
import { createRememberedTotals } from './store-totals.ts';

const ROWS = 120;
const PAGE = 9;
const uuids = (count: number): readonly string[] => Array.from({ length: count }, newUuid);
const [profiles, groups, owners] = [uuids(3), uuids(3), uuids(2)];

interface Certificate {
  readonly uuid: string;
  readonly profile: string | null;
  readonly owner: string | null;
  readonly groups: readonly string[];
  readonly archived: boolean;
}

let database: Database;
let list: ReturnType<typeof createCertificateList>;
let certificates: readonly Certificate[];

beforeAll(async () => {
  database = await testDatabase();
  const totals = createRememberedTotals();
  list = createCertificateList(testPlatform(database), { fields: createCertificateFields([]), totals });
  await database.query(
    `INSERT INTO ra_profile (uuid, name, enabled, created_at, updated_at)
     SELECT uuid, uuid::text, true, now(), now() FROM unnest($1::uuid[]) AS uuid`,
    [profiles],
  );
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at)
     SELECT uuid, uuid::text, now(), now() FROM unnest($1::uuid[]) AS uuid`,
    [groups],
  );
  certificates = fc
    .sample(
      fc.record({
        profile: fc.option(fc.constantFrom(...profiles)),
        owner: fc.option(fc.constantFrom(...owners)),
        groups: fc.subarray([...groups]),
        archived: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
      }),
      { numRuns: ROWS, seed: 11 },
    )
    .map((facts) => ({ ...facts, uuid: newUuid() }))
    .toReversed();
  await insertRows(
    database,
    certificates.map(({ uuid, profile, owner, archived }, n) => ({
      uuid,
      common_name: `host-${n}`,
      ra_profile_uuid: profile,
      owner_uuid: owner,
      archived,
    })),
  );
  for (const { uuid, groups: of } of certificates)
    for (const group of of)
      await database.query(`INSERT INTO group_membership VALUES ('certificates', $1, $2)`, [uuid, group]);
});

type Rights = ReadonlyMap<string, 'allowed' | 'denied'>;

interface Viewer {
  readonly mayList: boolean;
  readonly owner: string | null;
  /** On all RA profiles except the denied ones. */
  readonly hasProfiles: boolean;
  readonly profiles: Rights;
  readonly groups: Rights;
}

const rights = (of: readonly string[]): fc.Arbitrary<Rights> =>
  fc
    .array(fc.tuple(fc.constantFrom(...of), fc.constantFrom('allowed' as const, 'denied' as const)), { maxLength: 3 })
    .map((pairs) => new Map(pairs));

const viewers: fc.Arbitrary<Viewer> = fc.record({
  mayList: fc.boolean(),
  owner: fc.option(fc.constantFrom(...owners)),
  hasProfiles: fc.boolean(),
  profiles: rights(profiles),
  groups: rights(groups),
});

function contextOf({ mayList, owner, hasProfiles, ...objects }: Viewer): RequestContext {
  const members = (of: Rights): ReadonlyMap<string, ObjectRights> =>
    new Map(
      [...of].map(([uuid, right]) => {
        const [allowed, denied] = right === 'allowed' ? [['members'], []] : [[], ['members']];
        return [uuid, { allowed: new Set(allowed), denied: new Set(denied) } as ObjectRights];
      }),
    );
  const resources: PermissionSet['resources'] = new Map([
    ['certificates', { allowAllActions: false, actions: new Set(mayList ? (['list'] as const) : []) }],
    ['raProfiles', { allowAllActions: hasProfiles, actions: new Set(), objects: members(objects.profiles) }],
    ['groups', { allowAllActions: false, actions: new Set(), objects: members(objects.groups) }],
  ]);
  const context = coreContext('test');
  const permissions: PermissionSet = { allowAllResources: false, resources };
  return {
    ...context,
    actor: {
      ...context.actor,
      type: 'user',
      userUuid: owner,
      permissions,
      ...(owner === null ? { hasScope: true } : {}),
    },
  };
}

function isSeen(viewer: Viewer, { profile, owner, groups: of }: Certificate): boolean {
  const { mayList, hasProfiles, profiles: byProfile, groups: byGroup } = viewer;
  const right = profile === null ? undefined : byProfile.get(profile);
  if (mayList && (hasProfiles ? right !== 'denied' : right === 'allowed')) return true;
  if (viewer.owner !== null && owner === viewer.owner) return true;
  return of.some((group) => byGroup.get(group) === 'allowed') && !of.some((group) => byGroup.get(group) === 'denied');
}

async function pagesOf(context: RequestContext): Promise<{ readonly shown: string[]; readonly totals: number[] }> {
  const shown: string[] = [];
  const totals: number[] = [];
  for (let pageNumber = 1; pageNumber <= ROWS / PAGE + 1; pageNumber += 1) {
    const page = await list({ itemsPerPage: PAGE, pageNumber }, context);
    shown.push(...page.certificates.map(({ uuid }) => uuid));
    totals.push(page.totalItems);
  }
  return { shown, totals: [...new Set(totals)] };
}

const expectedOf = (viewer: Viewer, gone: readonly string[] = []): string[] =>
  certificates
    .filter(({ archived, uuid }) => !archived && !gone.includes(uuid))
    .filter((certificate) => isSeen(viewer, certificate))
    .map(({ uuid }) => uuid)
    .toSorted()
    .toReversed();

describe('the list for a user who can see only some certificates', () => {
  it('matches the permissions, newest first, with the correct total', async () => {
    await fc.assert(
      fc.asyncProperty(viewers, async (viewer) => {
        const expected = expectedOf(viewer);
        expect(await pagesOf(contextOf(viewer))).toEqual({ shown: expected, totals: [expected.length] });
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('reflects a group or owner change immediately', async () => {
    const viewer: Viewer = {
      mayList: true,
      owner: owners[0] ?? null,
      hasProfiles: false,
      profiles: new Map(profiles.slice(0, 1).map((uuid) => [uuid, 'allowed'] as const)),
      groups: new Map(groups.slice(0, 2).map((uuid) => [uuid, 'allowed'] as const)),
    };
    const total = async () => (await list({ itemsPerPage: PAGE, pageNumber: 1 }, contextOf(viewer))).totalItems;
    const only = { ...viewer, profiles: new Map(), groups: new Map() };
    const grouped = expectedOf({ ...only, owner: null, groups: viewer.groups }).find(
      (uuid) => !expectedOf({ ...viewer, groups: new Map() }).includes(uuid),
    );
    const owned = expectedOf(only).find((uuid) => !expectedOf({ ...viewer, owner: null }).includes(uuid));
    const before = await total();
    expect(before).toBe(expectedOf(viewer).length);
    await database.query('DELETE FROM group_membership WHERE object_uuid = $1', [grouped]);
    expect(await total()).toBe(before - 1);
    await database.query('UPDATE certificate SET owner_uuid = NULL WHERE uuid = $1', [owned]);
    expect(await total()).toBe(before - 2);
  });
});
