// Connections of hot statements, and when these leave. Statements are named, so PostgreSQL parses and plans each once. All that
// are run in one turn of the event loop leave together, as one transaction with one commit; while they are under way the batches
// of all kinds gather more, and leave when they are back. So the requests of a moment stay together from step to step: under
// load there are fewer and larger statements, fewer commits and fewer changes between processes. At rest nothing waits.
import pg from 'pg';
import utils from 'pg/lib/utils.js';
import type { ConnectionWatch } from './connection-watch.ts';
import { atTheDoor, DatabaseUnavailable, sqlState } from './database-errors.ts';
import { Flight, Preparation, type Columns, type PreparedCall } from './flight.ts';
import type { HotStatement } from './hot-statement.ts';
import { HOT_LIMIT_MS } from './query-limits.ts';

export interface HotConnectionsOptions {
  readonly client: pg.ClientConfig;
  /** Settings of connections whose commits are waited for, and of those whose commits are not. */
  readonly sessions: Readonly<Record<Durability, string>>;
  /** Of each of the two. */
  readonly count: number;
  readonly watch: ConnectionWatch;
  readonly onError: (error: Error) => void;
  readonly onOutage: (outage: DatabaseUnavailable) => void;
}

export type Durability = 'durable' | 'relaxed';

/** Bounds what a batch waits for the statements of others, e.g. for one that waits for a lock itself. */
const MAX_WAIT_MS = 20;
const DISK_FULL = '53100';

interface Passenger {
  readonly statement: HotStatement;
  readonly values: readonly unknown[];
  readonly durability: Durability;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Where hot statements of one durability run. */
export class HotLane {
  private readonly connections: HotConnections;
  private readonly durability: Durability;

  constructor(connections: HotConnections, durability: Durability) {
    this.connections = connections;
    this.durability = durability;
  }

  /** Runs a statement and returns its rows; `Row` is what the statement's select list says. */
  run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.connections.run<Row>({ statement, values, durability: this.durability });
  }

  /** Calls `leave` in the turn of the event loop in which a batch should be made and run. */
  get departure(): (leave: () => void) => void {
    return this.connections.departure;
  }
}

export class HotConnections {
  private readonly slots: Readonly<Record<Durability, readonly Slot[]>>;
  private closed = false;
  private underWay = 0;
  private boarding: (() => void)[] = [];
  private departing = false;
  private latest: NodeJS.Timeout | undefined;
  private passengers: Passenger[] = [];
  private readonly onOutage: HotConnectionsOptions['onOutage'];

  constructor({ client, sessions, count, watch, onError, onOutage }: HotConnectionsOptions) {
    const slots = (options: string): readonly Slot[] =>
      Array.from({ length: count }, () => new Slot({ ...client, options }, { watch, onError }));
    this.onOutage = onOutage;
    this.slots = { durable: slots(sessions.durable), relaxed: slots(sessions.relaxed) };
  }

  readonly departure = (leave: () => void): void => {
    this.boarding.push(leave);
    if (this.underWay === 0) this.depart();
    else this.latest ??= setTimeout(() => this.depart(), MAX_WAIT_MS);
  };

  run<Row>(facts: Pick<Passenger, 'statement' | 'values' | 'durability'>): Promise<readonly Row[]> {
    return new Promise<readonly Row[]>((resolve, reject) => {
      if (this.closed)
        throw new DatabaseUnavailable('closing', new Error('The connections of hot statements are closed.'));
      const values = facts.values.map((value) => utils.prepareValue(value));
      // The statement's select list decides the shape.
      this.passengers.push({ ...facts, values, resolve: resolve as Passenger['resolve'], reject });
      // At the end of the turn, with all that the batches of this departure run.
      if (this.passengers.length > 1) return;
      this.underWay += 1;
      process.nextTick(() => void this.takeOff());
    });
  }

  /** Ends the connections after what is under way on them. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.slots.durable, ...this.slots.relaxed].map((slot) => slot.close()));
  }

  /** In the next turn, so that requests read from the sockets in this one come along. */
  private depart(): void {
    clearTimeout(this.latest);
    this.latest = undefined;
    if (this.departing) return;
    this.departing = true;
    setImmediate(() => {
      this.departing = false;
      const leaving = this.boarding;
      this.boarding = [];
      for (const leave of leaving) leave();
    });
  }

