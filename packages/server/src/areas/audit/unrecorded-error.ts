// A change that cannot be recorded is not applied. The caller can retry when the database is available again.
import { AppError } from '../../kernel/errors.ts';
import { findOutage, sqlState } from '../../platform/database/database-errors.ts';

/** Returns the error for statements that write only records. */
export const unrecordedError = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    { reason: 'the change could not be recorded in the audit log, so it was not applied' },
    { cause },
  );

/**
 * An SQLSTATE that is unrelated to the change itself. Callers handle constraint violations (23) and conflicts with
 * other transactions (40).
 */
const NOT_OF_THE_CHANGE = /^(?!23|40)[0-9A-Z]{5}$/;

/** Runs a statement that writes a change together with its record. */
export async function withRecord<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    const isOutage = findOutage(cause) !== undefined;
    throw !isOutage && NOT_OF_THE_CHANGE.test(sqlState(cause) ?? '') ? unrecordedError(cause) : cause;
  }
}
