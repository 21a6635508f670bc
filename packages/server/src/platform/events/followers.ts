// Followers of the published event log. Each follower has its own position, from which one node at a time continues.
// The writes for a batch are committed together with the new position, so every event is processed exactly once.
import type { Database, Executor } from '../database/database.ts';
import { createRounds, type WakeableRounds } from '../jobs/rounds.ts';
import type { Logger } from '../logging/logger.ts';
import * as store from './store.ts';

export type { PublishedEvent } from './store.ts';

export interface FollowerFacts {
  /** Name under which its position is stored. */
  readonly name: string;
  /**
   * Returns the names of the events that the follower currently handles; it receives no others. If absent, it receives
   * all events.
   */
  readonly wants?: (tx: Executor) => Promise<readonly string[]>;
  /**
   * Handles events in order, in the transaction that advances the position. If it returns a function, that function is
   * called after the commit. An event that fails repeatedly is set aside with the reason.
   */
  readonly handle: (tx: Executor, events: readonly store.PublishedEvent[]) => Promise<void | (() => void)>;
}

export interface Following {
  add(follower: FollowerFacts): void;
  start(): Promise<void>;
  /** Signals that there are new events. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 500;
const IDLE_POLL_MS = 1_000;
/** Attempts before an event is set aside. With delays that start at 1 s and double, this takes about a minute. */
const FAILURES_ALLOWED = 6;

interface FollowingParts {
  readonly database: Database;
  readonly log: Logger;
  /** Interval at which followers poll without being woken; set by tests to avoid waiting. */
  readonly idlePollMs?: number;
}

export function createFollowing(parts: FollowingParts): Following {
  const followers: { readonly facts: FollowerFacts; readonly rounds: WakeableRounds }[] = [];
  return {
    add(facts) {
      const rounds = createRounds({
        log: parts.log,
        what: `event follower ${facts.name}`,
        periodMs: parts.idlePollMs ?? IDLE_POLL_MS,
        run: () => readNext(parts, facts),
      });
      followers.push({ facts, rounds });
    },
    async start() {
      for (const { facts, rounds } of followers) {
        await store.insertFollower(parts.database.executor, facts.name);
        rounds.start();
      }
    },
    wake: () => followers.forEach(({ rounds }) => rounds.wake()),
    stop: async () => void (await Promise.all(followers.map(({ rounds }) => rounds.stop()))),
  };
}

/** Processes the next batch; returns true if there may be more. */
async function readNext(parts: FollowingParts, facts: FollowerFacts): Promise<boolean> {
  let failedAt: store.Follower | undefined;
  try {
    const { isMore, after } = await parts.database.transaction(async (tx) => {
      const place = (failedAt = await store.lockFollower(tx, facts.name));
      if (!place) return { isMore: false, after: undefined };
      // After a failure, process events one at a time to identify the failing one.
      const limit = place.failures > 0 ? 1 : BATCH;
      const { events, upTo } = await store.readMatching(tx, {
        after: place.position,
        limit,
        wanted: await facts.wants?.(tx),
      });
      const last = events.at(-1);
      if (!last) {
        if (upTo > place.position) await store.moveFollower(tx, facts.name, upTo);
        return { isMore: false, after: undefined };
      }
      const isLeft = place.failures > FAILURES_ALLOWED;
      const done = isLeft ? await setEventAside(tx, parts, { facts, event: last }) : await facts.handle(tx, events);
      await store.moveFollower(tx, facts.name, upTo);
      return { isMore: events.length === limit, after: done };
    });
    after?.();
    return isMore;
  } catch (error) {
    // If the database is unavailable, this write also fails, so an outage is not counted as a failure.
    const problem = error instanceof Error ? error.message : String(error);
    if (failedAt) await store.recordFailure(parts.database.executor, facts.name, problem);
    throw error;
  }
}

async function setEventAside(
  tx: Executor,
  { log }: FollowingParts,
  { facts: { name }, event }: { readonly facts: FollowerFacts; readonly event: store.PublishedEvent },
): Promise<void> {
  const problem = (await store.readProblem(tx, name)) ?? '';
  log.error({ follower: name, event: event.uuid, problem }, 'an event was set aside');
  await store.setAside(tx, name, { event, problem });
}
