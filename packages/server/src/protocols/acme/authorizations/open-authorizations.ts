// Authorizations that this node placed or showed a moment ago and that were pending then. A response to one of their
// challenges needs no look-up: what never changes is here, and the statement that records the verdict checks the rest.
import type { AccountCall } from '../requests/call.ts';
import { createRecent } from '../requests/recent.ts';
import type { AuthorizationView } from './store.ts';

export type OpenAuthorizations = ReturnType<typeof createOpenAuthorizations>;

export function createOpenAuthorizations() {
  const recent = createRecent<AuthorizationView>();
  return {
    /** Keeps it if nobody has responded to it yet. */
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
