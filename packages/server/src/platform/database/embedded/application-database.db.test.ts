import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { openApplicationDatabase, type ApplicationDatabase } from './application-database.ts';
import type { EmbeddedPostgres } from './operation.ts';
import { preparedDirectory, start } from './testing/postgres.ts';

const NAME = 'signetry';

async function connect(facts: ApplicationDatabase): Promise<Client> {
  const client = new Client({ ...facts });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function startDatabase(): Promise<EmbeddedPostgres> {
  const { database } = await start(await preparedDirectory());
  return database;
}

describe("the platform's database role", () => {
  it('is not a superuser, so it cannot read files, run programs or create roles', async () => {
    const server = await startDatabase();
    const client = await connect(await openApplicationDatabase(server, NAME));
    const denied = { code: '42501' }; // insufficient_privilege
    await expect(client.query(`SELECT pg_read_file('/etc/passwd')`)).rejects.toMatchObject(denied);
    await expect(client.query(`COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toMatchObject(denied);
    await expect(client.query('CREATE ROLE other SUPERUSER')).rejects.toMatchObject(denied);
    await expect(client.query('SELECT * FROM pg_authid')).rejects.toMatchObject(denied);
    expect((await client.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '5min' }]);
  });

  it('can do everything that the platform needs: migrations, connector schemas, trusted extensions', async () => {
    const server = await startDatabase();
    const facts = await openApplicationDatabase(server, NAME);
    const database = new Database({ connection: facts, onError: () => undefined });
    onTestFinished(() => database.close());
    expect((await migrate(database)).applied).not.toEqual([]);
    await database.query('CREATE SCHEMA connector_test; CREATE TABLE connector_test.item (id int)');
    await database.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    expect(await database.query(`SELECT similarity('certificate', 'certificates') > 0.5 AS alike`)).toEqual([
      { alike: true },
    ]);
  });

  it('has a new password after every start, and the old password no longer works', async () => {
    const server = await startDatabase();
    const first = await openApplicationDatabase(server, NAME);
    const second = await openApplicationDatabase(server, NAME);
    await expect(new Client({ ...first }).connect()).rejects.toMatchObject({ code: '28P01' });
    expect((await (await connect(second)).query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  });
});

describe('a database that an earlier version created as a superuser', () => {
  it('is handed over to the role with all its objects', async () => {
    const server = await startDatabase();
    const maintenance = await connect({
      host: server.socketDirectory, port: server.port, user: server.user, password: server.password, database: 'postgres',
    }); // prettier-ignore
    await maintenance.query(`CREATE DATABASE ${NAME}`);
    const superuser = { host: server.socketDirectory, port: server.port, user: server.user, password: server.password };
    const former = new Database({ connection: { ...superuser, database: NAME }, onError: () => undefined });
    await migrate(former);
    await former.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE SCHEMA "connector with spaces";
      CREATE TYPE "connector with spaces".mood AS ENUM ('good');
      CREATE TABLE "connector with spaces".item (id bigserial PRIMARY KEY, own int GENERATED ALWAYS AS IDENTITY, mood "connector with spaces".mood);
      CREATE SEQUENCE "connector with spaces".alone;
      CREATE VIEW "connector with spaces".seen AS SELECT id FROM "connector with spaces".item;
      CREATE STATISTICS "connector with spaces".both ON id, own FROM "connector with spaces".item;
      INSERT INTO "connector with spaces".item (mood) VALUES ('good')`);
    await former.close();

    const client = await connect(await openApplicationDatabase(server, NAME));

    // The bootstrap superuser is not listed as an owner in pg_shdepend, so the catalogs are queried.
    const left = await client.query(
      `SELECT 'relation' AS kind, relname AS name FROM pg_class c WHERE oid >= 16384 AND relkind NOT IN ('t', 'i')
         AND relowner <> current_user::regrole
       UNION ALL SELECT 'routine', proname FROM pg_proc p WHERE oid >= 16384 AND proowner <> current_user::regrole
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
       UNION ALL SELECT 'type', typname FROM pg_type t WHERE oid >= 16384 AND typowner <> current_user::regrole
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid IN (t.oid, t.typelem) AND deptype = 'e')
       UNION ALL SELECT 'schema', nspname FROM pg_namespace WHERE oid >= 16384 AND nspowner <> current_user::regrole`,
    );
    expect(left.rows).toEqual([]);
    await client.query(`INSERT INTO "connector with spaces".item (mood) VALUES ('good')`);
    await client.query(`ALTER TABLE "connector with spaces".item ADD COLUMN more text`);
    await client.query(`ALTER TYPE "connector with spaces".mood ADD VALUE 'better'`);
    await client.query(`SELECT nextval('"connector with spaces".alone')`);
    await client.query(`DROP VIEW "connector with spaces".seen; DROP STATISTICS "connector with spaces".both`);
    await client.query('ALTER TABLE certificate ADD COLUMN more text; CREATE TABLE another (id int)');
    const owned = await client.query<{ owned: boolean }>(
      `SELECT bool_and(tableowner = current_user) AS owned FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(owned.rows).toEqual([{ owned: true }]);
  });
});
