// Background jobs: pg-boss behind a small interface. A queue is declared with its handler before `start`. `enqueue`
// writes the job in the caller's transaction, so a job exists if and only if the change that requires it was committed.
import { CompiledQuery } from 'kysely';
import { PgBoss, type Job } from 'pg-boss';
import type { Logger } from '../logging/logger.ts';
import type { Database, Executor } from '../database/database.ts';
import { runAsWork } from '../database/query-limits.ts';

/** A job whose node sends no heartbeat for this time is released at the next check. */
const HEARTBEAT_S = 10;
/** Interval at which one node checks the jobs; a dead node's jobs wait at most twice as long. */
const SUPERVISION_S = 10;
const SCHEMA = 'job';

export interface QueueFacts<Payload extends object> {
  readonly name: string;
  /** Must be idempotent, since a job runs at least once. Must pass the signal on to everything that it waits for. */
  readonly handle: (payload: Payload, facts: { signal: AbortSignal; jobId: string }) => Promise<void>;
  /** Retries after the first failure; the delay doubles from `retryDelayS`. */
  readonly retryLimit?: number;
  readonly retryDelayS?: number;
  /** Seconds between polls of the queue if nothing wakes it. */
  readonly pollS?: number;
  /** If true, at most one job per `singletonKey` waits; jobs enqueued while it waits are merged into it. */
  readonly merges?: boolean;
  /** Five-field cron expression in UTC, for recurring work whose payload is empty. */
  readonly schedule?: string;
}

export interface EnqueueOptions {
  /** Allows only one waiting job per key, for debouncing. */
  readonly singletonKey?: string;
  readonly startAfterS?: number;
}

export class Jobs {
  private readonly boss: PgBoss;
  private readonly queues = new Map<string, QueueFacts<object>>();
  private readonly workers = new Map<string, string>();
  private readonly database: Database;
  private readonly log: Logger;

  constructor(options: { database: Database; log: Logger }) {
    this.database = options.database;
    this.log = options.log;
    this.boss = new PgBoss({
      db: { executeSql: (text, values) => this.execute(text, values) },
      schema: SCHEMA,
      migrate: true,
      supervise: true,
      superviseIntervalSeconds: SUPERVISION_S,
      monitorIntervalSeconds: SUPERVISION_S,
      schedule: true,
    });
    this.boss.on('error', (error) => this.log.error({ error }, 'background job error'));
  }

  /** Declares a queue. Call before `start`. */
  declare<Payload extends object>(facts: QueueFacts<Payload>): void {
    if (this.queues.has(facts.name)) throw new Error(`The queue ${facts.name} is declared twice.`);
    // `enqueue` and the handler ensure the payload's type.
    this.queues.set(facts.name, facts as unknown as QueueFacts<object>);
  }

  /** Creates the queues and starts processing them. */
  async start(): Promise<void> {
    await this.boss.start();
    for (const queue of this.queues.values()) {
      await this.boss.createQueue(queue.name, {
        policy: queue.merges ? 'short' : 'standard',
        retryLimit: queue.retryLimit ?? 5,
        retryDelay: queue.retryDelayS ?? 2,
        retryBackoff: true,
        heartbeatSeconds: HEARTBEAT_S,
        deleteAfterSeconds: 7 * 24 * 3600,
      });
      const worker = await this.boss.work<object>(queue.name, { pollingIntervalSeconds: queue.pollS ?? 5 }, (jobs) =>
        this.work(queue, jobs),
      );
      this.workers.set(queue.name, worker);
      if (queue.schedule) await this.boss.schedule(queue.name, queue.schedule, {}, { tz: 'UTC' });
    }
    // These schedules were left by an earlier version: no worker would process their jobs.
    for (const { name } of await this.boss.getSchedules()) if (!this.queues.has(name)) await this.boss.unschedule(name);
  }

  /** Adds a job in the caller's transaction. */
  async enqueue(executor: Executor, queue: string, payload: object, options: EnqueueOptions = {}): Promise<void> {
    if (!this.queues.has(queue)) throw new Error(`The queue ${queue} is not declared.`);
    await this.boss.send(queue, payload, {
      db: { executeSql: (text, values) => executeWith(executor, text, values) },
      ...(options.singletonKey ? { singletonKey: options.singletonKey } : {}),
      ...(options.startAfterS ? { startAfter: options.startAfterS } : {}),
    });
  }

  /** Wakes the workers of a queue in this process; call after the commit. */
  wake(queue: string): void {
    const worker = this.workers.get(queue);
    if (worker) this.boss.notifyWorker(worker);
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: 5_000, close: false });
  }

  private async work(queue: QueueFacts<object>, jobs: readonly Job<object>[]): Promise<void> {
    for (const job of jobs) {
      try {
        await runAsWork('job', () => queue.handle(job.data, { signal: job.signal, jobId: job.id }));
      } catch (error) {
        this.log.warn({ error, queue: queue.name, job: job.id }, 'a job failed and will be retried');
        throw error;
      }
    }
    // A worker fetches its next job only when it is woken or polls, and a burst of jobs must not wait for the poll.
    this.wake(queue.name);
  }

  private async execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return { rows: await runAsWork('job', () => this.database.query(text, values)) };
  }
}

async function executeWith(executor: Executor, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const result = await executor.executeQuery(CompiledQuery.raw(text, values ?? []));
  return { rows: result.rows };
}
