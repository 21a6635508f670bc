// Tail of the event log, read once per node for all watchers. Recent events stay in memory while there are watchers;
// watchers that are further behind read from the database at their own pace.
import type { Database } from '../database/database.ts';
import { createRounds } from '../jobs/rounds.ts';
import type { Logger } from '../logging/logger.ts';
import * as store from './store.ts';

export interface LogTail {
  /** Returns the first and last stored positions. */
  ends(): Promise<{ readonly head: number; readonly oldest: number }>;
  /** Keeps the tail of the log in memory until the returned function is called. */
  watch(): () => void;
  /**
   * Returns events after a position, in order: not necessarily all, but at least one if there are any. Callers that are
   * up to date receive the same array.
   */
  read(after: number): Promise<readonly store.PublishedEvent[]>;
  /** Resolves when there are events after the position, when the time has elapsed, or when the signal fires. */
  wait(after: number, until: { readonly ms: number; readonly signal: AbortSignal }): Promise<void>;
  /** Signals that there are new events. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 1_000;
const KEPT = 5_000;
/** Polling interval, needed because other nodes also append events. */
const POLL_MS = 200;

interface TailParts {
  readonly database: Database;
  readonly log: Logger;
  /** Triggers the outbox, because not all code that appends an event wakes it. */
  readonly place: () => void;
}

export function createLogTail({ database: { executor }, log, place }: TailParts): LogTail {
  let watchers = 0;
  /** Batches in the order in which they were read, without gaps up to `head`. */
  let recent: (readonly store.PublishedEvent[])[] = [];
  let kept = 0;
  let head: number | undefined;
  const waiting = new Set<() => void>();
  const rounds = createRounds({ log, what: 'reading the tail of the event log', periodMs: POLL_MS, run: readNext });
  let isStarted = false;

  function forget(): void {
    recent = [];
    kept = 0;
    head = undefined;
  }

  async function readNext(): Promise<boolean> {
    if (watchers === 0) return false;
    place();
    head ??= (await store.readEnds(executor)).head;
    const events = await store.readLog(executor, { after: head, limit: BATCH });
    const last = events.at(-1);
    // The last watcher may have left in the meantime.
    if (watchers === 0) forget();
    if (!last || head === undefined) return false;
    recent.push(events);
    kept += events.length;
    while (kept > KEPT) kept -= recent.shift()?.length ?? 0;
    head = last.position;
    for (const wake of waiting) wake();
    return events.length === BATCH;
  }

  return {
    ends: () => store.readEnds(executor),
    watch() {
      watchers++;
      if (!isStarted) rounds.start();
      isStarted = true;
      let isWatching = true;
      return () => {
        if (isWatching) watchers--;
        isWatching = false;
        // Without watchers, the tail is not updated and must not be used for reading pages.
        if (watchers === 0) forget();
      };
    },
    async read(after) {
      const oldest = recent[0]?.[0]?.position;
      if (oldest === undefined || after + 1 < oldest) return store.readLog(executor, { after, limit: BATCH });
      const next = recent.find((list) => (list.at(-1)?.position ?? 0) > after) ?? [];
      const first = next[0]?.position ?? 0;
      return first > after ? next : next.slice(after + 1 - first);
    },
    async wait(after, { ms, signal }) {
      if ((head !== undefined && head > after) || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.add(done);
        signal.addEventListener('abort', done);
      });
    },
    wake: () => {
      if (watchers > 0 && isStarted) rounds.wake();
    },
    stop: () => rounds.stop(),
  };
}
