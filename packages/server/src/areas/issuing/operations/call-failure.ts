// A failed call to an authority as the error of the operation, and when the call is made again.
import { AppError, isAppError } from '../../../kernel/errors.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 10 * 60_000;

export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), LONGEST_RETRY_MS);

/** What callers and histories are told; the cause of an unexpected error is not among it. */
export const errorOf = (cause: unknown): AppError =>
  isAppError(cause)
    ? cause
    : new AppError('unavailable', { reason: 'an internal error interrupted the work' }, { cause });

/** The same refusal, naming the certificate object that exists although the operation failed. */
export const withObject = (error: AppError, uuid: string): AppError =>
  new AppError(error.code, error.parameters, { cause: error, objectUuid: uuid });
