// Operations that are closed to tokens with a scope, regardless of the scope: creating or changing credentials of their
// user, which carry all of the user's permissions.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';

export function assertWholeRights({ actor }: RequestContext): void {
  if (!actor.hasScope) return;
  throw new AppError('credential_not_accepted', {
    what: 'A change to your own account or credentials',
    accepted: 'a credential without a scope',
  });
}
