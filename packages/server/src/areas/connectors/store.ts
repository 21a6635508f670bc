// Queries of connectors and their function groups.
import type { FunctionGroupCode } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import { namedObjects } from '../../platform/objects/named-objects.ts';
import type { FunctionGroup } from './info-answer.ts';
import type { ConnectorRow, ConnectorTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<ConnectorTables>();

export const connectors = namedObjects<ConnectorRow>({ what: 'Connector', table: 'connector' });

/** A connector with its function groups. */
export interface StoredConnector extends ConnectorRow {
  readonly functionGroups: readonly FunctionGroup[];
}

export async function findAll(executor: Executor): Promise<StoredConnector[]> {
  return withFunctionGroups(executor, await connectors.findAll(executor));
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

/** Returns false when another node was faster. */
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
  await tables(tx).insertInto('connector_function_group').values(groups.map((group) => groupRow(connectorUuid, group))).execute(); // prettier-ignore
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
  /** JSON text of the endpoints. */
  end_points: string;
  features: string[];
};
