// The newest certificates, which are the most requested page. They are read with statements that are planned once. Each
// row includes the groups. For users who see all certificates, the total from the counters is fetched in the same round
// trip.
import { sql } from 'kysely';
import {
  hotStatement,
  runHot,
  type Database,
  type Executor,
  type HotStatement,
} from '../../../platform/database/database.ts';
import type { CertificateFilter } from '../../certificates/index.ts';
import { listed, type ListedRow } from '../certificate/store.ts';
import { findBlock } from './store-blocks.ts';
import { DEEP_OFFSET } from './store-ordered.ts';
import { LAST_CHANGE } from './store-totals.ts';
import type { PageRange } from './store-order.ts';

export interface NewestRow extends ListedRow {
  readonly groups: readonly { uuid: string; name: string; description: string | null; email: string | null }[] | null;
}

export interface Newest {
  readonly rows: readonly NewestRow[];
  readonly total: number;
}

/** Archived certificates are not counted. */
const TOTAL = hotStatement(
  'certificate_total',
  `SELECT coalesce(sum(certificates), 0)::bigint AS total FROM (
     SELECT certificates FROM certificate_count WHERE dimension = 'certificateType' AND NOT archived
     UNION ALL SELECT certificates FROM certificate_count_delta WHERE NOT archived) AS counted`,
);

export function createNewest(database: Database): (stretch: PageRange) => Promise<Newest> {
  const page = pageStatement(database, {
    name: 'certificate_newest',
    keys: 'SELECT uuid FROM certificate WHERE NOT archived AND uuid < $3::uuid ORDER BY uuid DESC LIMIT $1::int OFFSET $2::bigint',
  });
  return async ({ offset, limit }) => {
    const { below, skipped } = await beginOf(database.executor, offset);
    const [rows, [counted]] = await Promise.all([
      runHot<NewestRow>(database.hot, page, [limit, skipped, below]),
      runHot<{ total: number }>(database.hot, TOTAL, []),
    ]);
    return { rows, total: counted?.total ?? 0 };
  };
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const BEYOND_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function beginOf(executor: Executor, offset: number): Promise<{ below: string; skipped: number }> {
  if (offset < DEEP_OFFSET) return { below: BEYOND_ALL, skipped: offset };
  const block = await findBlock(executor, offset);
  return block
    ? { below: block.below ?? BEYOND_ALL, skipped: offset - block.passed }
    : { below: BEFORE_ALL, skipped: 0 };
}

/** Maximum number of certificates read for a page. */
const MAX_LOOKED_AT = 5_000;

/** Query for the newest certificates visible in one way, read from an index in this order; `value` is the parameter. */
type NewestQuery = (value: string) => string;

const BY_RA_PROFILES: NewestQuery = (value) => `SELECT seen.uuid FROM unnest(${value}::uuid[]) AS profile (uuid)
  CROSS JOIN LATERAL (SELECT c.uuid FROM certificate c WHERE c.ra_profile_uuid = profile.uuid AND NOT c.archived
    ORDER BY c.uuid DESC LIMIT $1::int + $2::bigint) AS seen`;

const BY_OWNER: NewestQuery = (
  value,
) => `(SELECT c.uuid FROM certificate c WHERE c.owner_uuid = ${value}::uuid AND NOT c.archived
  ORDER BY c.uuid DESC LIMIT $1::int + $2::bigint)`;

const BY_GROUPS: NewestQuery = (value) => `SELECT seen.uuid FROM unnest(${value}::uuid[]) AS shown (uuid)
  CROSS JOIN LATERAL (SELECT m.object_uuid AS uuid FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid
    WHERE m.group_uuid = shown.uuid AND m.object_resource = 'certificates' AND NOT c.archived
    ORDER BY m.object_uuid DESC LIMIT $1::int + $2::bigint) AS seen`;

export interface NewestOfMember {
  readonly rows: readonly NewestRow[];
  /** Latest inventory change at the time of the read. */
  readonly change: string;
}

/**
 * The same for users with limited visibility. Returns undefined if reading each of their RA profiles and groups would
 * take too long.
 */
export function createNewestOfMember(
  database: Database,
): (visible: CertificateFilter, stretch: PageRange) => Promise<NewestOfMember | undefined> {
  const pages = new Map<string, HotStatement>();
  const pageOf = (ways: readonly MemberSource[]): HotStatement => {
    const name = `certificate_newest_${ways.map((way) => way.name).join('_')}`;
    const known = pages.get(name);
    if (known) return known;
    const seen = ways.map(({ newest }, place) => newest(`$${place + 3}`)).join(' UNION ALL ');
    // Sorted instead of hashed: a generic plan would size the hash table for a tenth of all visible rows.
    const keys = `SELECT DISTINCT ON (uuid) uuid FROM (${seen}) AS seen ORDER BY uuid DESC LIMIT $1::int OFFSET $2::bigint`;
    const statement = pageStatement(database, { name, keys });
    pages.set(name, statement);
    return statement;
  };
  return async (visible, { offset, limit }) => {
    const ways = sourcesOf(visible);
    if (ways.length === 0) return undefined;
    const places = ways.reduce((sum, { count }) => sum + count, 0);
    if (places * (offset + limit) > MAX_LOOKED_AT) return undefined;
    const [rows, [last]] = await Promise.all([
      runHot<NewestRow>(database.hot, pageOf(ways), [limit, offset, ...ways.map(({ value }) => value)]),
      runHot<{ change: string }>(database.hot, LAST_CHANGE, []),
    ]);
    return { rows, change: last?.change ?? '' };
  };
}

interface MemberSource {
  readonly name: string;
  readonly newest: NewestQuery;
  readonly value: string | readonly string[];
  /** Number of index ranges. */
  readonly count: number;
}

/** Returns an empty list if the user sees all but some objects, or if a denied group overrides another group. */
function sourcesOf({ raProfiles, ownerUuid, groups, deniedGroups }: CertificateFilter): readonly MemberSource[] {
  if (raProfiles.kind === 'all' || groups.kind === 'all' || (deniedGroups.length > 0 && groups.uuids.size > 0))
    return [];
  const objectSources = (
    name: string,
    { newest, uuids }: { newest: NewestQuery; uuids: ReadonlySet<string> },
  ): MemberSource[] => (uuids.size === 0 ? [] : [{ name, newest, value: [...uuids], count: uuids.size }]);
  return [
    ...objectSources('ra_profiles', { newest: BY_RA_PROFILES, uuids: raProfiles.uuids }),
    ...(ownerUuid === null ? [] : [{ name: 'owner', newest: BY_OWNER, value: ownerUuid, count: 1 }]),
    ...objectSources('groups', { newest: BY_GROUPS, uuids: groups.uuids }),
  ];
}

/**
 * Finds the identifiers of the page with an index-only scan, so that a deep page does not read rows of earlier pages.
 */
function pageStatement(
  { executor }: Database,
  { name, keys }: { readonly name: string; readonly keys: string },
): HotStatement {
  const { sql: text } = listed(executor)
    .innerJoin(sql<{ uuid: string }>`(${sql.raw(keys)})`.as('page'), (join) => join.onRef('page.uuid', '=', 'c.uuid'))
    .select(
      sql`(SELECT json_agg(json_build_object('uuid', g.uuid, 'name', g.name, 'description', g.description, 'email', g.email) ORDER BY g.name)
        FROM group_membership m JOIN object_group g ON g.uuid = m.group_uuid
        WHERE m.object_resource = 'certificates' AND m.object_uuid = c.uuid)`.as('groups'),
    )
    .orderBy('c.uuid', 'desc')
    .compile();
  return hotStatement(name, text);
}
