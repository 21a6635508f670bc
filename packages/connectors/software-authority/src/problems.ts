// Collects the problems of a request, so that it is refused once with all of them; and turns errors of the PKI package
// about the caller's input into problems.
import { rejected } from '@signetry/connector-sdk';
import { isPkiError } from '@signetry/pki';

/** Maximum number of problems in one answer. */
const MAX_PROBLEMS = 20;

export interface Problems {
  add(problem: string): void;
  /** Runs `read`; its failure becomes a problem that begins with `what`. */
  attempt<T>(what: string, read: () => T): T | undefined;
  /** Refuses when anything was added. */
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

/** Reads what a caller sent, or refuses it. */
export function readOrReject<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}

/** Like `readOrReject`, for asynchronous reading. */
export async function readOrRejectAsync<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${what}: ${error.message}`);
    throw error;
  }
}
