// Sessions on servers whose defaults differ from the embedded server's, directly and through a transaction-mode pooler.
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import { HAS_POOLER, POOLER_NOTE, startPooler, type PoolerOptions } from '@signetry/testkit/pooler';
import { Client } from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { Database, hotStatement, runHot, type ConnectionFacts } from './database.ts';
import { migrate } from './migrate.ts';
import { findHarmfulSettings } from './server-settings.ts';
import { setSessionDefaults } from './session-defaults.ts';
import { acceptsSessionOptions } from './session-settings.ts';

const HOT_SETTINGS = hotStatement(
  'session_test_settings',
  `SELECT current_setting('jit') AS jit, current_setting('enable_hashjoin') AS "hashJoins",
     current_setting('plan_cache_mode') AS plans, current_setting('synchronous_commit') AS commits`,
);
const PLAIN = `SELECT current_setting('jit') AS jit, current_setting('enable_seqscan') AS scans,
  current_setting('TimeZone') AS zone, current_setting('enable_hashjoin') AS "hashJoins"`;

function open(connection: ConnectionFacts, sharesSessions = false): Database {
  const database = new Database({ connection, sharesSessions, onError: () => undefined });
  onTestFinished(() => database.close());
  return database;
}

/** Creates a database whose session defaults are harmful unless they are overridden. */
async function foreignDefaults(settings: Readonly<Record<string, string>>) {
  const { connection, database } = await testDatabaseWithConnection();
  for (const [name, value] of Object.entries(settings))
    await database.query(`ALTER DATABASE ${connection.database} SET ${name} = '${value}'`);
  return connection;
}

const OURS = { jit: 'off', scans: 'off', zone: 'UTC', hashJoins: 'on' };
const FOREIGN = { jit: 'on', timezone: 'Asia/Tokyo' };

describe('sessions', () => {
  it("do not use JIT compilation for short statements, regardless of the server's default", async () => {
    const connection = await foreignDefaults(FOREIGN);
    expect(await acceptsSessionOptions(connection)).toBe(true);
    const database = open(connection);
    expect(await database.query(PLAIN)).toEqual([OURS]);
    expect(await runHot(database.hot, HOT_SETTINGS, [])).toMatchObject([
      { jit: 'off', hashJoins: 'off', plans: 'force_generic_plan' },
    ]);
  });

  it("use the role's defaults if they are shared, and hot statements use the settings of their transaction", async () => {
    const connection = await foreignDefaults(FOREIGN);
    const first = open(connection, true);
    await first.transaction((tx) => setSessionDefaults(tx));
    await first.transaction((tx) => setSessionDefaults(tx)); // As on the next start.

    const plain = new Client({ ...connection });
    await plain.connect();
    expect((await plain.query(PLAIN)).rows).toEqual([OURS]);
    await plain.end();
    const database = open(connection, true);
    const hot = { jit: 'off', hashJoins: 'off', plans: 'force_generic_plan' };
    expect(await runHot(database.hot, HOT_SETTINGS, [])).toMatchObject([hot]);
    expect(await runHot(database.relaxed, HOT_SETTINGS, [])).toMatchObject([{ ...hot, commits: 'off' }]);
  });
});

describe.skipIf(!HAS_POOLER)(`a transaction-mode pooler${POOLER_NOTE}`, () => {
  it.each<[string, PoolerOptions]>([
    ['rejects', {}],
    ['ignores', { ignoredParameters: 'options' }],
  ])("that %s session settings is detected, and its sessions use the role's defaults", async (_, options) => {
    const target = await foreignDefaults(FOREIGN);
    const pooler = await startPooler(target, options);
    onTestFinished(() => pooler.close());
    expect(await acceptsSessionOptions(pooler.connection)).toBe(false);
    const database = open(pooler.connection, true);
    await database.transaction((tx) => setSessionDefaults(tx));
    await expect(migrate(database)).resolves.toEqual({ applied: [] });
    const all = await Promise.all(Array.from({ length: 5 }, () => database.query(`${PLAIN}, pg_sleep(0.2) IS NULL`)));
    for (const [row] of all) expect(row).toMatchObject(OURS);
  });
});

describe('server settings', () => {
  it('that slow down the platform or cause data loss are reported with a remedy', async () => {
    const connection = await foreignDefaults({ work_mem: '64kB', synchronous_commit: 'off' });
    const found = await findHarmfulSettings(open(connection));
    expect(found).toContain(
      'synchronous_commit is off on the database server: a crash loses certificates that were already sent to clients. Set it to on.',
    );
    expect(found).toContainEqual(expect.stringMatching(/^work_mem is 64kB .* Set it to 4MB or more\.$/));
  });

  it('that are suitable, or that the platform sets itself, are not reported', async () => {
    const connection = await foreignDefaults({ jit: 'on' });
    const found = await findHarmfulSettings(open(connection));
    expect(found.filter((each) => !/^(?:fsync|full_page_writes|synchronous_commit) /.test(each))).toEqual([]);
  });

  it('include settings that were fixed when the database was created', async () => {
    const { connection } = await testDatabaseWithConnection();
    const name = `${connection.database}_ascii`;
    const maintenance = open({ ...connection, ...inject('cluster').superuser, database: 'postgres' });
    await maintenance.query(
      `CREATE DATABASE ${name} OWNER ${connection.user} TEMPLATE template0
       ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LC_CTYPE 'C' LC_COLLATE 'C'`,
    );
    onTestFinished(async () => void (await maintenance.query(`DROP DATABASE ${name} WITH (FORCE)`)));
    const found = (await findHarmfulSettings(open({ ...connection, database: name }))).join(' ');
    expect(found).toMatch(/The database encoding is SQL_ASCII/);
    expect(found).toMatch(/The database LC_CTYPE is C: searches are case-sensitive/);
  });
});
