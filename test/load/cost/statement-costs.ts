// Time that PostgreSQL spends on each statement, from its extension pg_stat_statements.
import type { Database } from '@signetry/server/database';

export const STATEMENT_SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=on',
  'track_io_timing=on',
].join(',');

/** Sums over all calls. */
export interface StatementCost {
  readonly text: string;
  readonly calls: number;
  readonly executeMs: number;
  readonly planMs: number;
  readonly rows: number;
  readonly walBytes: number;
}

const SHOWN = 25;
const TEXT_LENGTH = 110;

export async function resetStatements(database: Database): Promise<void> {
  await database.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await database.query('SELECT pg_stat_statements_reset()');
}

/** Returns the most expensive statements, and the sum of all others. */
export async function readStatements(database: Database): Promise<readonly StatementCost[]> {
  const rows = await database.query<{
    query: string;
    calls: string;
    execute_ms: number;
    plan_ms: number;
    rows: string;
    wal_bytes: string;
  }>(
    `SELECT query, calls, total_exec_time AS execute_ms, total_plan_time AS plan_ms, rows, wal_bytes
     FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' ORDER BY total_exec_time + total_plan_time DESC`,
  );
  const costs = rows.map((row) => ({
    text: shorten(row.query),
    calls: Number(row.calls),
    executeMs: row.execute_ms,
    planMs: row.plan_ms,
    rows: Number(row.rows),
    walBytes: Number(row.wal_bytes),
  }));
  const rest = costs.slice(SHOWN);
  const sum = (of: (cost: StatementCost) => number): number => rest.reduce((total, cost) => total + of(cost), 0);
  return [
    ...costs.slice(0, SHOWN),
    {
      text: `${rest.length} more`,
      calls: sum(({ calls }) => calls),
      executeMs: sum(({ executeMs }) => executeMs),
      planMs: sum(({ planMs }) => planMs),
      rows: sum((cost) => cost.rows),
      walBytes: sum(({ walBytes }) => walBytes),
    },
  ];
}

/** Shortens a statement to one line of a table. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '/').trim();
  return line.length > TEXT_LENGTH ? `${line.slice(0, TEXT_LENGTH)}…` : line;
}
