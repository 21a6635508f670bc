// Rejects a name that another object already has.
import { AppError } from '../../kernel/errors.ts';
import { isUniqueViolation } from '../database/database-errors.ts';
import type { NamedFacts } from './named-objects.ts';

/**
 * Does the work; throws `already_exists` if the name is taken. The unique constraint decides, not a prior check: two
 * callers can choose the same name simultaneously.
 */
export async function rejectTakenName<Result>(
  { what, table }: NamedFacts,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, `${table}_name_key`))
      throw new AppError('already_exists', { what, name }, { cause: error });
    throw error;
  }
}
