// Queries for connectors and their function groups.
import type { ConnectorStatus, FunctionGroupCode } from '@signetry/contract';
import { sql } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import { chance } from '../../kernel/chance.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.ts';
import type { Executor } from '../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../platform/database/filter/compile.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { FunctionGroup } from './info-response.ts';
import type { ConnectorRow, ConnectorTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ConnectorTables>();

export const connectors = namedObjects<ConnectorRow>({ what: 'Connector', table: 'connector' });

/** Connector with its function groups. */
export interface StoredConnector extends ConnectorRow {
  readonly functionGroups: readonly FunctionGroup[];
}

export async function findAll(executor: Executor): Promise<StoredConnector[]> {
  return withFunctionGroups(executor, await connectors.findAll(executor));
}

/** Returns one page of the connectors that the caller can list, sorted by name. */
export async function findPage(
  executor: Executor,
  wanted: { readonly conditions: readonly SqlCondition[]; readonly page: PageRequest; readonly shown: ObjectFilter },
): Promise<Page<StoredConnector>> {
  const { conditions, page, shown } = wanted;
  const query = tables(executor)
    .selectFrom('connector as k')
    .where(compileFilters(conditions))
    .where(isShown(sql`k.uuid`, shown));
  const rows = await query.selectAll('k').orderBy('k.name').limit(page.itemsPerPage).offset(pageOffset(page)).execute();
  const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { items: await withFunctionGroups(executor, rows), totalItems: count };
}

export async function findOne(executor: Executor, uuid: string): Promise<StoredConnector | undefined> {
  const rows = await connectors.findMany(executor, [uuid]);
  const [connector] = await withFunctionGroups(executor, rows);
  return connector;
}

export async function findByUrl(executor: Executor, url: string): Promise<ConnectorRow | undefined> {
  return tables(executor).selectFrom('connector').selectAll().where('url', '=', url).executeTakeFirst();
}

async function withFunctionGroups(executor: Executor, rows: readonly ConnectorRow[]): Promise<StoredConnector[]> {
  if (rows.length === 0) return [];
  const groups = await tables(executor)
    .selectFrom('connector_function_group')
    .selectAll()
    .where(
      'connector_uuid',
      'in',
      rows.map(({ uuid }) => uuid),
    ) // prettier-ignore
    .orderBy('code')
    .execute();
  return rows.map((row) => ({
    ...row,
    functionGroups: groups
      .filter((group) => group.connector_uuid === row.uuid)
      .map(({ code, kinds, end_points: endPoints, features }) => ({ code, kinds, endPoints, features })),
  }));
}

/**
 * Mean interval between checks of a connector. Each interval is randomized, so that checks are spread out over time.
 */
export const CHECK_PERIOD_MS = 60_000;

export const nextCheck = (now: Date): Date => new Date(now.getTime() + CHECK_PERIOD_MS * (0.75 + 0.5 * chance()));

/** Claims connectors that are due for a check; other nodes skip them until they are due again. */
export async function claimDue(
  executor: Executor,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<ConnectorRow[]> {
  const { rows } = await sql<ConnectorRow>`
    UPDATE connector SET check_at = ${now}::timestamptz + ${CHECK_PERIOD_MS} * (0.75 + 0.5 * random()) * interval '1 millisecond'
    WHERE uuid IN (
      SELECT uuid FROM connector
      WHERE check_at <= ${now} AND status IN ('connected', 'offline') AND url NOT LIKE 'builtin:%'
      ORDER BY check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(executor);
  return rows;
}

/**
 * Changes the status between connected and offline. Returns false if the connector already has the status, no longer
 * exists, or is not approved.
 */
export async function changeStatus(tx: Executor, uuid: string, status: ConnectorStatus): Promise<boolean> {
  const result = await tables(tx)
    .updateTable('connector')
    .set({ status })
    .where('uuid', '=', uuid)
    .where('status', 'in', ['connected', 'offline'])
    .where('status', '!=', status)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Serializes the counting of pending registrations; everything else continues. */
export const lockWaiting = (tx: Executor): Promise<unknown> =>
  sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.connectorRegistrations})`.execute(tx);

export async function countWaiting(executor: Executor): Promise<number> {
  const { count } = await tables(executor)
    .selectFrom('connector')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('status', '=', 'waitingForApproval')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns false if another node inserted it first. */
export async function insertBuiltIn(tx: Executor, row: ConnectorRow): Promise<boolean> {
  const result = await tables(tx)
    .insertInto('connector')
    .values(row)
    .onConflict((conflict) => conflict.column('url').where('url', 'like', 'builtin:%').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function replaceFunctionGroups(
  tx: Executor,
  connectorUuid: string,
  groups: readonly FunctionGroup[],
): Promise<void> {
  await tables(tx).deleteFrom('connector_function_group').where('connector_uuid', '=', connectorUuid).execute();
  if (groups.length === 0) return;
  await tables(tx)
    .insertInto('connector_function_group')
    .values(groups.map((group) => groupRow(connectorUuid, group)))
    .execute();
}

const groupRow = (connectorUuid: string, group: FunctionGroup): FunctionGroupRow => ({
  connector_uuid: connectorUuid,
  code: group.code,
  kinds: [...group.kinds],
  end_points: JSON.stringify(group.endPoints),
  features: [...group.features],
});

type FunctionGroupRow = {
  connector_uuid: string;
  code: FunctionGroupCode;
  kinds: string[];
  /** Endpoints as JSON text. */
  end_points: string;
  features: string[];
};
