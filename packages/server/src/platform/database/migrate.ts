// Brings the schema to the version of this program: plain SQL files, forward only, in the order of their numbers.
// Each file runs in one transaction with its ledger row, so an interrupted migration leaves nothing half done.
// Owns: migration.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Database } from './database.ts';

const DIRECTORY = new URL('./migrations/', import.meta.url);

export interface MigrationResult {
  readonly applied: readonly string[];
}

export async function migrate(database: Database): Promise<MigrationResult> {
  const client = await database.connect();
  const applied: string[] = [];
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const ledger = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM migration');
    const done = new Map(ledger.rows.map((row) => [row.name, row.sha256]));
    for (const file of await migrationFiles()) {
      const known = done.get(file.name);
      if (known === file.sha256) continue;
      if (known !== undefined)
        throw new Error(`Migration ${file.name} was changed after it had been applied; add a new file instead.`);
      await client.query('BEGIN');
      try {
        await client.query(file.sql);
        await client.query('INSERT INTO migration (name, sha256) VALUES ($1, $2)', [file.name, file.sha256]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`Migration ${file.name} failed; the schema is as it was before it.`, { cause: error });
      }
      applied.push(file.name);
    }
  } finally {
    // a broken connection released it already
    await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrations]).catch(() => undefined);
    client.release();
  }
  return { applied };
}

/** The migration files of this version, in order. */
async function migrationFiles(): Promise<readonly { name: string; sql: string; sha256: string }[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
