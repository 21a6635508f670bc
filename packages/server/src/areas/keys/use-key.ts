// Use of a key. The platform checks that the key is usable before it calls the provider, and again when it records the
// use, so that no result is returned from a key that was disabled in the meantime. Concurrent uses are batched into
// shared statements, so a key with many concurrent users is checked once.
import { createBatcher } from '@signetry/connector-sdk';
import { isAllowed, type Actor, type RequestContext } from '../../kernel/actor.ts';
import { AppError, requireFound, isAppError, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { keyUses, problemOfUse, type KeyUse } from './key-state.ts';
import { occasionOf } from './occasion.ts';
import { eventRow, insertEvents } from './store-events.ts';
import { findForUse, recordUses, type UsedItemRow, type UseRecord } from './store-use.ts';

/** Item referenced by a request. The token and the profile in its path must match those of the key. */
export interface UsedKeyPath {
  readonly uuid: string;
  readonly keyItemUuid: string;
  readonly tokenInstanceUuid?: string;
  readonly tokenProfileUuid?: string;
}

export interface KeyUseParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
}

/** Number of items processed in a single use, for the history. */
export interface UseFacts {
  readonly use: KeyUse;
  readonly items: number;
  /** Message of a successful use in the history. */
  readonly note?: string;
}

const WHAT = 'Key item of this key, token and token profile';

export type KeyUser = ReturnType<typeof createKeyUser>;

export function createKeyUser({ platform, audit }: KeyUseParts) {
  const { database } = platform;

  const { scheduleFlush } = database.hot;
  const findItem = createBatcher({
    scheduleFlush,
    write: (itemUuids: readonly string[]) => findForUse(database.hot, itemUuids),
  });
  const recordUse = createBatcher({
    scheduleFlush,
    write: (uses: readonly UseRecord[]) => recordUses(database.hot, uses),
  });

  /** Returns the item if it can be used; otherwise rejects with a reason. */
  async function requireUsable(path: UsedKeyPath, use: KeyUse): Promise<UsedItemRow> {
    const item = await find(path);
    const problem = item.profile_enabled
      ? problemOfUse(item, use)
      : `Token profile ${item.profile_name} is disabled; enable it first.`;
    if (problem !== undefined) throw rejected(problem);
    return item;
  }

  async function find({ keyItemUuid, uuid, ...path }: UsedKeyPath): Promise<UsedItemRow> {
    const item = await findItem(keyItemUuid);
    const isElsewhere =
      uuid.toLowerCase() !== item?.key_uuid ||
      (path.tokenInstanceUuid ?? item?.token_uuid)?.toLowerCase() !== item?.token_uuid ||
      (path.tokenProfileUuid ?? item?.profile_uuid)?.toLowerCase() !== item?.profile_uuid;
    return requireFound(isElsewhere ? undefined : item, WHAT, keyItemUuid);
  }

  /** As `find`, but the path can name the token in place of the token profile, as the published UI does. */
  async function findForAttributes({ tokenProfileUuid, ...path }: UsedKeyPath, actor: Actor): Promise<UsedItemRow> {
    const isTokenNamed = tokenProfileUuid?.toLowerCase() === path.tokenInstanceUuid?.toLowerCase();
    const item = await find(isTokenNamed ? path : { ...path, tokenProfileUuid });
    const isVisible = isAllowed(actor.permissions, 'tokenProfiles', 'detail', [item.profile_uuid]);
    return requireFound(isVisible ? item : undefined, WHAT, path.keyItemUuid);
  }

  /** Performs an operation with a key and records it. If it cannot be recorded, its result is discarded. */
  async function performRecorded<Result>(
    item: UsedItemRow,
    { use, items, note = '' }: UseFacts,
    { context, work }: { readonly context: RequestContext; readonly work: () => Promise<Result> },
  ): Promise<Result> {
    const occasion = occasionOf(platform, context);
    const { event } = keyUses[use];
    const entry = { itemUuid: item.uuid, event, additional: { items } };
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      const message = isAppError(error) ? error.message : 'Internal error';
      await insertEvents(database.executor, [{ ...entry, status: 'FAILED', message }], occasion);
      throw error;
    }
    const objects = [{ uuid: item.key_uuid, name: item.key_name }];
    const wasUsable = await recordUse({
      event: eventRow({ ...entry, status: 'SUCCESS', message: note }, occasion),
      audit: isOwn(context) ? audit.record(context, { objects, data: { item: item.uuid, items } }) : undefined,
    });
    if (!wasUsable)
      throw new AppError('invalid_state', {
        what: 'Key',
        name: item.name,
        state: 'no longer usable',
        needed: 'an active and enabled key',
      });
    return result;
  }

  return { usable: requireUsable, findForAttributes, during: performRecorded };
}

/**
 * If a key is used as part of a different operation, such as issuance, the use is recorded only in the key history; the
 * audit log contains the operation itself.
 */
const isOwn = ({ audit }: RequestContext): boolean => audit?.resource === 'keys';
