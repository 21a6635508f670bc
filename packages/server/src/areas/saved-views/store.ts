// Queries for saved views. Each query is restricted to a single user, so other users' views are not found.
import type { SavedViewResource } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { SavedViewRow, SavedViewTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<SavedViewTables>();

/** Object type name for error messages, and the table in which names are unique. */
export const savedViews = { what: 'View', table: 'saved_view' } as const;

export type FoundView = SavedViewRow & { readonly is_default: boolean };

/** Identifies a user's view. */
export interface OwnView {
  readonly userUuid: string;
  readonly uuid: string;
}

/** Returns the views of one list or of all lists, sorted by name. */
export const findViews = (executor: Executor, userUuid: string, resource?: SavedViewResource): Promise<FoundView[]> =>
  tables(executor)
    .selectFrom('saved_view as v')
    .leftJoin('saved_view_default as d', 'd.view_uuid', 'v.uuid')
    .selectAll('v')
    .select(sql<boolean>`d.view_uuid IS NOT NULL`.as('is_default'))
    .where('v.user_uuid', '=', userUuid)
    .$if(resource !== undefined, (query) => query.where('v.resource', '=', resource ?? 'certificates'))
    .orderBy('v.resource')
    .orderBy(sql`lower(v.name)`)
    .orderBy('v.name')
    .execute();

export async function countViews(executor: Executor, userUuid: string): Promise<number> {
  const { count } = await tables(executor)
    .selectFrom('saved_view')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_uuid', '=', userUuid)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertView(tx: Executor, row: SavedViewRow): Promise<void> {
  await tables(tx)
    .insertInto('saved_view')
    .values({ ...row, search: JSON.stringify(row.search) })
    .execute();
}

/** Returns the changed row; undefined if it no longer exists. */
export const updateView = (
  tx: Executor,
  { userUuid, uuid }: OwnView,
  { name, search, updated_at }: Pick<SavedViewRow, 'name' | 'search' | 'updated_at'>,
): Promise<SavedViewRow | undefined> =>
  tables(tx)
    .updateTable('saved_view')
    .set({ name, search: JSON.stringify(search), updated_at })
    .where('uuid', '=', uuid)
    .where('user_uuid', '=', userUuid)
    .returningAll()
    .executeTakeFirst();

/** Deletes the view and returns the deleted row. */
export const deleteView = (tx: Executor, { userUuid, uuid }: OwnView): Promise<SavedViewRow | undefined> =>
  tables(tx)
    .deleteFrom('saved_view')
    .where('uuid', '=', uuid)
    .where('user_uuid', '=', userUuid)
    .returningAll()
    .executeTakeFirst();

/** Makes the view the default, replacing any other, or stops it from being the default. */
export async function setDefault(tx: Executor, row: SavedViewRow, isDefault: boolean): Promise<void> {
  const { uuid: view_uuid, user_uuid, resource } = row;
  if (!isDefault) {
    await tables(tx).deleteFrom('saved_view_default').where('view_uuid', '=', view_uuid).execute();
    return;
  }
  await tables(tx)
    .insertInto('saved_view_default')
    .values({ user_uuid, resource, view_uuid })
    .onConflict((conflict) => conflict.columns(['user_uuid', 'resource']).doUpdateSet({ view_uuid }))
    .execute();
}
