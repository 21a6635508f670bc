// Events leave a use case as rows of its own transaction. The dispatcher turns committed rows into jobs of their
// subscribers in batches, so that a hot path pays for one narrow insert and never for a job.
// Owns: event_outbox.
import { sql, type Generated } from 'kysely';
import type { Database, Executor } from '../database/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createRounds, type WakeableRounds } from '../jobs/rounds.ts';
import type { Logger } from '../logging/logger.ts';

/** Events by name with their payloads; areas add theirs by declaration merging in their `events.ts`. */
export interface EventPayloads {}

export type EventName = keyof EventPayloads & string;

export interface Subscription<Name extends EventName> {
  readonly event: Name;
  /** Queue of the jobs, unique per subscriber. */
  readonly queue: string;
  /** Key under which waiting jobs are merged into one. */
  readonly mergeBy?: (payload: EventPayloads[Name]) => string;
  readonly delayS?: number;
  readonly handle: (payload: EventPayloads[Name], facts: { signal: AbortSignal }) => Promise<void>;
}

type OutboxTables = {
  event_outbox: { id: Generated<number>; event: string; payload: string };
};

const BATCH = 500;
const IDLE_POLL_MS = 1_000;

export class Events {
  private readonly subscriptions = new Map<string, Subscription<EventName>[]>();
  private readonly database: Database;
  private readonly jobs: Jobs;
  private readonly rounds: WakeableRounds;

  constructor(options: { database: Database; jobs: Jobs; log: Logger }) {
    this.database = options.database;
    this.jobs = options.jobs;
    this.rounds = createRounds({
      log: options.log,
      what: 'dispatch of events',
      periodMs: IDLE_POLL_MS,
      run: async () => (await this.dispatchBatch()) === BATCH,
    });
  }

  subscribe<Name extends EventName>(subscription: Subscription<Name>): void {
    const list = this.subscriptions.get(subscription.event) ?? [];
    list.push(subscription as unknown as Subscription<EventName>); // looked up by the same event name only
    this.subscriptions.set(subscription.event, list);
    this.jobs.declare<EventPayloads[Name] & object>({
      name: subscription.queue,
      handle: subscription.handle,
      merges: subscription.mergeBy !== undefined,
    });
  }

  /** Is there a subscriber? A hot path may leave the row out when there is none. */
  hasSubscribers(event: EventName): boolean {
    return this.subscriptions.has(event);
  }

  /** Records an event in the caller's transaction. */
  append<Name extends EventName>(tx: Executor, event: Name, payload: EventPayloads[Name]): Promise<void> {
    return this.appendAll(tx, event, [payload]);
  }

  /** The same event about several objects, in their order. */
  async appendAll<Name extends EventName>(
    tx: Executor,
    event: Name,
    payloads: readonly EventPayloads[Name][],
  ): Promise<void> {
    if (payloads.length === 0 || !this.hasSubscribers(event)) return;
    await tx
      .withTables<OutboxTables>()
      .insertInto('event_outbox')
      .values(payloads.map((payload) => ({ event, payload: JSON.stringify(payload) })))
      .execute();
  }

  start(): void {
    this.rounds.start();
  }

  /** Processes the outbox at once; call after a commit that appended an event. */
  wake(): void {
    this.rounds.wake();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Moves up to one batch of rows into jobs, in one transaction. */
  private async dispatchBatch(): Promise<number> {
    const queues = new Set<string>();
    const count = await this.database.transaction(async (tx) => {
      const rows = await sql<{ event: string; payload: never }>`
        DELETE FROM event_outbox WHERE id IN (SELECT id FROM event_outbox ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING event, payload`.execute(tx);
      for (const row of rows.rows) {
        for (const subscription of this.subscriptions.get(row.event) ?? []) {
          await this.jobs.enqueue(tx, subscription.queue, row.payload, {
            ...(subscription.mergeBy ? { singletonKey: subscription.mergeBy(row.payload) } : {}),
            ...(subscription.delayS ? { startAfterS: subscription.delayS } : {}),
          });
          queues.add(subscription.queue);
        }
      }
      return rows.rows.length;
    });
    for (const queue of queues) this.jobs.wake(queue);
    return count;
  }
}
