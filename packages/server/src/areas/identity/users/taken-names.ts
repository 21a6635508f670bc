// Values that must be unique among users: username and certificate.
import { AppError } from '../../../kernel/errors.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';

/**
 * Relies on the unique keys instead of checking in advance, because two callers may choose the same value concurrently.
 */
export async function rejectTakenNames<Result>(
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
        { problems: ['The certificate is already assigned to a different user.'] },
        { cause: error },
      );
    }
    throw error;
  }
}
