// Converts a failed call to an authority into the error of the operation, and determines when the call is retried.
import { AppError, isAppError } from '../../../kernel/errors.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 10 * 60_000;

export const retryDelayMs = (attempts: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), LONGEST_RETRY_MS);

/** Returns the error for callers and histories, without the cause of an unexpected error. */
export const errorOf = (cause: unknown): AppError =>
  isAppError(cause)
    ? cause
    : new AppError('unavailable', { reason: 'an internal error interrupted the work' }, { cause });

/** Adds the certificate object to the error, because the object exists although the operation failed. */
export const withObject = (error: AppError, uuid: string): AppError =>
  new AppError(error.code, error.parameters, { cause: error, objectUuid: uuid });
