// Detects half-open connections: packets are dropped, no reset arrives, and TCP would retransmit for 15 minutes (Node
// cannot set TCP_USER_TIMEOUT). If a connection is silent when a response is due, a new connection asks the server for
// the state of its backend. If the backend is no longer working for it, or no new connection can be opened, the
// connection is dead. Its socket is destroyed, so that callers fail immediately, and its backend is terminated, so that
// its locks are released. Idle connections get heartbeats.
import pg from 'pg';
import { activeQueryOf, isEnding, socketOf } from './pg-internals.ts';
import { Heartbeat } from './pipeline.ts';

const TICK_MS = 1_000;
/** Period of silence after which the server is queried about the connection. */
const ASK_AFTER_MS = 2_500;
/** Delay before the server is queried again about a connection that it is working for. */
const ASK_AGAIN_MS = 4_000;
/** Timeout of the query, after which the server is considered unreachable. */
const ANSWER_MS = 3_000;
/**
 * Number of consecutive suspicions before a connection is considered dead: after the first one, the result may still be
 * in transit.
 */
const SUSPICIONS = 2;
const HEARTBEAT_AFTER_MS = 3_000;
/**
 * Time limit for closing a connection. Without it, closing over a dead path would keep the socket open and delay
 * shutdown.
 */
const CLOSING_MS = 2_000;
/** Added to the limit that the server itself enforces, so that its error arrives first. */
const LIMIT_GRACE_MS = 5_000;

/**
 * Maximum number of orphaned backends that are remembered: more than all connections of this process in several
 * outages.
 */
const MAX_ORPHANS = 256;

/** States of a backend (pg_stat_activity) that is not executing anything for its client. */
const RESTING = new Set(['idle', 'idle in transaction', 'idle in transaction (aborted)']);

class SilentConnectionError extends Error {
  /** Error code that the operating system uses for a timeout. */
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'read';

  constructor(why: string) {
    super(`The connection to the database was closed: ${why}`);
    this.name = 'SilentConnectionError';
  }
}

/** Identifies the server process. A pooler reports its own process IDs, so the server is queried instead. */
interface Backend {
  readonly pid: number;
  readonly since: string;
}

interface WatchedClient {
  readonly client: pg.Client;

  backend: Backend | undefined;
  limitMs: number;
  active: object | null;
  bytesRead: number;
  /** Monotonic time of the last byte received, in ms. */
  silentSince: number;
  /** Monotonic time, in ms, since which `active` has been running or the connection has been idle. */
  since: number;
  askAt: number;
  suspicions: number;
  endingSince: number | undefined;
}

export class ConnectionWatch {
  private readonly config: pg.ClientConfig;
  /**
   * Whether the backend of a connection can be known. False if a pooler assigns each transaction a different session;
   * in this case, only the statement limits apply.
   */
  private readonly knowsBackends: boolean;
  private readonly watched = new Map<pg.Client, WatchedClient>();
  private readonly timer: NodeJS.Timeout;
  private asking = false;
  /** Backends of closed connections, which may still hold locks. */
  private orphans: readonly Backend[] = [];
  private ending = false;

