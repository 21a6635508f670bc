// Group commit of hot statements. Statements are named, so PostgreSQL parses and plans each once. All that are run in
// one turn of the event loop are sent together, as one pipelined transaction with one commit; while transactions are
// running, the batches of all kinds gather items, and are flushed together when the last transaction is done and the
// event loop has nothing else to do; where several clients are being served, they wait a millisecond for more. So the
// requests of a moment stay together from step to step: under load there are fewer and larger statements, fewer commits
// and fewer context switches. At rest nothing waits.
import pg from 'pg';
import { DatabaseUnavailable, sqlState, translateDatabaseError } from './database-errors.ts';
import { HotConnection, isOutdated, type HotCall, type HotConnectionHooks } from './hot-connection.ts';
import type { HotStatement } from './hot-statement.ts';
import { prepareValue } from './pg-internals.ts';
import { SESSION, sessionOptions, type SessionSettings } from './session-settings.ts';

export interface HotConnectionsOptions extends Omit<HotConnectionHooks, 'preamble'> {
  readonly client: pg.ClientConfig;
  /** Settings of connections whose commits are waited for, and of those whose commits are not. */
  readonly sessions: Readonly<Record<Durability, SessionSettings>>;
  /** The settings are set in each transaction, because the next one may be in another session. */
  readonly setInTransactions: boolean;
  /** Of each of the two. */
  readonly count: number;
  readonly onOutage: (outage: DatabaseUnavailable) => void;
}

export type Durability = 'durable' | 'relaxed';

/** How long a batch waits at most for the statements of others, e.g. for one that waits for a lock itself. */
const MAX_WAIT_MS = 20;
/** A turn of the event loop in which nothing arrives takes some microseconds; one that reads a request, hundreds. */
const QUIET_TURN_MS = 0.05;
/** How long a flush waits at most for a quiet turn, so that a busy process does not keep its database idle. */
const MAX_BUSY_MS = 3;
/** How long a flush waits for requests that are still to arrive, where others are likely to come. */
const GATHER_MS = 1;
const DISK_FULL = '53100';

interface PendingCall extends HotCall {
  readonly durability: Durability;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs hot statements with one durability. */
export class HotRunner {
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

  /** Calls `flush` in the turn of the event loop in which a batch should be made and run. */
  get scheduleFlush(): (flush: () => void) => void {
    return this.connections.scheduleFlush;
  }
}

export class HotConnections {
  private readonly connections: Readonly<Record<Durability, readonly HotConnection[]>>;
  private closed = false;
  /** Transactions of several calls each. */
  private running = 0;
  private flushes: (() => void)[] = [];
  private flushing = false;
  private flushTimer: NodeJS.Timeout | undefined;
  private calls: PendingCall[] = [];
  private isCrowded = (): boolean => false;
  private readonly onOutage: HotConnectionsOptions['onOutage'];

  constructor({ client, sessions, setInTransactions, count, watch, onError, onOutage }: HotConnectionsOptions) {
    const open = (settings: SessionSettings): readonly HotConnection[] => {
      const config = setInTransactions ? client : { ...client, options: sessionOptions(SESSION, settings) };
      const preamble = setInTransactions ? { ...SESSION, ...settings } : undefined;
      return Array.from({ length: count }, () => new HotConnection(config, { watch, onError, preamble }));
    };
    this.onOutage = onOutage;
    this.connections = { durable: open(sessions.durable), relaxed: open(sessions.relaxed) };
  }

  readonly scheduleFlush = (flush: () => void): void => {
    this.flushes.push(flush);
    if (this.running === 0) this.flushWhenQuiet();
    else this.flushTimer ??= setTimeout(() => this.flushWhenQuiet(), MAX_WAIT_MS);
  };

  run<Row>(facts: Pick<PendingCall, 'statement' | 'values' | 'durability'>): Promise<readonly Row[]> {
    return new Promise<readonly Row[]>((resolve, reject) => {
      if (this.closed)
        throw new DatabaseUnavailable('closing', new Error('The connections of hot statements are closed.'));
      const values = facts.values.map((value) => prepareValue(value));
      // The statement's select list decides the shape.
      this.calls.push({ ...facts, values, resolve: resolve as PendingCall['resolve'], reject });
      // At the end of the turn, with the calls of all batches that are flushed in it.
      if (this.calls.length > 1) return;
      this.running += 1;
      process.nextTick(() => void this.runPending());
    });
  }

  /** From now on, flushes wait for one another's statements while there is a crowd. */
  gatherWhen(isCrowded: () => boolean): void {
    this.isCrowded = isCrowded;
  }

  /** Ends the connections once their transactions are done. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.connections.durable, ...this.connections.relaxed].map((each) => each.close()));
  }

  /** So that requests which wait in the sockets already have a share. */
  private flushWhenQuiet(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    if (this.flushing) return;
    this.flushing = true;
    const began = performance.now();
    const afterTurn = (turnBegan: number): void => {
      const now = performance.now();
      const mayWait = now - turnBegan > QUIET_TURN_MS && now - began < MAX_BUSY_MS;
      if (mayWait) setImmediate(afterTurn, now);
      else this.flush();
    };
    if (this.isCrowded()) setTimeout(() => setImmediate(afterTurn, performance.now()), GATHER_MS);
    else setImmediate(afterTurn, began);
  }

  private flush(): void {
    this.flushing = false;
    const { flushes } = this;
    this.flushes = [];
    for (const flush of flushes) flush();
  }

  private async runPending(): Promise<void> {
    const { calls } = this;
    this.calls = [];
    try {
      await this.runTogether(calls);
    } finally {
      this.running -= 1;
      if (this.running === 0 && this.flushes.length > 0) this.flushWhenQuiet();
    }
  }

  /**
   * A call that PostgreSQL refuses rolls the others back too; so each is run again alone, and only the bad one fails.
   */
  private async runTogether(calls: readonly PendingCall[]): Promise<void> {
    const durability = calls.some((each) => each.durability === 'durable') ? 'durable' : 'relaxed';
    try {
      const results = await this.leastBusy(durability).transaction(calls);
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] ?? []);
    } catch (error) {
      if (isRefusal(error) && (calls.length > 1 || isOutdated(error)))
        await Promise.all(calls.map((each) => this.runTogether([each])));
      else {
        const failure = translateDatabaseError(error, 'working');
        if (failure instanceof DatabaseUnavailable) this.onOutage(failure);
        for (const { reject } of calls) reject(failure);
      }
    }
  }

  private leastBusy(durability: Durability): HotConnection {
    const [first, ...others] = this.connections[durability];
    if (!first) throw new Error('There are no connections of hot statements.');
    return others.reduce((best, each) => (each.pending < best.pending ? each : best), first);
  }
}

/**
 * Not when the connection broke: the transaction may have been committed then. A full disk refuses each of the calls.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && sqlState(error) !== DISK_FULL;
