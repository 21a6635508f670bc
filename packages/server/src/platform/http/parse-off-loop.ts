// Parses large JSON bodies in a thread, one at a time: a 16 MB body blocks the event loop for 100 ms, however few
// values it contains, and JSON.parse cannot be interrupted.
import { createWorkerPool } from '../threads/worker-pool.ts';

/** Smaller bodies are parsed in a few milliseconds, which is less time than the transfer to a thread takes. */
export const OFF_LOOP_FROM_BYTES = 1024 * 1024;
/** Maximum number of bodies that wait in memory, in addition to the one being parsed. */
const MAX_WAITING = 7;

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly values: number;
}

/** Returns a parser that works like `parseJsonBody` and throws the same errors. */
export function createOffLoopParser(): (request: ParseRequest) => Promise<unknown> {
  const thread = createWorkerPool<ParseRequest, unknown>({
    file: new URL('./parse-off-loop-thread.ts', import.meta.url),
    what: 'large bodies',
    maxWorkers: 1,
    maxWaiting: MAX_WAITING,
  });
  return (request) => thread.run(request);
}
