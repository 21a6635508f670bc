// Keeps the event loop and the thread pool of the process free for others: long loops take turns, and work that takes
// seconds of a processor is done for few callers at a time.
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { unavailable } from '@signetry/connector-sdk';

/** Longest time for which a loop keeps the event loop. */
const TURN_MS = 5;

/** Carries out `work` for each item in order, and lets others have a turn in between. */
export async function eachInTurn<Item, Result>(
  items: readonly Item[],
  { signal, work }: { readonly signal: AbortSignal; work(item: Item): Result | Promise<Result> },
): Promise<Result[]> {
  const results: Result[] = [];
  let began = performance.now();
  for (const item of items) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate();
      began = performance.now();
    }
    signal.throwIfAborted();
    const result = work(item);
    results.push(result instanceof Promise ? await result : result);
  }
  return results;
}

/** Half of the four threads that Node has for this, files and names, and not more than there are processors. */
const SLOW_AT_A_TIME = Math.min(2, availableParallelism());
/** More than this many waiting would wait for longer than a caller does. */
const MAX_WAITING = 32;

/** Runs work that takes tenths of a second and more, few at a time. Refuses (503) when too many wait. */
export function createSlowLane(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return async (work) => {
    if (running >= SLOW_AT_A_TIME) {
      if (waiting.length >= MAX_WAITING)
        throw unavailable('Too many keys are being generated, slow signatures made or activation codes checked. Wait.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

export type SlowLane = ReturnType<typeof createSlowLane>;
