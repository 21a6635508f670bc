// A change whose record cannot be written is not made. The caller may try again when the database works again.
import { AppError } from '../../kernel/errors.ts';
import { findOutage, sqlState } from '../../platform/database/database-errors.ts';

/** For a statement that writes nothing but records. */
export const unrecorded = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    { reason: 'the change could not be recorded in the audit log, so it was not made' },
    { cause },
  );

/**
 * An SQLSTATE that tells nothing about the change itself. What violated constraints (23) and conflicts with others
 * (40) mean is known to callers.
 */
const NOT_OF_THE_CHANGE = /^(?!23|40)[0-9A-Z]{5}$/;

/** For a statement that writes a change together with its record. */
export async function withRecord<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    const isOutage = findOutage(cause) !== undefined;
    throw !isOutage && NOT_OF_THE_CHANGE.test(sqlState(cause) ?? '') ? unrecorded(cause) : cause;
  }
}
