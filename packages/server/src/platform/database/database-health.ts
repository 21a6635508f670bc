// Whether the database accepts changes: from a small write every few seconds, and from the failures of statements in
// between. An outage is logged when it begins, once a minute with the number of failures, and when it is over: a line
// for each request would fill the disk next.
// Owns: database_probe.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from '../logging/logger.ts';
import type { DatabaseUnavailable } from './database-errors.ts';
import { hotStatement, runHot, type Database } from './database.ts';

const PROBE_MS = 5_000;
const PROBE_AGAIN_MS = 1_000;
/** How long the writes stay frequent after an outage, while other connections are being replaced. */
const RECOVERING_MS = 15_000;
const COUNT_MS = 60_000;
/** More than a full disk has left, and than PostgreSQL finds within the pages that a table has already. */
const SPACE_BYTES = 1024 * 1024;

const WRITE_PROBE = hotStatement(
  'write_database_probe',
  `INSERT INTO database_probe (node_id, written_at) VALUES ($1, clock_timestamp())
   ON CONFLICT (node_id) DO UPDATE SET written_at = EXCLUDED.written_at`,
);

interface Failing {
  readonly sinceMs: number;
  failures: number;
  toldMs: number;
  /** A small write may find space where a larger one does not. */
  noSpace: boolean;
}

export interface DatabaseHealth {
  /** False from the first write that failed until one goes well. */
  readonly isWriting: () => boolean;
  /** Told of every outage that a statement met. */
  note(outage: DatabaseUnavailable): void;
  /** Told of every connection that broke, whoever used it. */
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
  private failing: Failing | undefined;
  private writing = true;
  /** When an outage ended. */
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
    // One slow statement says nothing about others, and a stop is not a fault.
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
      // The usual connections take up to ten seconds to notice that they are dead.
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

  private count(error: Error): Failing {
    const nowMs = this.monotonicMs();
    if (!this.failing) {
      this.failing = { sinceMs: nowMs, failures: 0, toldMs: nowMs, noSpace: false };
      this.log.error({ outage: error.message }, 'the database is not working; failures are counted');
      this.schedule(0);
    }
    this.failing.failures += 1;
    if (nowMs - this.failing.toldMs >= COUNT_MS) this.tellCount(this.failing, nowMs);
    return this.failing;
  }

  private tellCount(outage: Failing, nowMs: number): void {
    outage.toldMs = nowMs;
    this.log.error({ ...figures(outage, nowMs) }, 'the database is still not working');
  }

  private recovered(): void {
    const nowMs = this.monotonicMs();
    this.writing = true;
    if (!this.failing) return;
    this.recoveredMs = nowMs;
    this.log.info(figures(this.failing, nowMs), 'the database is working again');
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
      this.count(error as Error); // the database layer throws errors only
    }
  }
}

const figures = ({ failures, sinceMs }: Failing, nowMs: number) => ({
  failures,
  seconds: Math.round((nowMs - sinceMs) / 1000),
});

/** Takes space in a table that is dropped with the transaction. Random bytes cannot be compressed. */
async function assertSpace(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`CREATE TEMPORARY TABLE database_space (filling bytea) ON COMMIT DROP`.execute(tx);
    await sql`INSERT INTO database_space VALUES (${randomBytes(SPACE_BYTES)})`.execute(tx);
  });
}
