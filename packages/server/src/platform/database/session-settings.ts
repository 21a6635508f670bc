// The platform's session settings, which make a server with different defaults behave like the embedded one. They are
// sent as startup parameters. A pooler in front of the server may reject or ignore these. In that case, the settings
// for all sessions become defaults of the platform's role in its database, and those for hot statements are set in each
// transaction.
import pg from 'pg';
import { HOT_LIMIT_MS } from './query-limits.ts';

export type SessionSettings = Readonly<Record<string, string>>;

export const SESSION: SessionSettings = {
  // Plans created while tables are still empty would use sequential scans until the first ANALYZE.
  enable_seqscan: 'off',
  // Compilation never pays off for short statements, and with sequential scans disabled, all statements appear
  // expensive.
  jit: 'off',
  timezone: 'UTC',
  // How the server detects a dead client: it probes an idle client after 5 s, waits 10 s for a response, and ends a
  // transaction that has waited for its client for 1 min, which releases the locks. The TCP settings have no effect on
  // a Unix socket.
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
  idle_in_transaction_session_timeout: '60000',
};

/**
 * Settings for hot statements, which look up rows by key. A plan created while tables were small would join by reading
 * whole tables, even as they grow. One generic plan serves all values, because PostgreSQL would otherwise replan each
 * time for a LIMIT parameter.
 */
export const HOT: SessionSettings = {
  statement_timeout: String(HOT_LIMIT_MS),
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Commits are not awaited: they reach the disk within a second, in order, and are visible to all sessions immediately.
 */
export const RELAXED: SessionSettings = { ...HOT, synchronous_commit: 'off' };

/** Formats the settings for a connection's `options` parameter. */
export const sessionOptions = (...settings: readonly SessionSettings[]): string =>
  Object.entries(Object.assign({}, ...settings) as SessionSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** SQLSTATE protocol_violation, which a pooler returns when it rejects an unknown parameter. */
const PROTOCOL_VIOLATION = '08P01';

/** Returns whether startup parameters reach the server. They do not if a pooler shares its sessions. */
export async function acceptsSessionOptions(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, options: sessionOptions(SESSION) });
  client.on('error', () => undefined); // The query also fails, so the error is handled there.
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
 * Applies the settings to the session that a pooler assigns to a new connection. The session may be older than the role
 * defaults, and PgBouncer tracks a time zone per connection.
 */
export const setSession = (client: pg.ClientBase): Promise<unknown> =>
  client.query('SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)', [
    Object.keys(SESSION),
    Object.values(SESSION),
  ]);
