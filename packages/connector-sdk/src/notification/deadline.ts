// Work with a deadline. Unlike with `AbortSignal.timeout`, the timer is cleared when the work completes early: a
// connector that sends hundreds of messages per second would otherwise hold thousands of timers.

export interface Deadline {
  /** Aborted when the caller aborts or the time is up. */
  readonly signal: AbortSignal;
  /** Returns whether the time is up or the caller has aborted. */
  isOver(): boolean;
}

export async function withDeadline<Result>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => controller.abort(new Error('The caller has disconnected.'));
  const timer = setTimeout(() => controller.abort(new Error('The time limit was exceeded.')), timeoutMs);
  caller.addEventListener('abort', end, { once: true });
  if (caller.aborted) end();
  try {
    return await work({ signal, isOver: () => signal.aborted });
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', end);
  }
}
