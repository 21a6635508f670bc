// The thread of `parse-off-loop.ts`: reads one body, answers, ends.
import { parentPort, workerData } from 'node:worker_threads';
import { isAppError } from '../../kernel/errors.ts';
import { parseJsonBody } from './json-body.ts';
import type { ParseAnswer, ParseRequest } from './parse-off-loop.ts';

const { bytes, values } = workerData as ParseRequest; // handed over by the file above

function answer(): ParseAnswer {
  try {
    return { value: parseJsonBody(bytes, { values }) };
  } catch (error) {
    if (isAppError(error, 'malformed_request') && 'problem' in error.parameters)
      return { problem: error.parameters.problem };
    throw error;
  }
}

parentPort?.postMessage(answer()); // oxlint-disable-line unicorn/require-post-message-target-origin -- between threads of one process there are no origins
