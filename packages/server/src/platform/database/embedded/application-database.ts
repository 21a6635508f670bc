// The platform's own database in the cluster, and the role that it uses. The role owns the database and nothing else:
// it cannot read files, run programs or create roles, so neither can an injected statement. Only this file and the
// launcher use the superuser.

import { Client } from 'pg';

import type { EmbeddedPostgres } from './operation.ts';
import { newPassword, scramVerifier } from './password.ts';

const APPLICATION_ROLE = 'signetry_application';

/**
 * Applies to clients that sign in as the role without setting a limit; the platform's own connections have limits for
 * each type of work.
 */
const STATEMENT_TIMEOUT = '5min';

export interface ApplicationDatabase {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

type Cluster = Pick<EmbeddedPostgres, 'socketDirectory' | 'port' | 'user' | 'password' | 'database'>;

/**
 * Creates the role and the database if they are missing. A database from an earlier version belongs to the superuser;
 * its ownership is transferred in one transaction. The role's password is generated on every start and not stored.
 */
export async function openApplicationDatabase(cluster: Cluster, database: string): Promise<ApplicationDatabase> {
  const password = newPassword();
  const owner = await asSuperuser(cluster, async (client) => {
    await prepareRole(client, password);
    const { rows } = await client.query<{ owner: string }>(
      'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
      [database],
    );
    if (!rows[0]) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)} OWNER ${APPLICATION_ROLE}`);
    return rows[0]?.owner;
  });
  if (owner === cluster.user)
    await asSuperuser({ ...cluster, database }, (client) => transferOwnership(client, database));
  return { host: cluster.socketDirectory, port: cluster.port, user: APPLICATION_ROLE, password, database };
}

async function prepareRole(client: Client, password: string): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [APPLICATION_ROLE]);
  if (rows.length === 0) await client.query(`CREATE ROLE ${APPLICATION_ROLE}`);
  await client.query(
    `ALTER ROLE ${APPLICATION_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
     PASSWORD '${scramVerifier(password)}'`,
  );
  await client.query(`ALTER ROLE ${APPLICATION_ROLE} SET statement_timeout = '${STATEMENT_TIMEOUT}'`);
}

/**
 * Transfers the ownership of all objects, except that objects created by extensions keep their owner; sequences and
 * indexes follow their tables.
 */
const HAND_OVER = `
  SELECT format('ALTER SCHEMA %I OWNER TO ${APPLICATION_ROLE}', nspname) AS statement FROM pg_namespace
  WHERE nspowner = current_user::regrole AND nspname !~ '^pg_' AND nspname <> 'information_schema'
  UNION ALL
  SELECT format('ALTER %s %s OWNER TO ${APPLICATION_ROLE}',
    CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, oid::regclass)
  FROM pg_class c WHERE relowner = current_user::regrole AND relkind IN ('r', 'p', 'v', 'm', 'S') AND oid >= 16384
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid
      AND (deptype = 'e' OR (c.relkind = 'S' AND deptype IN ('a', 'i') AND refclassid = 'pg_class'::regclass)))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${APPLICATION_ROLE}', oid::regprocedure)
  FROM pg_proc p WHERE proowner = current_user::regrole AND oid >= 16384
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO ${APPLICATION_ROLE}', oid::regtype)
  FROM pg_type t WHERE typowner = current_user::regrole AND oid >= 16384 AND typtype IN ('e', 'd', 'c') AND typelem = 0
    AND (typrelid = 0 OR EXISTS (SELECT FROM pg_class WHERE oid = typrelid AND relkind = 'c'))
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_type'::regclass AND objid = t.oid AND deptype = 'e')
  UNION ALL
  SELECT format('ALTER STATISTICS %I.%I OWNER TO ${APPLICATION_ROLE}', nspname, stxname)
  FROM pg_statistic_ext JOIN pg_namespace n ON n.oid = stxnamespace WHERE stxowner = current_user::regrole`;

async function transferOwnership(client: Client, database: string): Promise<void> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ statement: string }>(HAND_OVER);
  for (const { statement } of rows) await client.query(statement);
  // Last statement of the transaction: it marks the transfer as complete.
  await client.query(`ALTER DATABASE ${client.escapeIdentifier(database)} OWNER TO ${APPLICATION_ROLE}`);
  await client.query('COMMIT');
}

async function asSuperuser<Result>(
  { socketDirectory, port, user, password, database }: Cluster,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ host: socketDirectory, port, user, password, database });
  client.on('error', () => undefined); // The running query also fails, so the error is handled there.
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
