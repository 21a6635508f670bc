// Events leave a use case as rows in its own transaction. The dispatcher converts committed rows into jobs for their
// subscribers in batches, so that a hot path pays only for one narrow insert and never for a job. It also appends
// published events to the log, which followers read.
import type { Resource } from '@signetry/contract';
import { newUuid } from '../../kernel/ids.ts';
import type { Database, Executor } from '../database/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createRounds, type WakeableRounds } from '../jobs/rounds.ts';
import type { Logger } from '../logging/logger.ts';
import { createFollowing, type Following, type FollowerFacts, type PublishedEvent } from './followers.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import * as store from './store.ts';

/** Events by name with their payloads; areas add their events by declaration merging in their `events.ts`. */
export interface EventPayloads {}

export type EventName = keyof EventPayloads & string;

export interface Subscription<Name extends EventName> {
  readonly event: Name;
  /** Queue for the jobs, unique per subscriber. */
  readonly queue: string;
  /** Returns the key by which waiting jobs are merged into one. */
  readonly mergeBy?: (payload: EventPayloads[Name]) => string;
  readonly delayS?: number;
  readonly handle: (payload: EventPayloads[Name], facts: { signal: AbortSignal }) => Promise<void>;
}

export type EventData = Readonly<Record<string, unknown>>;

/** How an event appears in the log. */
export interface Publication<Name extends EventName> {
  /** Resource that the event concerns. */
  readonly resource: Resource;
  readonly objectOf: (payload: EventPayloads[Name]) => string | null;
  /** Returns the event data, in the order of the payloads. If absent, the payload is the data. */
  readonly describe?: (executor: Executor, payloads: readonly EventPayloads[Name][]) => Promise<readonly EventData[]>;
  /** Adds data that is too large to store with every event, for consumers that report it. */
  readonly complete?: (executor: Executor, data: EventData) => Promise<EventData>;
}

const BATCH = 500;
const IDLE_POLL_MS = 1_000;
/** Events raised within this time are dispatched together, since one event costs about as much as a hundred. */
const GATHERING_MS = 100;
const DELETED_AT_ONCE = 5_000;

export class Events {
  private readonly subscriptions = new Map<string, Subscription<EventName>[]>();
  private readonly publications = new Map<string, Publication<EventName>>();
  private readonly database: Database;
  private readonly jobs: Jobs;
  private readonly rounds: WakeableRounds;
  private readonly following: Following;
  /** Shared by all of this node's log readers. */
  readonly tail: LogTail;

  /** Followers poll every `idlePollMs` even if nothing wakes them. */
  constructor(options: { database: Database; jobs: Jobs; log: Logger; idlePollMs?: number }) {
    this.database = options.database;
    this.jobs = options.jobs;
    this.following = createFollowing(options);
    this.tail = createLogTail({ ...options, place: () => this.rounds.wake() });
    this.rounds = createRounds({
      log: options.log,
      what: 'event dispatch',
      periodMs: IDLE_POLL_MS,
      restMs: GATHERING_MS,
      run: async () => (await this.dispatchBatch()) === BATCH,
    });
  }

  subscribe<Name extends EventName>(subscription: Subscription<Name>): void {
    const list = this.subscriptions.get(subscription.event) ?? [];
    list.push(subscription as unknown as Subscription<EventName>); // Looked up only by the same event name.
    this.subscriptions.set(subscription.event, list);
    this.jobs.declare<EventPayloads[Name] & object>({
      name: subscription.queue,
      handle: subscription.handle,
      merges: subscription.mergeBy !== undefined,
    });
  }

  /** Publishes the event in the log. Must be called only once, by the event's area. */
  publish<Name extends EventName>(event: Name, publication: Publication<Name>): void {
    if (this.publications.has(event)) throw new Error(`The event ${event} is published twice.`);
    this.publications.set(event, publication as unknown as Publication<EventName>); // Looked up only by the same name.
  }

  /** Registers a log follower, which runs on one node at a time. Call before `start`. */
  follow(follower: FollowerFacts): void {
    this.following.add(follower);
  }

  get publishedNames(): readonly string[] {
    return [...this.publications.keys()];
  }

