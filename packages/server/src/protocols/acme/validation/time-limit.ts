// The bound of every wait: one signal for a whole attempt, aborted when its time is up or its caller gives up.

/** Time of one attempt, from the first look-up to the verdict. */
export const VALIDATION_LIMIT_MS = 10_000;

export interface TimeLimit {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Runs work under a signal of its own. The work ends by itself once that is aborted: every wait in it listens. */
export async function withinTimeLimit<T>(
  { limitMs, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, limitMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** A wait that ended with its signal. */
export class TimeIsUp extends Error {}

/** Stops waiting when the signal is aborted. What was waited for may end later; its outcome is ignored. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new TimeIsUp());
    const settle = (): void => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(settle);
  });
}
