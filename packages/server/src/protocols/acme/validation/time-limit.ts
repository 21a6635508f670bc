// Bounds every wait with one signal per attempt, which is aborted when the attempt's time limit is reached or its
// caller gives up.

/** Time limit of an attempt, from the first lookup to the verdict. */
export const VALIDATION_LIMIT_MS = 10_000;

export interface TimeLimit {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs work under a separate signal. The work stops when the signal is aborted, because everything that waits in it
 * observes the signal.
 */
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

/** Thrown by a wait whose signal was aborted. */
export class TimeLimitExceeded extends Error {}

/** Stops waiting when the signal is aborted. The promise may settle later; its outcome is ignored. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new TimeLimitExceeded());
    const settle = (): void => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(settle);
  });
}
