// Key destruction: keys are first withdrawn from use, then destroyed by their provider, then recorded as destroyed. A
// withdrawn key signs nothing, and no response reports a key as destroyed before its provider has destroyed it.
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { isOutcomeUnknown } from '../connectors/index.ts';
import { replaceMembershipsOfMany } from '../groups/index.ts';
import type { Tokens } from '../tokens/index.ts';
import type { KeyAssociations } from './associations.ts';
import { changedKeys, chooseItems, type ChosenItems } from './change-items.ts';
import { canBeDestroyed, isDestroyed, stateWhenDestroyed, stateTexts } from './key-state.ts';
import { occasionOf } from './occasion.ts';
import { destroyAtProvider } from './provider-keys.ts';
import { insertEvents, type KeyHistoryEntry } from './store-events.ts';
import { findEmpty, keys, lockItems, removeItems, updateItem } from './store.ts';
import type { KeyItemRow, KeyRow } from './tables.ts';

export interface KeyDestructionParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly tokens: Tokens;
  readonly associations: KeyAssociations;
}

/** `destroy` keeps the record of the key, `delete` removes it. */
export type DestructionKind = 'destroy' | 'delete';

export async function destroyItems(
  parts: KeyDestructionParts,
  chosen: ChosenItems,
  { ending, context }: { readonly ending: DestructionKind; readonly context: RequestContext },
): Promise<void> {
  const { groups, unknown } = await chooseItems(parts.platform.database.executor, chosen);
  const problems = [...unknown];
  for (const { itemUuids, isWhole } of groups) {
    const { taken, refusals } = await deactivateItems(parts, itemUuids, { ending, context });
    const failures = await end(parts, taken, { ending, context });
    if (!isWhole || taken.length === 0) problems.push(...refusals);
    problems.push(...failures);
  }
  // If a key pair is in use, both halves are rejected with the same message.
  if (problems.length > 0) throw rejected(...new Set(problems));
}

interface DestructionTask {
  readonly ending: DestructionKind;
  readonly context: RequestContext;
}

/** Item that is being destroyed, in its previous state. */
interface ItemToDestroy {
  readonly item: KeyItemRow;
  readonly key: KeyRow;
}

function deactivateItems(
  { platform, associations }: KeyDestructionParts,
  itemUuids: readonly string[],
  { ending }: DestructionTask,
): Promise<{ readonly taken: readonly ItemToDestroy[]; readonly refusals: readonly string[] }> {
  return platform.database.transaction(async (tx) => {
    const items = await lockItems(tx, itemUuids);
    const byUuid = new Map((await changedKeys(tx, items)).map((key) => [key.uuid, key]));
    const [taken, refusals]: [ItemToDestroy[], string[]] = [[], []];
    for (const item of items) {
      const key = byUuid.get(item.key_uuid);
      if (!key) continue;
      const refusal = await problemOfDestruction(tx, { item, key, ending, associations });
      if (refusal === undefined) taken.push({ item, key });
      else refusals.push(refusal);
    }
    const now = platform.clock.now();
    for (const { item } of taken)
      if (item.state === 'active') await updateItem(tx, item.uuid, { state: 'deactivated', updated_at: now });
    return { taken, refusals };
  });
}

async function problemOfDestruction(
  tx: Executor,
  facts: ItemToDestroy & { readonly ending: DestructionKind; readonly associations: KeyAssociations },
): Promise<string | undefined> {
  const { item, key, ending, associations } = facts;
  if (ending === 'destroy' && !canBeDestroyed(item))
    return `The key ${item.name} is already ${stateTexts[item.state]}.`;
  if (isDestroyed(item)) return undefined;
  const needed = await associations.whyNeeded(tx, key.uuid);
  return needed && `The key ${key.name} is in use: ${needed}`;
}

/** Destroys items one after the other at the provider; returns the errors. */
async function end(
  parts: KeyDestructionParts,
  taken: readonly ItemToDestroy[],
  task: DestructionTask,
): Promise<string[]> {
  const problems: string[] = [];
  const done: ItemToDestroy[] = [];
  for (const each of taken) {
    try {
      await destroyAtToken(parts, each, task);
      done.push(each);
    } catch (error) {
      if (!isAppError(error)) throw error;
      problems.push(await restoreAfterFailure(parts, each, { error, task }));
    }
  }
  parts.platform.faultPoint('key.afterDestruction');
  if (done.length > 0) await record(parts, done, task);
  return problems;
}

async function destroyAtToken(
  { tokens }: KeyDestructionParts,
  { item, key }: ItemToDestroy,
  { context }: DestructionTask,
): Promise<void> {
  // The public half of a pair is also destroyed at the provider. Without a token, there is nothing left to destroy.
  if (key.token_uuid === null || item.reference === null || isDestroyed(item)) return;
  await destroyAtProvider(await tokens.reach(key.token_uuid), item.reference, context.signal);
}

/**
 * Returns a key to its previous state if it was certainly not destroyed. A key that may have been destroyed stays out
 * of use.
 */
async function restoreAfterFailure(
  { platform }: KeyDestructionParts,
  { item }: ItemToDestroy,
  { error, task }: { readonly error: Error; readonly task: DestructionTask },
): Promise<string> {
  const isUnknown = isOutcomeUnknown(error);
  const outcome = isUnknown ? ' It may have been destroyed. It is out of use until you try again.' : '';
  const message = `Cannot destroy key ${item.name}: ${error.message}${outcome}`;
  await platform.database.transaction(async (tx) => {
    // The item may have been deleted in the meantime.
    if ((await lockItems(tx, [item.uuid])).length === 0) return;
    if (!isUnknown) await updateItem(tx, item.uuid, { state: item.state, updated_at: platform.clock.now() });
    const entry = { itemUuid: item.uuid, event: 'Destroy Key', status: 'FAILED', message } as const;
    await insertEvents(tx, [entry], occasionOf(platform, task.context));
  });
  return message;
}

const record = (
  { platform, audit, attributes }: KeyDestructionParts,
  done: readonly ItemToDestroy[],
  { ending, context }: DestructionTask,
): Promise<void> =>
  platform.database.transaction(async (tx) => {
    const owners = [...new Map(done.map(({ key }) => [key.uuid, key])).values()];
    // Some keys may have been deleted in the meantime.
    const uuids = (
      await lockItems(
        tx,
        done.map(({ item }) => item.uuid),
      )
    ).map(({ uuid }) => uuid);
    const left = done.filter(({ item }) => uuids.includes(item.uuid));
    if (ending === 'delete') {
      await attributes.removeObjects(tx, 'keys', uuids);
      await removeItems(tx, uuids);
      const empty = await findEmpty(
        tx,
        owners.map(({ uuid }) => uuid),
      );
      await attributes.removeObjects(tx, 'keys', empty);
      await replaceMembershipsOfMany(tx, 'keys', empty, []);
      await keys.removeMany(tx, empty);
    } else {
      const now = platform.clock.now();
      for (const { item } of left)
        await updateItem(tx, item.uuid, {
          state: stateWhenDestroyed(item),
          enabled: false,
          key_data: null,
          updated_at: now,
        });
      await insertEvents(tx, left.map(destroyed), occasionOf(platform, context));
    }
    await audit.append(tx, context, { objects: owners });
  });

const destroyed = ({ item }: ItemToDestroy): KeyHistoryEntry => ({
  itemUuid: item.uuid,
  event: 'Destroy Key',
  status: 'SUCCESS',
  message: 'Destroyed',
});
