// What a token with a scope must not do, whatever its scope: make or change credentials of its user, which have all of
// the user's rights.
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';

export function assertWholeRights({ actor }: RequestContext): void {
  if (!actor.hasScope) return;
  throw new AppError('credential_not_accepted', {
    what: 'A change of your own account and credentials',
    accepted: 'one without a scope',
  });
}
