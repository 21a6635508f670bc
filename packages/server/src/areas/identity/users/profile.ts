// The caller's own user, with the resources that the user can list.
import type { UserProfileDetailDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { allowedListings } from '../permissions/authorize.ts';
import type { UserService } from './service.ts';

export type ProfileService = ReturnType<typeof createProfileService>;

export const createProfileService =
  (parts: { readonly users: UserService }) =>
  async (context: RequestContext): Promise<UserProfileDetailDto> => {
    const { actor } = context;
    if (actor.userUuid === null) throw new AppError('unauthenticated', { reason: 'only users have a profile' });
    const user = await parts.users.detail(actor.userUuid, context);
    return { ...user, permissions: { allowedListings: allowedListings(actor.permissions) } };
  };
