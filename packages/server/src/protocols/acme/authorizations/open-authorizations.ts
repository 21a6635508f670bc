// Authorizations that this node placed or showed a moment ago and that were pending then. A response to one of their
// challenges needs no look-up: what never changes is here, and the statement that records the verdict checks the rest.
// Bounded; whatever is not here is read from the database.
import { LRUCache } from 'lru-cache';
import type { AccountCall } from '../requests/call.ts';
import type { AuthorizationView } from './store.ts';

const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 2_000;

export type OpenAuthorizations = ReturnType<typeof createOpenAuthorizations>;

export function createOpenAuthorizations() {
  const kept = new LRUCache<string, { readonly accountUuid: string; readonly authorization: AuthorizationView }>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
  });
  return {
    /** Keeps it if nobody has responded to it yet. */
    remember({ account }: AccountCall, authorization: AuthorizationView): void {
      if (authorization.status !== 'pending' || authorization.challenge_type !== null) return;
      kept.set(authorization.uuid, { accountUuid: account.uuid, authorization });
    },

    /** Takes one of the account: whoever asks next reads what has become of it. */
    take({ account }: AccountCall, uuid: string, now: Date): AuthorizationView | undefined {
      const found = kept.get(uuid);
      if (!found || found.accountUuid !== account.uuid) return undefined;
      kept.delete(uuid);
      return found.authorization.expires_at > now ? found.authorization : undefined;
    },
  };
}
