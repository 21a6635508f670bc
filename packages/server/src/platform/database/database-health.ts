// Does the database take changes? A small write now and then tells, and what statements meet in between. An outage is
// told in the log when it begins, counted once a minute, and told when it is over: a line for each request would fill
// the disk next.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from '../logging/logger.ts';
import type { DatabaseUnavailable } from './database-errors.ts';
import { hotStatement, runHot, type Database } from './database.ts';

const PROBE_MS = 5_000;
const PROBE_AGAIN_MS = 1_000;
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
  /** A small write may find room where a larger one does not. */
  noSpace: boolean;
}

export interface DatabaseHealth {
  /** False from the first write that failed until one goes well. */
  readonly isWriting: () => boolean;
  /** Told of every outage that a statement met. */
  note(outage: DatabaseUnavailable): void;
  /** Told of every connection that broke, whoever used it. */
  noteConnection(error: Error): void;
  /** Begins to write now and then; `stop` ends that. */
  probe(database: Database, nodeId: string): void;
  stop(): Promise<void>;
}

export function createDatabaseHealth(log: Logger, monotonicMs = () => performance.now()): DatabaseHealth {
  let failing: Failing | undefined;
  let writing = true;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  let attempt: (() => Promise<void>) | undefined;

  function count(error: Error): Failing {
    const nowMs = monotonicMs();
    if (!failing) {
      failing = { sinceMs: nowMs, failures: 0, toldMs: nowMs, noSpace: false };
      log.error({ outage: error.message }, 'the database does not work as it should; what fails is counted');
      schedule(0);
    }
    failing.failures += 1;
    if (nowMs - failing.toldMs >= COUNT_MS) tellCount(failing, nowMs);
    return failing;
  }

  function tellCount(outage: Failing, nowMs: number): void {
    outage.toldMs = nowMs;
    log.error({ ...figures(outage, nowMs) }, 'the database still does not work as it should');
  }

  function recovered(): void {
    writing = true;
    if (!failing) return;
    log.info(figures(failing, monotonicMs()), 'the database works again');
    failing = undefined;
  }

  function schedule(delayMs: number): void {
    if (stopped || !attempt || running) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = round().finally(() => {
        running = undefined;
        schedule(failing ? PROBE_AGAIN_MS : PROBE_MS);
      });
    }, delayMs);
  }

  async function round(): Promise<void> {
    try {
      await attempt?.();
      recovered();
    } catch (error) {
      if (stopped) return;
      writing = false;
      count(error as Error); // the door throws errors only
    }
  }

  return {
    isWriting: () => writing,
    note(outage) {
      // A statement that takes long says nothing about others, and a stop is no fault.
      if (stopped || outage.outage === 'tooSlow' || outage.outage === 'closing') return;
      const current = count(outage);
      if (outage.outage === 'noSpace') current.noSpace = true;
      if (outage.outage === 'noSpace' || outage.outage === 'readOnly') writing = false;
    },
    noteConnection(error) {
      if (!stopped) count(error);
    },
    probe(database, nodeId) {
      attempt = async () => {
        await runHot(database.hot, WRITE_PROBE, [nodeId]);
        if (failing?.noSpace) await assertSpace(database);
      };
      schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const figures = ({ failures, sinceMs }: Failing, nowMs: number) => ({
  failures,
  seconds: Math.round((nowMs - sinceMs) / 1000),
});

/** Takes space of a table that goes with the transaction. */
async function assertSpace(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await sql`CREATE TEMPORARY TABLE database_space (filling bytea STORAGE EXTERNAL) ON COMMIT DROP`.execute(tx);
    await sql`INSERT INTO database_space VALUES (${randomBytes(SPACE_BYTES)})`.execute(tx);
  });
}
