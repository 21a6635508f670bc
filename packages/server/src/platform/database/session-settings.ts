// What the platform sets in its sessions, so that a server with other defaults works as the embedded one does. Sent
// with the start of a connection. A pooler in front of the server may reject or ignore that; then the settings of all
// sessions become defaults of the platform's role in its database, and those of hot statements are set in each of their
// transactions.
import pg from 'pg';
import { HOT_LIMIT_MS } from './query-limits.ts';

export type SessionSettings = Readonly<Record<string, string>>;

export const SESSION: SessionSettings = {
  // Plans made against tables that are still empty would keep sequential scans until the first ANALYZE.
  enable_seqscan: 'off',
  // Short statements never earn back the time of compiling them, and with sequential scans off all look expensive.
  jit: 'off',
  timezone: 'UTC',
  // How the server finds out that its client is gone: it asks an idle one after 5 s, gives an answer 10 s to arrive,
  // and ends a transaction that waits for its client for a minute. Then the locks are free. Without effect on a unix
  // socket.
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
  idle_in_transaction_session_timeout: '60000',
};

/**
 * Hot statements look rows up by key. A plan made while tables were small would join by reading all of them, ever more.
 * One plan serves all values: for a limit among them PostgreSQL would plan anew each time.
 */
export const HOT: SessionSettings = {
  statement_timeout: String(HOT_LIMIT_MS),
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** Commits are not waited for: on disk within a second, in order, and visible to everybody at once. */
export const RELAXED: SessionSettings = { ...HOT, synchronous_commit: 'off' };

/** As the parameter `options` of a connection takes them. */
export const sessionOptions = (...settings: readonly SessionSettings[]): string =>
  Object.entries(Object.assign({}, ...settings) as SessionSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** SQLSTATE protocol_violation: how a pooler rejects a parameter that it does not know. */
const PROTOCOL_VIOLATION = '08P01';

/** Does the server get what is sent with the start of a connection? Not through a pooler that shares its sessions. */
export async function takesSessionOptions(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, options: sessionOptions(SESSION) });
  client.on('error', () => undefined); // the query fails as well
  try {
    await client.connect();
    const { rows } = await client.query<{ set: boolean }>(
      "SELECT current_setting('enable_seqscan') = 'off' AND source = 'client' AS set FROM pg_settings WHERE name = 'enable_seqscan'",
    );
    return rows[0]?.set === true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === PROTOCOL_VIOLATION) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/**
 * For the session that a pooler gives to a new connection: it may be older than the defaults of the role, and PgBouncer
 * itself keeps a time zone for each connection.
 */
export const setSession = (client: pg.ClientBase): Promise<unknown> =>
  client.query('SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)', [
    Object.keys(SESSION),
    Object.values(SESSION),
  ]);
