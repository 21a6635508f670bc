// Work with an end. Unlike a signal of `AbortSignal.timeout`, nothing is left of it when the work is done before: a
// connector that sends hundreds of messages in a second would keep thousands of timers.

export interface Deadline {
  /** Fires with the signal of the caller, or when the time is up. */
  readonly signal: AbortSignal;
  /** Is the time up, or the caller gone? */
  isOver(): boolean;
}

export async function withDeadline<Result>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => controller.abort(new Error('The caller is gone.'));
  const timer = setTimeout(() => controller.abort(new Error('The time is up.')), timeoutMs);
  caller.addEventListener('abort', end, { once: true });
  if (caller.aborted) end();
  try {
    return await work({ signal, isOver: () => signal.aborted });
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', end);
  }
}
