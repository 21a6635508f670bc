// The end of the log, read once per node for all who watch it. Recent events stay in memory while anybody watches; who
// is further behind reads them from the database, at their own speed.
import type { Database } from '../database/database.ts';
import { createRounds } from '../jobs/rounds.ts';
import type { Logger } from '../logging/logger.ts';
import * as store from './store.ts';

export interface LogTail {
  /** The first and last position that are kept. */
  ends(): Promise<{ readonly head: number; readonly oldest: number }>;
  /** Keeps the end of the log at hand until the returned function is called. */
  watch(): () => void;
  /**
   * Events after a position, in their order: not all, but some where there are any. Who is up to date is given the same
   * list as the others.
   */
  read(after: number): Promise<readonly store.PublishedEvent[]>;
  /** Resolves when events after the position have come, the time is over, or the signal fires. */
  wait(after: number, until: { readonly ms: number; readonly signal: AbortSignal }): Promise<void>;
  /** There are new events. */
  wake(): void;
  stop(): Promise<void>;
}

const BATCH = 1_000;
const KEPT = 5_000;
/** Other nodes place events too. */
const POLL_MS = 200;

interface TailParts {
  readonly database: Database;
  readonly log: Logger;
  /** Has the outbox looked at: not everybody who appends an event wakes it. */
  readonly place: () => void;
}

export function createLogTail({ database: { executor }, log, place }: TailParts): LogTail {
  let watchers = 0;
  /** As they were read: without gaps, up to `head`. */
  let recent: (readonly store.PublishedEvent[])[] = [];
  let kept = 0;
  let head: number | undefined;
  const waiting = new Set<() => void>();
  const rounds = createRounds({ log, what: 'reading of the end of the event log', periodMs: POLL_MS, run: readOn });
  let isStarted = false;

  function forget(): void {
    recent = [];
    kept = 0;
    head = undefined;
  }

  async function readOn(): Promise<boolean> {
    if (watchers === 0) return false;
    place();
    head ??= (await store.readEnds(executor)).head;
    const events = await store.readLog(executor, { after: head, limit: BATCH });
    const last = events.at(-1);
    // Whoever watched may be gone by now.
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
        // What nobody keeps up to date is of no use to those who read pages.
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
