// The refusal of a name that another object has.
import { AppError } from '../../kernel/errors.ts';
import { isUniqueViolation } from '../database/database-errors.ts';
import type { NamedFacts } from './named-objects.ts';

/**
 * Does the work, and refuses with `already_exists` when it meets a name that is taken. The unique constraint decides,
 * not a look before: two callers may choose the same name at once.
 */
export async function refusingTaken<Result>(
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
