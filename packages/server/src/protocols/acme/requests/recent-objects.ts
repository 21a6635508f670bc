// An account's objects that this node recently used, so that a subsequent request does not need to read them. Their
// number is bounded; everything else is in the database.
import { LRUCache } from 'lru-cache';
import type { AccountCall } from './call.ts';

const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 2_000;

export type RecentObjects<Value> = ReturnType<typeof createRecentObjects<Value>>;

export function createRecentObjects<Value>() {
  const kept = new LRUCache<string, { readonly accountUuid: string; readonly value: Value }>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
  });
  return {
    remember({ account }: AccountCall, uuid: string, value: Value): void {
      kept.set(uuid, { accountUuid: account.uuid, value });
    },

    /**
     * Removes and returns one of the account's objects; subsequent callers read its current state from the database.
     */
    take({ account }: AccountCall, uuid: string): Value | undefined {
      const found = kept.get(uuid);
      if (!found || found.accountUuid !== account.uuid) return undefined;
      kept.delete(uuid);
      return found.value;
    },
  };
}