  /** Deletes older events that every follower has read; returns their number. */
  async deleteOld(before: Date, signal: AbortSignal): Promise<number> {
    let deleted = 0;
    for (let last = DELETED_AT_ONCE; last === DELETED_AT_ONCE && !signal.aborted; deleted += last)
      last = await store.deleteOldEvents(this.database.executor, { before, limit: DELETED_AT_ONCE });
    return deleted;
  }

  /** Returns how many events each follower has not read, and how many it has set aside. */
  findLags(): Promise<readonly store.FollowerLag[]> {
    return store.findLags(this.database.executor);
  }

  /** Returns a published event's complete data. */
  async complete(executor: Executor, { event, data }: Pick<PublishedEvent, 'event' | 'data'>): Promise<EventData> {
    return (await this.publications.get(event)?.complete?.(executor, data)) ?? data;
  }

  /** Whether the event has subscribers or is published. If not, a hot path can omit the row. */
  isWanted(event: EventName): boolean {
    return this.subscriptions.has(event) || this.publications.has(event);
  }

  /** Records an event in the caller's transaction. */
  append<Name extends EventName>(tx: Executor, event: Name, payload: EventPayloads[Name]): Promise<void> {
    return this.appendAll(tx, event, [payload]);
  }

  /** Records the same event for multiple objects, in order. */
  async appendAll<Name extends EventName>(
    tx: Executor,
    event: Name,
    payloads: readonly EventPayloads[Name][],
  ): Promise<void> {
    if (payloads.length > 0 && this.isWanted(event)) await store.insertOutbox(tx, event, payloads);
  }

  async start(): Promise<void> {
    await this.following.start();
    this.rounds.start();
  }

  /** Processes the outbox immediately; call after a commit that appended an event. */
  wake(): void {
    this.rounds.wake();
  }

  async stop(): Promise<void> {
    await this.tail.stop();
    await this.rounds.stop();
    await this.following.stop();
  }

  /** Moves up to one batch of rows to the log and to jobs, in one transaction. */
  private async dispatchBatch(): Promise<number> {
    if (await store.isOutboxEmpty(this.database.executor)) return 0;
    const queues = new Set<string>();
    const { taken, published } = await this.database.transaction(async (tx) => {
      // Only one node appends at a time, because the log has a total order.
      const head = await store.lockHead(tx);
      const rows = await store.claimOutbox(tx, BATCH);
      const events = await this.describe(tx, rows);
      if (events.length > 0) await store.appendToLog(tx, head, events);
      for (const row of rows) {
        for (const subscription of this.subscriptions.get(row.event) ?? []) {
          await this.jobs.enqueue(tx, subscription.queue, row.payload, {
            ...(subscription.mergeBy ? { singletonKey: subscription.mergeBy(row.payload) } : {}),
            ...(subscription.delayS ? { startAfterS: subscription.delayS } : {}),
          });
          queues.add(subscription.queue);
        }
      }
      return { taken: rows.length, published: events.length };
    });
    for (const queue of queues) this.jobs.wake(queue);
    if (published > 0) {
      this.following.wake();
      this.tail.wake();
    }
    return taken;
  }

  /** Returns the published events among the rows, with their data, in row order. */
  private async describe(tx: Executor, rows: readonly store.OutboxRow[]): Promise<store.UnplacedEvent[]> {
    const data = new Map<store.OutboxRow, EventData>();
    for (const [event, publication] of this.publications) {
      const ofEvent = rows.filter((row) => row.event === event);
      if (ofEvent.length === 0) continue;
      const payloads = ofEvent.map(({ payload }) => payload);
      const described: readonly EventData[] = publication.describe
        ? await publication.describe(tx, payloads)
        : payloads;
      for (const [index, row] of ofEvent.entries()) data.set(row, described[index] ?? {});
    }
    return rows.flatMap((row) => {
      const publication = this.publications.get(row.event);
      if (!publication) return [];
      return {
        uuid: newUuid(),
        event: row.event,
        resource: publication.resource,
        objectUuid: publication.objectOf(row.payload),
        data: data.get(row) ?? {},
        raisedAt: row.created_at,
      };
    });
  }
}
