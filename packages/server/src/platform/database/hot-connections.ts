// Group commit for hot statements. Statements are named, so PostgreSQL parses and plans each of them once. All
// statements that are run in one turn of the event loop are sent together, as one pipelined transaction with one
// commit. While transactions are running, batches of all kinds collect items, which are flushed together once the last
// transaction has completed and the event loop is idle. If multiple clients are being served, the flush waits 1 ms for
// more items. Concurrent requests thus stay together from step to step: under load, there are fewer and larger
// statements, fewer commits and fewer context switches. When the platform is idle, nothing waits.
import pg from 'pg';
import { DatabaseUnavailable, sqlState, translateDatabaseError } from './database-errors.ts';
import { HotConnection, isOutdated, type HotCall, type HotConnectionHooks } from './hot-connection.ts';
import type { HotStatement } from './hot-statement.ts';
import { prepareValue } from './pg-internals.ts';
import { SESSION, sessionOptions, type SessionSettings } from './session-settings.ts';

export interface HotConnectionsOptions extends Omit<HotConnectionHooks, 'preamble'> {
  readonly client: pg.ClientConfig;
  /** Settings for connections with awaited commits, and for connections with unawaited commits. */
  readonly sessions: Readonly<Record<Durability, SessionSettings>>;
  /** Whether settings are applied in each transaction, because the next one may run in a different session. */
  readonly setInTransactions: boolean;
  /** Number of connections for each durability. */
  readonly count: number;
  readonly onOutage: (outage: DatabaseUnavailable) => void;
}

export type Durability = 'durable' | 'relaxed';

/** Maximum time that a batch waits for other statements, e.g. for one that is waiting for a lock. */
const MAX_WAIT_MS = 20;
/** An event loop turn without new input takes a few microseconds; a turn that reads a request takes hundreds. */
const QUIET_TURN_MS = 0.05;
/**
 * Maximum time that a flush waits for a quiet turn, so that a busy process does not leave its database connections
 * idle.
 */
const MAX_BUSY_MS = 3;
/** Time that a flush waits for further requests if more are likely to arrive. */
const GATHER_MS = 1;
const DISK_FULL = '53100';

interface PendingCall extends HotCall {
  readonly durability: Durability;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs hot statements with a given durability. */
export class HotRunner {
  private readonly connections: HotConnections;
  private readonly durability: Durability;

  constructor(connections: HotConnections, durability: Durability) {
    this.connections = connections;
    this.durability = durability;
  }

  /** Runs a statement and returns its rows; `Row` must match the statement's select list. */
  run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.connections.run<Row>({ statement, values, durability: this.durability });
  }

  /** Schedules a call of `flush` for the event loop turn in which a batch should be collected and run. */
  get scheduleFlush(): (flush: () => void) => void {
    return this.connections.scheduleFlush;
  }
}

export class HotConnections {
  private readonly connections: Readonly<Record<Durability, readonly HotConnection[]>>;
  private closed = false;
  /** Number of running transactions, each with multiple calls. */
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
      if (this.closed) throw new DatabaseUnavailable('closing', new Error('The hot statement connections are closed.'));
      const values = facts.values.map((value) => prepareValue(value));
      // The statement's select list determines the type.
      this.calls.push({ ...facts, values, resolve: resolve as PendingCall['resolve'], reject });
      // Runs at the end of the turn, together with the calls from all batches flushed in it.
      if (this.calls.length > 1) return;
      this.running += 1;
      process.nextTick(() => void this.runPending());
    });
  }

  /** Makes flushes wait for each other's statements whenever many clients are active. */
  gatherWhen(isCrowded: () => boolean): void {
    this.isCrowded = isCrowded;
  }

  /** Closes the connections once their transactions have completed. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.connections.durable, ...this.connections.relaxed].map((each) => each.close()));
  }

  /** Waits until the event loop is quiet, so that requests already in the socket buffers are included. */
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
   * Runs calls in one transaction. A call that PostgreSQL rejects also rolls back the others, so each call is then
   * retried alone and only the failing one is rejected.
   */
  private async runTogether(calls: readonly PendingCall[]): Promise<void> {
    const durability = calls.some((each) => each.durability === 'durable') ? 'durable' : 'relaxed';
    try {
      const results = await this.leastBusy(durability).transaction(calls);
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] ?? []);
    } catch (error) {
      if (isRejection(error) && (calls.length > 1 || isOutdated(error)))
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
    if (!first) throw new Error('There are no hot statement connections.');
    return others.reduce((best, each) => (each.pending < best.pending ? each : best), first);
  }
}

/**
 * Whether PostgreSQL rejected a call. False for a broken connection, because the transaction may have been committed,
 * and for a full disk, which makes every call fail.
 */
const isRejection = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && sqlState(error) !== DISK_FULL;
