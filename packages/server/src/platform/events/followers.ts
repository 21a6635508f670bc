// Followers of the log of published events. Each has a position of its own, and one node at a time reads on from there:
// what it writes about a batch is committed with its new position, so that every event is dealt with exactly once.
import type { Database, Executor } from '../database/database.ts';
import { createRounds, type WakeableRounds } from '../jobs/rounds.ts';
import type { Logger } from '../logging/logger.ts';
import * as store from './store.ts';

export type { PublishedEvent } from './store.ts';

export interface FollowerFacts {
  /** Under which its position is kept. */
  readonly name: string;
  /** Names of the events that it deals with now; it is not given others. Without this, all. */
  readonly wants?: (tx: Executor) => Promise<readonly string[]>;
  /**
   * Deals with events in their order, in the transaction that moves the position on. What it answers is called after
   * the commit. An event that it fails at again and again is set aside with the reason.
   */
  readonly handle: (tx: Executor, events: readonly store.PublishedEvent[]) => Promise<void | (() => void)>;
}

export interface Following {
  add(follower: FollowerFacts): void;
  start(): Promise<void>;
  /** There are new events. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 500;
const IDLE_POLL_MS = 1_000;
/** With pauses that double from one second, this is about a minute. */
const FAILURES_ALLOWED = 6;

interface FollowingParts {
  readonly database: Database;
  readonly log: Logger;
  /** How often followers look for events that nobody woke them for; for tests, which need not wait. */
  readonly idlePollMs?: number;
}

export function createFollowing(parts: FollowingParts): Following {
  const followers: { readonly facts: FollowerFacts; readonly rounds: WakeableRounds }[] = [];
  return {
    add(facts) {
      const rounds = createRounds({
        log: parts.log,
        what: `following events as ${facts.name}`,
        periodMs: parts.idlePollMs ?? IDLE_POLL_MS,
        run: () => readOn(parts, facts),
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

/** Deals with the next batch; true when there may be more. */
async function readOn(parts: FollowingParts, facts: FollowerFacts): Promise<boolean> {
  let failedAt: store.Follower | undefined;
  try {
    const { isMore, after } = await parts.database.transaction(async (tx) => {
      const place = (failedAt = await store.lockFollower(tx, facts.name));
      if (!place) return { isMore: false, after: undefined };
      // After a failure one at a time, so that it becomes clear which event it is.
      const limit = place.failures > 0 ? 1 : BATCH;
      const { events, upTo } = await store.readWanted(tx, {
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
      const done = isLeft ? await leave(tx, parts, { facts, event: last }) : await facts.handle(tx, events);
      await store.moveFollower(tx, facts.name, upTo);
      return { isMore: events.length === limit, after: done };
    });
    after?.();
    return isMore;
  } catch (error) {
    // When the database is not there, this fails as well: then it is nobody's fault, and nothing is counted.
    const problem = error instanceof Error ? error.message : String(error);
    if (failedAt) await store.noteFailure(parts.database.executor, facts.name, problem);
    throw error;
  }
}

async function leave(
  tx: Executor,
  { log }: FollowingParts,
  { facts: { name }, event }: { readonly facts: FollowerFacts; readonly event: store.PublishedEvent },
): Promise<void> {
  const problem = (await store.readProblem(tx, name)) ?? '';
  log.error({ follower: name, event: event.uuid, problem }, 'an event was set aside');
  await store.setAside(tx, name, { event, problem });
}
