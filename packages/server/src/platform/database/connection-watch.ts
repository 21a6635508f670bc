// Finds half-open connections: packets are dropped, no reset comes, and TCP would retransmit for a quarter of an hour
// (Node cannot set TCP_USER_TIMEOUT). When a connection is silent while it should answer, the server is asked over a
// new connection what it does for the silent one: if it no longer works for it, or no new connection can be had, the
// connection is dead. Its socket is destroyed, so that whoever waits fails at once, and its backend is terminated, so
// that its locks are released. Idle connections get heartbeats.
import pg from 'pg';
import { activeQueryOf, isEnding, socketOf } from './pg-internals.ts';
import { Heartbeat } from './pipeline.ts';

const TICK_MS = 1_000;
/** Silence after which the server is asked about the connection. */
const ASK_AFTER_MS = 2_500;
/** Pause before the server is asked again about a connection for which it works. */
const ASK_AGAIN_MS = 4_000;
/** How long the answer may take; after that the server counts as unreachable. */
const ANSWER_MS = 3_000;
/** How often in a row: the first time, the result may be on its way. */
const SUSPICIONS = 2;
const HEARTBEAT_AFTER_MS = 3_000;
/** A connection that is closed over a dead path would keep its socket open, and a stop waiting. */
const CLOSING_MS = 2_000;
/** Beyond the limit that the server enforces itself, so that its error comes first. */
const LIMIT_GRACE_MS = 5_000;

/** More than the connections of this process in several outages. */
const MAX_ORPHANS = 256;

/** States of a backend (pg_stat_activity) that is not working for its client. */
const RESTING = new Set(['idle', 'idle in transaction', 'idle in transaction (aborted)']);

class ConnectionSilent extends Error {
  /** As the system would call it. */
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'read';

  constructor(why: string) {
    super(`The connection to the database is given up: ${why}`);
    this.name = 'ConnectionSilent';
  }
}

/** Identity of the server process. A pooler in between hands out process numbers of its own, so the server is asked. */
interface Backend {
  readonly pid: number;
  readonly since: string;
}

interface Watched {
  readonly client: pg.Client;

  backend: Backend | undefined;
  limitMs: number;
  active: object | null;
  bytesRead: number;
  /** Monotonic milliseconds of the last octet received. */
  silentSince: number;
  /** Monotonic milliseconds since which `active` runs, or nothing does. */
  since: number;
  askAt: number;
  suspicions: number;
  endingSince: number | undefined;
}

export class ConnectionWatch {
  private readonly config: pg.ClientConfig;
  /** Not where a pooler gives each transaction another session: then only the limits of statements hold. */
  private readonly knowsBackends: boolean;
  private readonly watched = new Map<pg.Client, Watched>();
  private readonly timer: NodeJS.Timeout;
  private asking = false;
  /** Backends of connections that were given up; they may hold locks. */
  private orphans: readonly Backend[] = [];
  private ending = false;

  constructor(config: pg.ClientConfig, { knowsBackends }: { readonly knowsBackends: boolean }) {
    this.config = config;
    this.knowsBackends = knowsBackends;
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Watches a connected client until it ends. `limitMs` of zero: its statements have no limit. */
  async add(client: pg.Client, limitMs: number): Promise<void> {
    const now = performance.now();
    const found: Watched = {
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
    // Without an identity the server could not be asked about it.
    const late = setTimeout(() => socketOf(client).destroy(new ConnectionSilent('no answer')), ANSWER_MS);
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
    const suspects: Watched[] = [];
    for (const one of this.watched.values()) {
      this.look(one, now);
      if (isEnding(one.client)) this.limitClosing(one, now);
      else if (one.active === null) this.keepAwake(one, now);
      else if (one.limitMs > 0 && now - one.since > one.limitMs + LIMIT_GRACE_MS)
        void this.giveUp([one], 'a statement took longer than its limit');
      else if (now >= one.askAt) suspects.push(one);
    }
    if (suspects.length > 0 && !this.asking) void this.askAfter(suspects);
    void this.endOrphans();
  }

  private look(one: Watched, now: number): void {
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

  private keepAwake({ client, silentSince }: Watched, now: number): void {
    if (now - silentSince < HEARTBEAT_AFTER_MS) return;
    // If it fails, so does the connection, which raises its own error.
    client.query(new Heartbeat()).result.catch(() => undefined);
  }

  private limitClosing(one: Watched, now: number): void {
    one.endingSince ??= now;
    if (now - one.endingSince > CLOSING_MS) socketOf(one.client).destroy();
  }

  private async askAfter(suspects: readonly Watched[]): Promise<void> {
    this.asking = true;
    try {
      const silentSince = new Map(suspects.map((one) => [one, one.silentSince]));
      const states = await this.askServer(suspects);
      const now = performance.now();
      const dead: Watched[] = [];
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
        await this.giveUp(dead, states === 'silent' ? 'the server does not answer' : 'the server does not work for it');
    } finally {
      this.asking = false;
    }
  }

  /** What the server does for each; `silent` when no server answers. */
  private async askServer(suspects: readonly Watched[]): Promise<ReadonlyMap<Watched, 'working' | 'gone'> | 'silent'> {
    let rows: readonly { pid: number; since: string; state: string | null }[];
    try {
      rows = await this.ask<{ pid: number; since: string; state: string | null }>(
        'SELECT pid, backend_start::text AS since, state FROM pg_stat_activity WHERE pid = ANY ($1)',
        [pidsOf(suspects)],
      );
    } catch (error) {
      // A server that answers with an error is alive; the limits of statements still hold.
      if (error instanceof pg.DatabaseError) return new Map(suspects.map((one) => [one, 'working']));
      return 'silent';
    }
    return new Map(
      suspects.map((one) => {
        const { backend } = one;
        const row = rows.find(({ pid, since }) => pid === backend?.pid && since === backend.since);
        // Without an identity it cannot be told; then only the limits of statements hold.
        return [one, !backend || (row && !RESTING.has(row.state ?? '')) ? 'working' : 'gone'];
      }),
    );
  }

  /** Fails whoever waits, and releases what the server still holds for the connection. */
  private async giveUp(dead: readonly Watched[], why: string): Promise<void> {
    for (const one of dead) {
      this.watched.delete(one.client);
      socketOf(one.client).destroy(new ConnectionSilent(why));
    }
    this.orphans = [...this.orphans, ...dead.flatMap(({ backend }) => (backend ? [backend] : []))].slice(-MAX_ORPHANS);
    await this.endOrphans();
  }

  /** As soon as the server can be reached again: its own timeouts would leave the locks held for a minute. */
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
      // Tried again at the next tick.
    } finally {
      this.ending = false;
    }
  }

  private async ask<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    const client = new pg.Client({ ...this.config, connectionTimeoutMillis: ANSWER_MS });
    client.on('error', () => undefined); // the query fails as well
    const late = setTimeout(() => socketOf(client).destroy(new ConnectionSilent('no answer')), ANSWER_MS);
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

const pidsOf = (list: readonly Watched[]): readonly number[] =>
  list.flatMap(({ backend }) => (backend ? [backend.pid] : []));
