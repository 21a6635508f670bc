// Operations that reject scoped tokens, regardless of the scope: creating or changing the user's credentials, which
// carry all of the user's permissions.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';

export function assertUnscoped({ actor }: RequestContext): void {
  if (!actor.hasScope) return;
  throw new AppError('credential_not_accepted', {
    what: 'A change to your own account or credentials',
    accepted: 'a credential without a scope',
  });
}
