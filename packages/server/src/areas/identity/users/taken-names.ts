// What only one user can have: a username and a certificate.
import { AppError } from '../../../kernel/errors.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';

/** The unique keys decide, not a look before: two callers may choose the same at once. */
export async function refusingTaken<Result>(
  username: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'platform_user_username_key')) {
      throw new AppError('already_exists', { what: 'User', name: username ?? '' }, { cause: error });
    }
    if (
      isUniqueViolation(error, 'platform_user_certificate_uuid_key') ||
      isUniqueViolation(error, 'platform_user_certificate_fingerprint_key')
    ) {
      throw new AppError(
        'rejected_by_rules',
        { problems: ['The certificate belongs to another user already.'] },
        { cause: error },
      );
    }
    throw error;
  }
}
