// Runs a plan from a given target number, with limited concurrency. Each result is reported as soon as its target
// finishes, with the target's number.
import { setImmediate } from 'node:timers/promises';
import type { ScanPlan } from '../targets/plan.ts';
import { scanTarget, type ScanOptions, type ScanResult } from './scan-target.ts';

export interface RunFacts {
  readonly plan: ScanPlan;
  /** Number of the first target to scan. */
  readonly from?: number;
  /** Number of targets scanned concurrently. */
  readonly parallel: number;
  readonly options: ScanOptions;
  /** Awaited before a target is started, e.g. until earlier results are stored. */
  readonly room?: (number: number) => Promise<void> | undefined;
  readonly onResult: (number: number, result: ScanResult) => void;
}

/** Maximum time during which targets are started in one turn of the event loop. */
const TURN_MS = 5;
/** Maximum number of targets started in one turn. Their connections are opened later, and some may fail immediately. */
const MOST_IN_TURN = 16;

/** Waits for a promise, or until the signal aborts. */
async function untilAborted(promise: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (!promise) return;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/**
 * Returns when every target has a result. Throws any error thrown by `room` or `onResult`, or the signal's abort
 * reason.
 */
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
      // Many slots can become free together, e.g. after timeouts, so waiting for a slot does not guarantee a new turn
      // of the event loop.
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
