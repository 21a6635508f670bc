// Collects the problems in a request, so that it is rejected once with a list of all of them. PKI package errors in
// caller input are converted to problems.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';

/** Maximum number of problems in one response. */
const MAX_PROBLEMS = 20;

export interface Problems {
  add(problem: string): void;
  /** Runs `read` and adds any error as a problem that starts with `what`. */
  attempt<T>(what: string, read: () => T): T | undefined;
  /** Rejects the request if any problems were added. */
  refuse(): void;
  readonly list: readonly string[];
}

export function gatherProblems(): Problems {
  const list: string[] = [];
  const add = (problem: string): void => void list.push(problem);
  return {
    list,
    add,
    attempt: (what, read) => {
      try {
        return read();
      } catch (error) {
        if (!isPkiError(error)) throw error;
        add(`${what}: ${error.message}`);
        return undefined;
      }
    },
    refuse: () => {
      if (list.length > 0) throw rejected(...list.slice(0, MAX_PROBLEMS));
    },
  };
}

/** Parses caller input and rejects it if it is malformed. */
export function readOrReject<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}

/** Like `readOrReject`, for asynchronous functions. */
export async function readOrRejectAsync<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}
