// Determines whether the database accepts writes, by a small write every few seconds and by statements that fail in
// between. An outage is logged when it begins, once a minute with the number of failures, and when it ends, because one
// line per request would fill the disk. Owns: database_probe.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from '../logging/logger.ts';
import type { DatabaseUnavailable } from './database-errors.ts';
import { hotStatement, runHot, type Database } from './database.ts';

const PROBE_MS = 5_000;
const PROBE_AGAIN_MS = 1_000;
/** Time after an outage during which writes remain frequent, while other connections are replaced. */
const RECOVERING_MS = 15_000;
const COUNT_MS = 60_000;
/** More space than a full disk has left, and more than PostgreSQL finds in a table's existing pages. */
const SPACE_BYTES = 1024 * 1024;

const WRITE_PROBE = hotStatement(
  'write_database_probe',
  `INSERT INTO database_probe (node_id, written_at) VALUES ($1, clock_timestamp())
   ON CONFLICT (node_id) DO UPDATE SET written_at = EXCLUDED.written_at`,
);

interface FailureState {
  readonly sinceMs: number;
  failures: number;
  toldMs: number;
  /** Whether the disk is full. In this case, a small write may find space even if a larger one does not. */
  noSpace: boolean;
}

export interface DatabaseHealth {
  /** Returns false from the first failed write until a write succeeds. */
  readonly isWriting: () => boolean;
  /** Called for every outage that a statement encounters. */
  note(outage: DatabaseUnavailable): void;
  /** Called for every broken connection, regardless of who uses it. */
  noteConnection(error: Error): void;
  /** Starts the periodic write; `stop` ends it. */
  probe(database: Database, nodeId: string): void;
  stop(): Promise<void>;
}

export const createDatabaseHealth = (log: Logger, monotonicMs = () => performance.now()): DatabaseHealth =>
  new ProbedHealth(log, monotonicMs);

class ProbedHealth implements DatabaseHealth {
  private readonly log: Logger;
  private readonly monotonicMs: () => number;
  private failing: FailureState | undefined;
  private writing = true;
  /** Time at which the last outage ended. */
  private recoveredMs = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private attempt: (() => Promise<void>) | undefined;

  constructor(log: Logger, monotonicMs: () => number) {
    this.log = log;
    this.monotonicMs = monotonicMs;
  }

  readonly isWriting = (): boolean => this.writing;

  readonly note = (outage: DatabaseUnavailable): void => {
    // One slow statement does not affect others, and shutdown is not a failure.
    if (this.stopped || outage.outage === 'tooSlow' || outage.outage === 'closing') return;
    const current = this.count(outage);
    if (outage.outage === 'noSpace') current.noSpace = true;
    if (outage.outage === 'noSpace' || outage.outage === 'readOnly') this.writing = false;
  };

  readonly noteConnection = (error: Error): void => {
    if (!this.stopped) this.count(error);
  };

  probe(database: Database, nodeId: string): void {
    this.attempt = async () => {
      // Regular connections take up to 10 s to detect that they are dead, so a new one is used.
      if (this.failing || this.isRecovering()) await database.runApart(WRITE_PROBE, [nodeId]);
      else await runHot(database.hot, WRITE_PROBE, [nodeId]);
      if (this.failing?.noSpace) await assertSpace(database);
    };
    this.schedule(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private count(error: Error): FailureState {
    const nowMs = this.monotonicMs();
    if (!this.failing) {
      this.failing = { sinceMs: nowMs, failures: 0, toldMs: nowMs, noSpace: false };
      this.log.error({ outage: error.message }, 'the database is unavailable; failures are counted');
      this.schedule(0);
    }
    this.failing.failures += 1;
    if (nowMs - this.failing.toldMs >= COUNT_MS) this.tellCount(this.failing, nowMs);
    return this.failing;
  }

  private tellCount(outage: FailureState, nowMs: number): void {
    outage.toldMs = nowMs;
    this.log.error({ ...figures(outage, nowMs) }, 'the database is still unavailable');
  }

  private recovered(): void {
    const nowMs = this.monotonicMs();
    this.writing = true;
    if (!this.failing) return;
    this.recoveredMs = nowMs;
    this.log.info(figures(this.failing, nowMs), 'the database is available again');
    this.failing = undefined;
  }

  private isRecovering(): boolean {
    return this.monotonicMs() - this.recoveredMs < RECOVERING_MS;
  }

  private schedule(delayMs: number): void {
    if (this.stopped || !this.attempt || this.running) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.round().finally(() => {
        this.running = undefined;
        this.schedule(this.failing || this.isRecovering() ? PROBE_AGAIN_MS : PROBE_MS);
      });
    }, delayMs);
  }

  private async round(): Promise<void> {
    try {
      await this.attempt?.();
      this.recovered();
    } catch (error) {
      if (this.stopped) return;
      this.writing = false;
      this.count(error as Error); // The database layer throws only instances of Error.
    }
  }
}

const figures = ({ failures, sinceMs }: FailureState, nowMs: number) => ({
  failures,
  seconds: Math.round((nowMs - sinceMs) / 1000),
});

/**
 * Allocates space in a table that is dropped when the transaction ends. Random bytes are used because they cannot be
 * compressed.
 */
async function assertSpace(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`CREATE TEMPORARY TABLE database_space (filling bytea) ON COMMIT DROP`.execute(tx);
    await sql`INSERT INTO database_space VALUES (${randomBytes(SPACE_BYTES)})`.execute(tx);
  });
}
