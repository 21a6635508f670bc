// Migrations that fail, run long, or are started by multiple nodes simultaneously.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from './database.ts';
import { migrate, type MigrationProgress } from './migrate.ts';

/** Creates a separate database and a folder with these migrations. */
async function withMigrations(files: Readonly<Record<string, string>>) {
  const { database, connection } = await testDatabaseWithConnection();
  const folder = await mkdtemp(join(tmpdir(), 'signetry-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return { database, connection, directory: pathToFileURL(`${folder}/`) };
}

describe('a failed migration', () => {
  it('is reported with its cause and a remedy, and earlier migrations remain applied', async () => {
    const { database, directory } = await withMigrations({
      '9001-first.sql': 'CREATE TABLE first_of_two (id int)',
      '9002-second.sql': 'INSERT INTO first_of_two VALUES (1); CREATE UNIQUE INDEX one ON first_of_two (id); INSERT INTO first_of_two VALUES (1)',
    }); // prettier-ignore
    const failure: unknown = await migrate(database, { directory }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'MigrationFailed', cause: { code: '23505' } });
    const { message } = failure as Error;
    expect(message).toMatch(/^Migration 9002-second\.sql failed: duplicate key value violates unique constraint "one"/);
    expect(message).toMatch(/SQLSTATE 23505; table first_of_two; Key \(id\)=\(1\) already exists/);
    expect(message).toMatch(/Start the previous version, which still works with this database/);
    expect(await database.query('SELECT count(*) AS rows FROM first_of_two')).toEqual([{ rows: 0 }]);
    const ledger = await database.query(`SELECT name FROM migration WHERE name LIKE '900%'`);
    expect(ledger).toEqual([{ name: '9001-first.sql' }]);
  });

  it.each([
    ['42501', "Grant the platform's database role the privileges listed in docs/guide/database.md, then start again."],
    ['53100', 'Free disk space on the database server, then start again.'],
    ['55P03', 'A different program holds a lock on the table.'],
  ])('with SQLSTATE %s is reported with a remedy', async (state, remedy) => {
    const { database, directory } = await withMigrations({
      '9001-refused.sql': `DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${state}'; END $$`,
    });
    await expect(migrate(database, { directory })).rejects.toThrow(new RegExp(`refused[^]*${remedy}`));
  });
});

describe('migrations', () => {
  it('report progress while they run', async () => {
    const { database, directory } = await withMigrations({
      '9001-quick.sql': 'SELECT 1',
      '9002-long.sql': 'SELECT pg_sleep(0.5)',
    });
    const reports: MigrationProgress[] = [];
    await migrate(database, { directory, reportMs: 50, onProgress: (progress) => reports.push(progress) });
    expect(reports[0]).toEqual({ migration: '9001-quick.sql', number: 1, of: 2, seconds: 0 });
    const long = reports.filter(({ migration }) => migration === '9002-long.sql');
    expect(long.length).toBeGreaterThan(2);
    expect(long.at(-1)).toMatchObject({ number: 2, of: 2 });
  });

  it('are applied only once if two nodes start them', async () => {
    const { database, connection, directory } = await withMigrations({
      '9001-a.sql': 'CREATE TABLE made_once (id int)',
      '9002-b.sql': 'CREATE TABLE made_later (id int)',
    });
    const other = new Database({ connection, onError: () => undefined });
    onTestFinished(() => other.close());
    const both = await Promise.all([migrate(database, { directory }), migrate(other, { directory })]);
    expect(both.flatMap(({ applied }) => applied).sort()).toEqual(['9001-a.sql', '9002-b.sql']);
  });

  it('from a newer version do not prevent an older version from starting', async () => {
    const { database } = await withMigrations({});
    await database.query(`INSERT INTO migration (name, sha256) VALUES ('9999-newer.sql', 'x')`);
    await expect(migrate(database)).resolves.toEqual({ applied: [] });
  });
});
