// The indexes of trigrams: over the texts of certificates, and over serial numbers, parts of which are looked for. They
// are made while others write, so not in a migration, and only where the extension pg_trgm is installed or may be.
import { sql } from 'kysely';
import { sqlState } from '../../../platform/database/database-errors.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { workAlone } from '../../../platform/database/exclusive-work.ts';
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
 * New texts wait in a list of this size before they are sorted in; searches read that list too, in some 30 ms when it
 * is full.
 */
const WAITING_KB = 16_384;

const INSUFFICIENT_PRIVILEGE = '42501';

export type TextIndexOutcome = 'there' | 'made' | 'not now' | 'not available' | 'not permitted';

/** Makes sure that the indexes exist. Not now: another node is making them, or the signal was aborted. */
export async function makeTextIndexes(database: Database, signal: AbortSignal): Promise<TextIndexOutcome> {
  if ((await findMissing(database.executor)).length === 0) return 'there';
  try {
    return (await workAlone(database, 'textIndex', () => make(database, signal))) ?? 'not now';
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

/** Making an index concurrently allows no transaction around it. */
async function make(database: Database, signal: AbortSignal): Promise<TextIndexOutcome> {
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
      // One that was interrupted while it was made is left over, invalid.
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

/** Found by its text: through a pooler, the process of a session is not known. */
const CANCEL = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND state = 'active'
    AND query LIKE '%INDEX CONCURRENTLY%_trigrams%' AND pid <> pg_backend_pid()`;

async function findMissing(executor: Executor): Promise<readonly TrigramIndex[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${INDEXES.map(({ name }) => name)}::text[]) AS name
    WHERE EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = to_regclass(name) AND i.indisvalid)`.execute(executor);
  return INDEXES.filter(({ name }) => !rows.some((row) => row.name === name));
}

/** Sorts new texts into the indexes, so that whoever writes the next certificate does not have to. */
export async function tidyTextIndexes(executor: Executor): Promise<void> {
  for (const { name } of INDEXES) await sql`SELECT gin_clean_pending_list(${name}::regclass)`.execute(executor);
}
