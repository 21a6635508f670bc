// Finds connections that died without a word: packets are dropped, no reset comes, and TCP would wait for a quarter of
// an hour (Node cannot set TCP_USER_TIMEOUT). A connection that keeps silent while it should answer is asked after over
// a new one: where the server does not work for it any more, or no new connection can be had, it is dead. Its socket is
// destroyed, so that whoever waits fails at once, and its server side is ended, so that its locks are free. Idle
// connections are made to speak.
import pg from 'pg';
import { Heartbeat } from './flight.ts';

const TICK_MS = 1_000;
/** Silence after which the server is asked what the connection does. */
const ASK_AFTER_MS = 2_500;
/** Pause before a connection that was found at work is asked after again. */
const ASK_AGAIN_MS = 4_000;
/** How long the question may take; the server is as good as away when it does not answer. */
const ANSWER_MS = 3_000;
/** Once might be an answer that is on its way. */
const SUSPICIONS = 2;
const HEARTBEAT_AFTER_MS = 3_000;
/** A connection that says goodbye over a dead path would keep its socket, and a stop, waiting. */
const FAREWELL_MS = 2_000;
/** Beyond the limit that the server keeps itself, so that it is heard first. */
const LIMIT_GRACE_MS = 5_000;

/** More than this process has connections, in several outages. */
const MAX_ORPHANS = 256;

/** States of a backend (pg_stat_activity) that is not working for its client. */
const RESTING = new Set(['idle', 'idle in transaction', 'idle in transaction (aborted)']);

/** Parts of `pg.Client` that its types do not tell. */
interface ClientState {
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(error?: Error): void } };
  readonly _activeQuery: object | null;
  readonly _ending: boolean;
}

class ConnectionSilent extends Error {
  /** As the system would call it. */
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'read';

  constructor(why: string) {
    super(`The connection to the database is given up: ${why}`);
    this.name = 'ConnectionSilent';
  }
}

/** Identity of the server side. A pooler in between hands out process numbers of its own, so the server is asked. */
interface Backend {
  readonly pid: number;
  readonly since: string;
}

interface Watched {
  readonly client: pg.Client;
  readonly state: ClientState;
  backend: Backend | undefined;
  limitMs: number;
  active: object | null;
  bytesRead: number;
  /** Since then nothing was heard: monotonic milliseconds. */
  silentSince: number;
  /** Since then it has worked at `active`, or rested. */
  since: number;
  askAt: number;
  suspicions: number;
  endingSince: number | undefined;
}

export class ConnectionWatch {
  private readonly config: pg.ClientConfig;
  private readonly watched = new Map<pg.Client, Watched>();
  private readonly timer: NodeJS.Timeout;
  private asking = false;
  /** Server sides of connections that were given up; they may hold locks. */
  private orphans: readonly Backend[] = [];
  private ending = false;

  constructor(config: pg.ClientConfig) {
    this.config = config;
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Watches a connected client until it ends. `limitMs` of zero: its statements may take as long as they like. */
  async add(client: pg.Client, limitMs: number): Promise<void> {
    const state = client as unknown as ClientState; // its types lack what is used here
    const now = performance.now();
    const found: Watched = {
      client,
      state,
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
    // Without an identity it could not be asked after.
    const late = setTimeout(() => state.connection.stream.destroy(new ConnectionSilent('no answer')), ANSWER_MS);
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
    for (const one of this.watched.values()) {
      if (one.state._ending) one.state.connection.stream.destroy();
    }
  }

  private tick(): void {
    const now = performance.now();
    const suspects: Watched[] = [];
    for (const one of this.watched.values()) {
      this.look(one, now);
      if (one.state._ending) this.hurryFarewell(one, now);
      else if (one.active === null) this.keepAwake(one, now);
      else if (one.limitMs > 0 && now - one.since > one.limitMs + LIMIT_GRACE_MS)
        void this.giveUp([one], 'a statement took longer than its limit');
      else if (now >= one.askAt) suspects.push(one);
    }
    if (suspects.length > 0 && !this.asking) void this.askAfter(suspects);
    void this.endOrphans();
  }

  private look(one: Watched, now: number): void {
    const { _activeQuery: active, connection } = one.state;
    const { bytesRead } = connection.stream;
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
    // Its failure is that of the connection, which others hear of.
    client.query(new Heartbeat()).result.catch(() => undefined);
  }

  private hurryFarewell(one: Watched, now: number): void {
    one.endingSince ??= now;
    if (now - one.endingSince > FAREWELL_MS) one.state.connection.stream.destroy();
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

  /** What the server does for each. `silent`: there is no server that answers. */
  private async askServer(suspects: readonly Watched[]): Promise<ReadonlyMap<Watched, 'working' | 'gone'> | 'silent'> {
    let rows: readonly { pid: number; since: string; state: string | null }[];
    try {
      rows = await this.ask<{ pid: number; since: string; state: string | null }>(
        'SELECT pid, backend_start::text AS since, state FROM pg_stat_activity WHERE pid = ANY ($1)',
        [pidsOf(suspects)],
      );
    } catch (error) {
      // A server that refuses to answer is alive; the limits of statements hold all the same.
      if (error instanceof pg.DatabaseError) return new Map(suspects.map((one) => [one, 'working']));
      return 'silent';
    }
    return new Map(
      suspects.map((one) => {
        const { backend } = one;
        const row = rows.find(({ pid, since }) => pid === backend?.pid && since === backend.since);
        // Without an identity nothing can be said: then only the limits of statements hold.
        return [one, !backend || (row && !RESTING.has(row.state ?? '')) ? 'working' : 'gone'];
      }),
    );
  }

  /** Fails whoever waits, and frees what the server still holds for the connection. */
  private async giveUp(dead: readonly Watched[], why: string): Promise<void> {
    for (const one of dead) {
      this.watched.delete(one.client);
      one.state.connection.stream.destroy(new ConnectionSilent(why));
    }
    this.orphans = [...this.orphans, ...dead.flatMap(({ backend }) => (backend ? [backend] : []))].slice(-MAX_ORPHANS);
    await this.endOrphans();
  }

  /** As soon as the server can be asked again: its own time-outs would leave their locks for a minute. */
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
      // Tried again with the next look.
    } finally {
      this.ending = false;
    }
  }

  private async ask<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    const client = new pg.Client({ ...this.config, connectionTimeoutMillis: ANSWER_MS });
    client.on('error', () => undefined); // the query fails as well
    const { connection } = client;
    const late = setTimeout(() => connection.stream.destroy(new ConnectionSilent('no answer')), ANSWER_MS);
    try {
      await client.connect();
      const { rows } = await client.query<Row>(text, values);
      return rows;
    } finally {
      clearTimeout(late);
      connection.stream.destroy();
    }
  }
}

const pidsOf = (list: readonly Watched[]): readonly number[] =>
  list.flatMap(({ backend }) => (backend ? [backend.pid] : []));