  constructor(config: pg.ClientConfig, { knowsBackends }: { readonly knowsBackends: boolean }) {
    this.config = config;
    this.knowsBackends = knowsBackends;
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Watches a connected client until it ends. A `limitMs` of zero means no statement limit. */
  async add(client: pg.Client, limitMs: number): Promise<void> {
    const now = performance.now();
    const found: WatchedClient = {
      client,
      backend: undefined,
      limitMs,
      active: null,
      bytesRead: -1,
      silentSince: now,
      since: now,
      askAt: now + ASK_AFTER_MS,
      suspicions: 0,
      endingSince: undefined,
    };
    this.watched.set(client, found);
    client.once('end', () => this.watched.delete(client));
    if (!this.knowsBackends) return;
    // Without an identity, the server cannot be queried about the connection.
    const late = setTimeout(() => socketOf(client).destroy(new SilentConnectionError('no response')), ANSWER_MS);
    try {
      const { rows } = await client.query<Backend>(
        'SELECT pid, backend_start::text AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()',
      );
      found.backend = rows[0];
    } finally {
      clearTimeout(late);
    }
  }

  limitOf(client: pg.Client): number | undefined {
    return this.watched.get(client)?.limitMs;
  }

  setLimit(client: pg.Client, limitMs: number): void {
    const found = this.watched.get(client);
    if (found) found.limitMs = limitMs;
  }

  close(): void {
    clearInterval(this.timer);
    for (const client of this.watched.keys()) {
      if (isEnding(client)) socketOf(client).destroy();
    }
  }

  private tick(): void {
    const now = performance.now();
    const suspects: WatchedClient[] = [];
    for (const one of this.watched.values()) {
      this.look(one, now);
      if (isEnding(one.client)) this.limitClosing(one, now);
      else if (one.active === null) this.keepAwake(one, now);
      else if (one.limitMs > 0 && now - one.since > one.limitMs + LIMIT_GRACE_MS)
        void this.giveUp([one], 'a statement exceeded its limit');
      else if (now >= one.askAt) suspects.push(one);
    }
    if (suspects.length > 0 && !this.asking) void this.askAfter(suspects);
    void this.endOrphans();
  }

  private look(one: WatchedClient, now: number): void {
    const active = activeQueryOf(one.client);
    const { bytesRead } = socketOf(one.client);
    if (active !== one.active) one.since = now;
    if (active !== one.active || bytesRead !== one.bytesRead) {
      one.silentSince = now;
      one.askAt = now + ASK_AFTER_MS;
      one.suspicions = 0;
    }
    one.active = active;
    one.bytesRead = bytesRead;
  }

  private keepAwake({ client, silentSince }: WatchedClient, now: number): void {
    if (now - silentSince < HEARTBEAT_AFTER_MS) return;
    // If this fails, the connection fails as well and raises its own error.
    client.query(new Heartbeat()).result.catch(() => undefined);
  }

  private limitClosing(one: WatchedClient, now: number): void {
    one.endingSince ??= now;
    if (now - one.endingSince > CLOSING_MS) socketOf(one.client).destroy();
  }

  private async askAfter(suspects: readonly WatchedClient[]): Promise<void> {
    this.asking = true;
    try {
      const silentSince = new Map(suspects.map((one) => [one, one.silentSince]));
      const states = await this.askServer(suspects);
      const now = performance.now();
      const dead: WatchedClient[] = [];
      for (const one of suspects) {
        if (one.active === null || one.silentSince !== silentSince.get(one)) continue;
        const state = states === 'silent' ? 'silent' : states.get(one);
        if (state === 'working') {
          one.suspicions = 0;
          one.askAt = now + ASK_AGAIN_MS;
        } else {
          one.suspicions += state === 'silent' ? SUSPICIONS : 1;
          one.askAt = now;
          if (one.suspicions >= SUSPICIONS) dead.push(one);
        }
      }
      if (dead.length > 0)
        await this.giveUp(
          dead,
          states === 'silent' ? 'the server does not respond' : 'the server is no longer working for it',
        );
    } finally {
      this.asking = false;
    }
  }

  /** Returns the state of each connection on the server, or `silent` if the server does not respond. */
  private async askServer(
    suspects: readonly WatchedClient[],
  ): Promise<ReadonlyMap<WatchedClient, 'working' | 'gone'> | 'silent'> {
    let rows: readonly { pid: number; since: string; state: string | null }[];
    try {
      rows = await this.ask<{ pid: number; since: string; state: string | null }>(
        'SELECT pid, backend_start::text AS since, state FROM pg_stat_activity WHERE pid = ANY ($1)',
        [pidsOf(suspects)],
      );
    } catch (error) {
      // A server that returns an error is alive; the statement limits still apply.
      if (error instanceof pg.DatabaseError) return new Map(suspects.map((one) => [one, 'working']));
      return 'silent';
    }
    return new Map(
      suspects.map((one) => {
        const { backend } = one;
        const row = rows.find(({ pid, since }) => pid === backend?.pid && since === backend.since);
        // Without an identity the state is unknown; only the statement limits apply.
        return [one, !backend || (row && !RESTING.has(row.state ?? '')) ? 'working' : 'gone'];
      }),
    );
  }

  /** Fails the pending calls, and releases what the server still holds for the connection. */
  private async giveUp(dead: readonly WatchedClient[], why: string): Promise<void> {
    for (const one of dead) {
      this.watched.delete(one.client);
      socketOf(one.client).destroy(new SilentConnectionError(why));
    }
    this.orphans = [...this.orphans, ...dead.flatMap(({ backend }) => (backend ? [backend] : []))].slice(-MAX_ORPHANS);
    await this.endOrphans();
  }

  /**
   * Terminates orphaned backends as soon as the server is reachable again, because they would otherwise hold their
   * locks for a minute, until the server's own timeouts.
   */
  private async endOrphans(): Promise<void> {
    const { orphans } = this;
    if (orphans.length === 0 || this.ending) return;
    this.ending = true;
    try {
      await this.ask(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE (pid, backend_start::text) IN (SELECT * FROM unnest($1::int[], $2::text[]))`,
        [orphans.map(({ pid }) => pid), orphans.map(({ since }) => since)],
      );
      this.orphans = this.orphans.filter((each) => !orphans.includes(each));
    } catch {
      // Retried at the next tick.
    } finally {
      this.ending = false;
    }
  }

  private async ask<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    const client = new pg.Client({ ...this.config, connectionTimeoutMillis: ANSWER_MS });
    client.on('error', () => undefined); // The query also fails, so the error is handled there.
    const late = setTimeout(() => socketOf(client).destroy(new SilentConnectionError('no response')), ANSWER_MS);
    try {
      await client.connect();
      const { rows } = await client.query<Row>(text, values);
      return rows;
    } finally {
      clearTimeout(late);
      socketOf(client).destroy();
    }
  }
}

const pidsOf = (list: readonly WatchedClient[]): readonly number[] =>
  list.flatMap(({ backend }) => (backend ? [backend.pid] : []));
