// Migrates the schema to this program's version: plain SQL files, forward only, in numerical order. Each file runs in
// one transaction with its ledger row, so an interrupted migration leaves no partial changes. Owns: migration.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Database } from './database.ts';
import { MigrationFailed } from './migration-failed.ts';

const DIRECTORY = new URL('./migrations/', import.meta.url);
/** Interval between progress reports of a running migration. */
const REPORT_MS = 10_000;

export interface MigrationResult {
  readonly applied: readonly string[];
}

/** Progress of a migration that is starting, waiting for a different node, or running. */
export interface MigrationProgress {
  readonly migration: string;
  /** Position among the missing migrations. */
  readonly number: number;
  readonly of: number;
  readonly seconds: number;
}

export interface MigrateOptions {
  /** Directory with plain SQL files. Default: this version's migrations. */
  readonly directory?: URL;
  readonly onProgress?: (progress: MigrationProgress) => void;
  readonly reportMs?: number;
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

export async function migrate(database: Database, options: MigrateOptions = {}): Promise<MigrationResult> {
  const files = await migrationFiles(options.directory ?? DIRECTORY);
  await createLedger(database);
  const missing = missingOf(files, await readLedger(database));
  const applied: string[] = [];
  for (const [index, file] of missing.entries()) {
    const place = { migration: file.name, number: index + 1, of: missing.length };
    if (await reporting(place, options, () => apply(database, file))) applied.push(file.name);
  }
  return { applied };
}

const LEDGER =
  'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())';

async function createLedger(database: Database): Promise<void> {
  try {
    await inLockedTransaction(database, (client) => client.query(LEDGER));
  } catch (error) {
    throw new MigrationFailed('Creating the migration table', error);
  }
}

/** Applies a migration; returns false if a different node has already applied it. */
async function apply(database: Database, file: Migration): Promise<boolean> {
  try {
    return await inLockedTransaction(database, async (client) => {
      const done = await client.query('SELECT FROM migration WHERE name = $1', [file.name]);
      if (done.rows.length > 0) return false;
      await client.query(file.sql);
      await client.query('INSERT INTO migration (name, sha256) VALUES ($1, $2)', [file.name, file.sha256]);
      return true;
    });
  } catch (error) {
    throw new MigrationFailed(`Migration ${file.name}`, error);
  }
}

/** Reports when the work starts, and its progress at intervals. */
async function reporting<Result>(
  place: Omit<MigrationProgress, 'seconds'>,
  { onProgress, reportMs = REPORT_MS }: MigrateOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const report = (): void => onProgress?.({ ...place, seconds: Math.round((performance.now() - began) / 1000) });
  report();
  const timer = setInterval(report, reportMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

type Client = Awaited<ReturnType<Database['connect']>>;

/** Runs `work` on one node at a time, while other nodes wait. The lock is released when the transaction ends. */
async function inLockedTransaction<Result>(
  database: Database,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.migrations]);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A broken connection has already rolled back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function readLedger(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM migration');
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

function missingOf(files: readonly Migration[], ledger: ReadonlyMap<string, string>): readonly Migration[] {
  for (const { name, sha256 } of files)
    if (ledger.has(name) && ledger.get(name) !== sha256)
      throw new Error(`Migration ${name} was changed after it was applied; add a new file instead.`);
  return files.filter(({ name }) => !ledger.has(name));
}

/** Returns this version's migration files in order. */
async function migrationFiles(directory: URL): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, directory), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