  private async takeOff(): Promise<void> {
    const passengers = this.passengers;
    this.passengers = [];
    try {
      await this.fly(passengers);
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0 && this.boarding.length > 0) this.depart();
    }
  }

  /** What PostgreSQL refuses undoes its neighbours too, so then each flies alone, and only what is bad itself fails. */
  private async fly(passengers: readonly Passenger[]): Promise<void> {
    const durability = passengers.some((each) => each.durability === 'durable') ? 'durable' : 'relaxed';
    try {
      const results = await this.leastBusy(durability).fly(passengers);
      for (const [index, { resolve }] of passengers.entries()) resolve(results[index] ?? []);
    } catch (error) {
      if (isRefusal(error) && (passengers.length > 1 || isOutdated(error)))
        await Promise.all(passengers.map((each) => this.fly([each])));
      else {
        const failure = atTheDoor(error, 'working');
        if (failure instanceof DatabaseUnavailable) this.onOutage(failure);
        for (const { reject } of passengers) reject(failure);
      }
    }
  }

  private leastBusy(durability: Durability): Slot {
    const [first, ...others] = this.slots[durability];
    if (!first) throw new Error('There are no connections of hot statements.');
    return others.reduce((best, slot) => (slot.flights < best.flights ? slot : best), first);
  }
}

/**
 * Not so when the connection broke: what was under way then may have been committed. A full disk refuses each of them.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && sqlState(error) !== DISK_FULL;

/** The columns of a prepared statement have changed, by a migration that another node ran. */
const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';

/** A connection that is opened when it is needed. Its flights leave one after another. */
class Slot {
  /** Under way and waiting. */
  flights = 0;
  private readonly config: pg.ClientConfig;
  private readonly hooks: Pick<HotConnectionsOptions, 'watch' | 'onError'>;
  private client: pg.Client | undefined;
  private readonly prepared = new Map<string, Columns>();
  private last: Promise<unknown> = Promise.resolve();
  private failure: { readonly at: number; readonly error: unknown } | undefined;

  constructor(config: pg.ClientConfig, hooks: Pick<HotConnectionsOptions, 'watch' | 'onError'>) {
    this.config = config;
    this.hooks = hooks;
  }

  async fly(calls: readonly Pick<Passenger, 'statement' | 'values'>[]): ReturnType<Slot['run']> {
    this.flights += 1;
    const began = performance.now();
    const flight = this.flights === 1 ? this.run(calls) : this.last.then(() => this.runLate(calls, began));
    this.last = flight.catch(() => undefined);
    try {
      return await flight;
    } finally {
      this.flights -= 1;
    }
  }

  async close(): Promise<void> {
    await this.last;
    await this.client?.end();
  }

  /**
   * Those who were waiting when no connection could be had would otherwise each wait for another attempt, one after
   * another.
   */
  private runLate(calls: readonly Pick<Passenger, 'statement' | 'values'>[], began: number): ReturnType<Slot['run']> {
    if (this.failure && this.failure.at > began) throw this.failure.error;
    return this.run(calls);
  }

  private async run(calls: readonly Pick<Passenger, 'statement' | 'values'>[]) {
    const client = this.client ?? (await this.connect());
    const prepared: PreparedCall[] = [];
    for (const { statement, values } of calls) {
      const columns = this.prepared.get(statement.name) ?? (await this.prepare(client, statement));
      prepared.push({ name: statement.name, columns, values });
    }
    try {
      return await client.query(new Flight(prepared)).result;
    } catch (error) {
      if (isOutdated(error)) this.prepared.clear();
      throw error;
    }
  }

  private async prepare(client: pg.Client, statement: HotStatement): Promise<Columns> {
    const columns = await client.query(new Preparation(statement)).result;
    this.prepared.set(statement.name, columns);
    return columns;
  }

  /** A connection that breaks is forgotten: what was under way on it fails, and the next flight opens another. */
  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.config);
    const forget = (): void => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', (error: Error) => {
      forget();
      this.hooks.onError(error);
    });
    client.on('end', forget);
    try {
      await client.connect();
      await this.hooks.watch.add(client, HOT_LIMIT_MS);
    } catch (cause) {
      const error = atTheDoor(cause, 'connecting');
      this.failure = { at: performance.now(), error };
      throw error;
    }
    this.client = client;
    this.prepared.clear();
    return client;
  }
}
