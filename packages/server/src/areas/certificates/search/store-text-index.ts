// The index of trigrams over the texts of certificates. It is made while others write, so not in a migration, and only
// where the extension pg_trgm is installed or may be.
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts';
import { sqlState } from '../../../platform/database/database-errors.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { QUERY_CANCELED } from '../../../platform/database/time-limit.ts';

const INDEX = 'certificate_text_trigrams';
/**
 * New texts wait in a list of this size before they are sorted in; searches read that list too, in some 30 ms when it
 * is full.
 */
const WAITING_KB = 16_384;

const INSUFFICIENT_PRIVILEGE = '42501';

export type TextIndexOutcome = 'there' | 'made' | 'not now' | 'not available' | 'not permitted';

/** Makes sure that the index exists. Not now: another node is making it, or the signal was aborted. */
export async function makeTextIndex(database: Database, signal: AbortSignal): Promise<TextIndexOutcome> {
  if (await isThere(database.executor)) return 'there';
  // One connection from lock to lock; making an index concurrently allows no transaction around it.
  const client = await database.connect();
  try {
    const lock = await client.query<{ locked: boolean; pid: number }>(
      'SELECT pg_try_advisory_lock($1) AS locked, pg_backend_pid() AS pid',
      [ADVISORY_LOCKS.textIndex],
    );
    const [row] = lock.rows;
    if (!row?.locked) return 'not now';
    const cancel = () => void database.query('SELECT pg_cancel_backend($1)', [row.pid]).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await makeLocked(client);
    } finally {
      signal.removeEventListener('abort', cancel);
      await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.textIndex]);
    }
  } catch (error) {
    switch (sqlState(error)) {
      case QUERY_CANCELED:
        return 'not now';
      case INSUFFICIENT_PRIVILEGE:
        return 'not permitted';
      default:
        throw error;
    }
  } finally {
    client.release();
  }
}

type Connection = Awaited<ReturnType<Database['connect']>>;

async function makeLocked(client: Connection): Promise<TextIndexOutcome> {
  const extensions = await client.query<{ schema: string | null }>(
    `SELECT (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = a.name) AS schema
     FROM pg_available_extensions a WHERE a.name = 'pg_trgm'`,
  );
  const [extension] = extensions.rows;
  if (!extension) return 'not available';
  if (extension.schema === null) await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  const schema = extension.schema === null ? '' : `${client.escapeIdentifier(extension.schema)}.`;
  // One that was interrupted while it was made is left over, invalid.
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`);
  await client.query(
    `CREATE INDEX CONCURRENTLY ${INDEX} ON certificate_text USING gin (text ${schema}gin_trgm_ops)
     WITH (gin_pending_list_limit = ${WAITING_KB})`,
  );
  return 'made';
}

async function isThere(executor: Executor): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pg_index i WHERE i.indexrelid = to_regclass(${INDEX}) AND i.indisvalid`.execute(executor);
  return rows.length > 0;
}

/** Sorts new texts into the index, so that whoever writes the next certificate does not have to. */
export async function tidyTextIndex(executor: Executor): Promise<void> {
  await sql`SELECT gin_clean_pending_list(${INDEX}::regclass)`.execute(executor);
}
