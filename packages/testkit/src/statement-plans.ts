// All statements that reach a test database, with their executed plans: rows and buffers. PostgreSQL's auto_explain
// sends the plans as notices, which are read on their way to the client.
import { Database, type ConnectionFacts } from '@signetry/server/database';
import { inject } from 'vitest';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';

export interface StatementPlan {
  readonly text: string;
  /** Buffers read, including those of triggers. */
  readonly buffers: number;
  /** Rows read from tables and indexes, including those filtered out. */
  readonly rowsRead: number;
  readonly rowsChanged: number;
  readonly plan: string;
}

export interface ExplainedDatabase extends Pick<DatabaseProxy, 'connection' | 'close'> {
  /** Returns the plans recorded since the last call. */
  take(): readonly StatementPlan[];
}

const SETTINGS = {
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Configures new sessions of the database to explain their statements, and reads the plans in a proxy. */
export async function explainStatements(target: ConnectionFacts): Promise<ExplainedDatabase> {
  const maintenance = new Database({
    connection: { ...target, ...inject('cluster').superuser },
    maxConnections: 1,
    onError: () => undefined,
  });
  const change = (setting: string): Promise<unknown> =>
    maintenance.query(`ALTER DATABASE ${target.database} SET ${setting}`);
  await change('session_preload_libraries = auto_explain');
  await maintenance.query(`LOAD 'auto_explain'`);
  for (const [name, value] of Object.entries(SETTINGS)) await change(`${name} = '${value}'`);
  await maintenance.close();

  let plans: StatementPlan[] = [];
  const proxy = await startDatabaseProxy(target, {
    onNotice(text) {
      const at = text.indexOf('plan:\n');
      if (at >= 0) plans.push(readPlan(text.slice(at + 'plan:\n'.length)));
    },
  });
  return {
    connection: proxy.connection,
    close: proxy.close,
    take() {
      const taken = plans;
      plans = [];
      return taken;
    },
  };
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

function readPlan(json: string): StatementPlan {
  // auto_explain writes one object of this form
  const { 'Query Text': text, Plan: root } = JSON.parse(json) as { 'Query Text': string; Plan: Node };
  return {
    text: text.replaceAll(/\s+/g, ' ').trim(),
    buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    rowsRead: sum(root, rowsScanned),
    rowsChanged: sum(root, rowsModified),
    plan: outline(root),
  };
}

const sum = (node: Node, of: (node: Node) => number): number =>
  of(node) + (node.Plans ?? []).reduce((total, each) => total + sum(each, of), 0);

/** Row counts are averages per loop. */
const loops = (node: Node): number => node['Actual Loops'] ?? 0;

const rowsScanned = (node: Node): number =>
  node['Node Type'].endsWith('Scan') &&
  (node['Relation Name'] !== undefined || node['Node Type'] === 'Bitmap Index Scan')
    ? ((node['Actual Rows'] ?? 0) +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      loops(node)
    : 0;

const rowsModified = (node: Node): number =>
  node['Node Type'] === 'ModifyTable'
    ? (node.Plans ?? []).reduce((total, each) => total + (each['Actual Rows'] ?? 0) * loops(each), 0)
    : 0;

const outline = (node: Node): string => {
  const relation = node['Relation Name'];
  const inner = (node.Plans ?? []).map(outline).join(', ');
  return `${node['Node Type']}${relation === undefined ? '' : ` ${relation}`}${inner === '' ? '' : ` (${inner})`}`;
};
