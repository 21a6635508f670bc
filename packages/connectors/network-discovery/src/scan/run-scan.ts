// Carries out a plan from a number on, with as many targets at once as it may. Results come in whatever order targets
// finish, each with its number.
import { setImmediate } from 'node:timers/promises';
import type { ScanPlan } from '../targets/plan.ts';
import { scanTarget, type ScanOptions, type ScanResult } from './scan-target.ts';

export interface RunFacts {
  readonly plan: ScanPlan;
  /** The first target that is scanned. */
  readonly from?: number;
  /** Targets at the same time. */
  readonly parallel: number;
  readonly options: ScanOptions;
  /** Is waited for before a target begins, e.g. until earlier results are stored. */
  readonly room?: (number: number) => Promise<void> | undefined;
  readonly onResult: (number: number, result: ScanResult) => void;
}

/** Longest time for which targets are begun in one turn of the event loop. */
const TURN_MS = 5;
/** Most targets that are begun in one go: their connections are opened after it, and refused at once where they are. */
const MOST_IN_TURN = 16;

/** Waits for a promise, but not longer than until the signal. */
async function untilAborted(promise: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (!promise) return;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Returns when every target has its result; throws what `room` or `onResult` throw, and the reason of the signal. */
export async function runScan({ plan, from = 0, parallel, options, room, onResult }: RunFacts): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const running = new Set<Promise<void>>();
  let freed = Promise.withResolvers<void>();
  const scan = async (number: number): Promise<void> => {
    try {
      onResult(number, await scanTarget(plan.at(number), { ...options, signal }));
    } catch (error) {
      failed.abort(error);
    }
  };
  let [began, begun] = [performance.now(), 0];
  try {
    for (let number = from; number < plan.total; number += 1) {
      await untilAborted(room?.(number), signal);
      while (running.size >= parallel) await freed.promise;
      signal.throwIfAborted();
      // Places become free many at a time, as time-outs do: waiting for one is not yet another turn.
      if (begun >= MOST_IN_TURN || performance.now() - began > TURN_MS) {
        await setImmediate();
        [began, begun] = [performance.now(), 0];
      }
      begun += 1;
      const work = scan(number).finally(() => {
        running.delete(work);
        freed.resolve();
        freed = Promise.withResolvers();
      });
      running.add(work);
    }
  } catch (error) {
    failed.abort(error);
    throw error;
  } finally {
    await Promise.all(running);
  }
  signal.throwIfAborted();
}
