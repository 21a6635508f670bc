// Queries for authorities.
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { AuthorityRow, AuthorityTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AuthorityTables>();

export const authorities = namedObjects<AuthorityRow>({ what: 'Authority', table: 'authority' });

/** Locks the row against removal; the lock can be shared. */
export const holdForUse = (tx: Executor, uuid: string): Promise<AuthorityRow | undefined> =>
  tables(tx).selectFrom('authority').selectAll().where('uuid', '=', uuid).forShare().executeTakeFirst();

/** Returns the oldest first. */
export const findOfConnector = (executor: Executor, connectorUuid: string, limit: number): Promise<AuthorityRow[]> =>
  tables(executor)
    .selectFrom('authority')
    .selectAll()
    .where('connector_uuid', '=', connectorUuid)
    .orderBy('created_at')
    .limit(limit)
    .execute();
