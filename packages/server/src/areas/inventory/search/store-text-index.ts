// Trigram indexes on the certificate texts and on serial numbers, for substring searches. They are created concurrently
// with writes, so not in a migration, and only if the pg_trgm extension is or can be installed.
import { sql } from 'kysely';
import { sqlState } from '../../../platform/database/database-errors.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { runExclusively } from '../../../platform/database/exclusive-work.ts';
import { QUERY_CANCELED } from '../../../platform/database/time-limit.ts';

interface TrigramIndex {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}

const TEXTS: TrigramIndex = { name: 'certificate_text_trigrams', table: 'certificate_text', column: 'text' };
const SERIAL_NUMBERS: TrigramIndex = {
  name: 'certificate_serial_trigrams',
  table: 'certificate',
  column: 'serial_number',
};
const INDEXES = [TEXTS, SERIAL_NUMBERS];

/**
 * Size of the pending list in which new texts are collected before they are merged into the index; searches also scan
 * that list, which takes about 30 ms when it is full.
 */
const WAITING_KB = 16_384;

const INSUFFICIENT_PRIVILEGE = '42501';

export type TextIndexOutcome = 'there' | 'made' | 'not now' | 'not available' | 'not permitted';

/** Creates missing indexes. "not now" means that another node is creating them, or that the signal was aborted. */
export async function createTextIndexes(database: Database, signal: AbortSignal): Promise<TextIndexOutcome> {
  if ((await findMissing(database.executor)).length === 0) return 'there';
  try {
    return (await runExclusively(database, 'textIndex', () => createMissing(database, signal))) ?? 'not now';
  } catch (error) {
    switch (sqlState(error)) {
      case QUERY_CANCELED:
        return 'not now';
      case INSUFFICIENT_PRIVILEGE:
        return 'not permitted';
      default:
        throw error;
    }
  }
}

/** CREATE INDEX CONCURRENTLY cannot run in a transaction. */
async function createMissing(database: Database, signal: AbortSignal): Promise<TextIndexOutcome> {
  const [extension] = await database.query<{ schema: string | null }>(
    `SELECT (SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = a.name) AS schema
     FROM pg_available_extensions a WHERE a.name = 'pg_trgm'`,
  );
  if (!extension) return 'not available';
  if (extension.schema === null) await database.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  const schema = extension.schema === null ? '' : `${extension.schema}.`;
  const cancel = () => void database.query(CANCEL).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (const { name, table, column } of await findMissing(database.executor)) {
      // An interrupted creation leaves an invalid index.
      await database.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      if (signal.aborted) return 'not now';
      await database.query(
        `CREATE INDEX CONCURRENTLY ${name} ON ${table} USING gin (${column} ${schema}gin_trgm_ops)
         WITH (gin_pending_list_limit = ${WAITING_KB})`,
      );
    }
    return 'made';
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Finds the backend by its query text, because behind a pooler the session's process ID is unknown. */
const CANCEL = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND state = 'active'
    AND query LIKE '%INDEX CONCURRENTLY%_trigrams%' AND pid <> pg_backend_pid()`;

async function findMissing(executor: Executor): Promise<readonly TrigramIndex[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${INDEXES.map(({ name }) => name)}::text[]) AS name
    WHERE EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = to_regclass(name) AND i.indisvalid)`.execute(executor);
  return INDEXES.filter(({ name }) => !rows.some((row) => row.name === name));
}

/** Merges new texts into the indexes, so that the next certificate insert does not have to. */
export async function cleanTextIndexes(executor: Executor): Promise<void> {
  for (const { name } of INDEXES) await sql`SELECT gin_clean_pending_list(${name}::regclass)`.execute(executor);
}
