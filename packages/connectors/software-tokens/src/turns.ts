// Keeps the process's event loop and thread pool responsive: long loops yield, and the number of concurrent
// CPU-intensive operations is limited.
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { unavailable } from '@signetry/connector-sdk';

/** Maximum time that a loop blocks the event loop. */
const TURN_MS = 5;

/** Runs `work` for each item in order and yields to other work in between. */
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

/**
 * Half of the four threads that Node uses for this, for files and for name lookups, but not more than the number of
 * processors.
 */
const SLOW_AT_A_TIME = Math.min(2, availableParallelism());
/** With more waiting callers, the last ones would time out before their turn. */
const MAX_WAITING = 32;

/** Runs work that takes tenths of a second or more, a few at a time. Throws 503 if too many callers are waiting. */
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
        throw unavailable(
          'Too many key generations, slow signatures or activation code checks are in progress. Try again later.',
        );
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
