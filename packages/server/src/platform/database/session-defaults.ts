// Session settings as role defaults, for servers behind a pooler that rejects or drops startup parameters.
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Executor } from './database.ts';
import { SESSION } from './session-settings.ts';

/**
 * Sets the session settings as defaults for the platform's own role, only in its own database. Runs on one node at a
 * time, because PostgreSQL rejects concurrent changes to a role.
 */
export async function setSessionDefaults(tx: Executor): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.migrations})`.execute(tx);
  const { rows } = await sql<{ statement: string }>`
    SELECT format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %I = %L', current_database(), name, value) AS statement
    FROM unnest(${Object.keys(SESSION)}::text[], ${Object.values(SESSION)}::text[]) AS setting (name, value)`.execute(
    tx,
  );
  for (const { statement } of rows) await sql.raw(statement).execute(tx);
}
