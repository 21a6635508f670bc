// Parses large JSON bodies in a thread, one after the other: sixteen megabytes hold the event loop for a tenth of a
// second, however few values they hold, and JSON.parse cannot be interrupted.
import { createWorkerPool } from '../threads/worker-pool.ts';

/** Smaller bodies take a few milliseconds, less than the transfer to a thread. */
export const OFF_LOOP_FROM_BYTES = 1024 * 1024;
/** Bodies that wait in memory, beside the one that is parsed. */
const MAX_WAITING = 7;

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly values: number;
}

/** Like `parseJsonBody`, with the same refusals. */
export function createOffLoopParser(): (request: ParseRequest) => Promise<unknown> {
  const thread = createWorkerPool<ParseRequest, unknown>({
    file: new URL('./parse-off-loop-thread.ts', import.meta.url),
    what: 'large bodies',
    maxWorkers: 1,
    maxWaiting: MAX_WAITING,
  });
  return (request) => thread.run(request);
}
