// The newest certificates, for those who see all of them: the page that is asked for most, by statements that are
// planned once. Its groups come with each row, and the total from the counters, in one exchange with the database.
import { sql } from 'kysely';
import { hotStatement, runHot, type Database, type HotStatement } from '../../../platform/database/database.ts';
import { listed, type ListedRow } from '../inventory/store.ts';
import type { Stretch } from './store.ts';

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

export function createNewest(database: Database): (stretch: Stretch) => Promise<Newest> {
  const page = pageStatement(database);
  return async ({ offset, limit }) => {
    const [rows, [counted]] = await Promise.all([
      runHot<NewestRow>(database.hot, page, [limit, offset]),
      runHot<{ total: number }>(database.hot, TOTAL, []),
    ]);
    return { rows, total: counted?.total ?? 0 };
  };
}

/** The identifiers of the page are found in an index alone, so that a deep page reads no rows of other pages. */
function pageStatement({ executor }: Database): HotStatement {
  const { sql: text } = listed(executor)
    .innerJoin(
      sql<{ uuid: string }>`(SELECT uuid FROM certificate WHERE NOT archived ORDER BY uuid DESC
        LIMIT ${sql.raw('$1')}::int OFFSET ${sql.raw('$2')}::bigint)`.as('page'),
      (join) => join.onRef('page.uuid', '=', 'c.uuid'),
    )
    .select(
      sql`(SELECT json_agg(json_build_object('uuid', g.uuid, 'name', g.name, 'description', g.description, 'email', g.email) ORDER BY g.name)
        FROM group_membership m JOIN object_group g ON g.uuid = m.group_uuid
        WHERE m.object_resource = 'certificates' AND m.object_uuid = c.uuid)`.as('groups'),
    )
    .orderBy('c.uuid', 'desc')
    .compile();
  return hotStatement('certificate_newest', text);
}
