// Parses large JSON bodies in a thread of its own, one after the other: sixteen megabytes hold the event loop for a tenth of a
// second, however few values they hold, and JSON.parse cannot be interrupted.
import { Worker } from 'node:worker_threads';
import { AppError } from '../../kernel/errors.ts';

/** What is smaller takes a few milliseconds, less than handing it over. */
export const OFF_LOOP_FROM_BYTES = 1024 * 1024;
/** A body of 16 MiB is there as octets, as text and as values; the thread needs no more than that. */
const MEMORY_LIMIT_MB = 256;
/** Bodies that wait here for their turn, in memory. */
const WAITING_LIMIT = 8;

export interface ParseRequest {
  readonly bytes: Uint8Array;
  readonly values: number;
}

/** A refusal travels as its text: errors of ours lose their class between threads. */
export type ParseAnswer = { readonly value: unknown } | { readonly problem: string };

/** Answers the value of a body like `parseJsonBody`, and refuses it alike. */
export function createOffLoopParser(): (request: ParseRequest) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (request) => {
    if (waiting === WAITING_LIMIT) throw new AppError('unavailable', { reason: 'too many large bodies came at once' });
    waiting += 1;
    const parsed = last.then(() => parseInThread(request)).finally(() => (waiting -= 1));
    last = parsed.catch(() => undefined); // the caller is told
    return parsed;
  };
}

function parseInThread(request: ParseRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./parse-off-loop.thread.ts', import.meta.url), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    thread.once('message', (answer: ParseAnswer) => {
      if ('problem' in answer) reject(new AppError('malformed_request', { problem: answer.problem }));
      else resolve(answer.value);
    });
    thread.once('error', reject);
    // After an answer this changes nothing.
    thread.once('exit', () => reject(new AppError('unavailable', { reason: 'the body could not be read' })));
  });
}
