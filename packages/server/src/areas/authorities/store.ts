// Queries of authorities.
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { AuthorityRow, AuthorityTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AuthorityTables>();

export const authorities = namedObjects<AuthorityRow>({ what: 'Authority', table: 'authority' });

/** Holds the row against removal; many may hold it at once. */
export const holdForUse = (tx: Executor, uuid: string): Promise<AuthorityRow | undefined> =>
  tables(tx).selectFrom('authority').selectAll().where('uuid', '=', uuid).forShare().executeTakeFirst();

/** Lets one edit at a time through, until it is released or its time is over; tells whether this one may. */
export async function holdForEdit(
  executor: Executor,
  uuid: string,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const held = await tables(executor)
    .updateTable('authority')
    .set({ edited_until: until })
    .where('uuid', '=', uuid)
    .where((build) => build.or([build('edited_until', 'is', null), build('edited_until', '<=', now)]))
    .returning('uuid')
    .executeTakeFirst();
  return held !== undefined;
}

export const releaseEdit = (executor: Executor, uuid: string) =>
  tables(executor).updateTable('authority').set({ edited_until: null }).where('uuid', '=', uuid).execute();

/** The oldest first. */
export const findOfConnector = (executor: Executor, connectorUuid: string, limit: number): Promise<AuthorityRow[]> =>
  tables(executor)
    .selectFrom('authority')
    .selectAll()
    .where('connector_uuid', '=', connectorUuid)
    .orderBy('created_at')
    .limit(limit)
    .execute();
