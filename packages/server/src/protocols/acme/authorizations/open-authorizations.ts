// Authorizations that this node recently created or returned while they were pending. A response to one of their
// challenges needs no lookup: the immutable data is stored here, and the statement that records the result checks the
// rest.
import type { AccountCall } from '../requests/call.ts';
import { createRecentObjects } from '../requests/recent-objects.ts';
import type { AuthorizationView } from './store.ts';

export type OpenAuthorizations = ReturnType<typeof createOpenAuthorizations>;

export function createOpenAuthorizations() {
  const recent = createRecentObjects<AuthorizationView>();
  return {
    /** Stores the authorization if the client has not yet responded to any of its challenges. */
    remember(call: AccountCall, authorization: AuthorizationView): void {
      if (authorization.status !== 'pending' || authorization.challenge_type !== null) return;
      recent.remember(call, authorization.uuid, authorization);
    },

    take(call: AccountCall, uuid: string, now: Date): AuthorizationView | undefined {
      const found = recent.take(call, uuid);
      return found && found.expires_at > now ? found : undefined;
    },
  };
}
