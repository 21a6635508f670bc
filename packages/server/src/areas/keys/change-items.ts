// Changes to key items on the platform: enable, disable, assign usages, mark as compromised. A call changes items of a
// single key, whole keys, or individual items. Items to which the change does not apply are rejected without affecting
// the others.
import { keyUsageBit, type KeyCompromiseReason, type KeyEvent, type KeyUsage } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { usageMask } from '../tokens/index.ts';
import { canBeCompromised, possibleUsages, stateTexts } from './key-state.ts';
import { occasionOf } from './occasion.ts';
import type { KeyPath } from './reads.ts';
import { insertEvents, type KeyHistoryEntry } from './store-events.ts';
import { findItems, findItemsByUuid, keys, lockItems, updateItem } from './store.ts';
import type { KeyItemRow, KeyRow } from './tables.ts';

/** Items that a request selects. */
export type ChosenItems =
  /** Items of one key. If the list is empty, all items of the key to which the change applies. */
  | { readonly key: KeyPath; readonly items: readonly string[] }
  /** Whole keys. */
  | { readonly keys: readonly string[] }
  | { readonly items: readonly string[] };

/** Change of an item. */
export interface ItemChange {
  readonly event: KeyEvent;
  /** Returns why the item cannot be changed in this way, or undefined if it can. */
  readonly refusal: (item: KeyItemRow) => string | undefined;
  readonly changes: (item: KeyItemRow) => Partial<KeyItemRow>;
  readonly message: string;
  /** Whether rejections are also recorded in the item's history. */
  readonly recordsRefusals?: true;
}

export const enablementChange = (enabled: boolean): ItemChange => ({
  event: enabled ? 'Enable Key' : 'Disable Key',
  refusal: (item) =>
    item.enabled === enabled ? `The key ${item.name} is already ${enabled ? 'enabled' : 'disabled'}.` : undefined,
  changes: () => ({ enabled }),
  message: enabled ? 'Enabled' : 'Disabled',
});

export const usageChange = (usages: readonly KeyUsage[]): ItemChange => ({
  event: 'Update Key Usages',
  refusal: (item) => {
    const possible = possibleUsages(item);
    const wrong = usages.filter((usage) => !possible.includes(usage));
    if (wrong.length === 0) return undefined;
    return `The key ${item.name} cannot ${wrong.join(' or ')}: it is a ${item.type.toLowerCase()} key${item.algorithm === 'Unknown' ? '' : ` (${item.algorithm})`}.`;
  },
  changes: () => ({ usages: usageMask(usages) }),
  message: usages.length === 0 ? 'No usages' : `Usages: ${usages.join(', ')}`,
});

/** For a whole key. Each item receives the usages that it supports. */
export const possibleUsageChange = (usages: readonly KeyUsage[]): ItemChange => ({
  ...usageChange(usages),
  refusal: () => undefined,
  changes: (item) => ({
    usages: possibleUsages(item).reduce((mask, usage) => mask + (usages.includes(usage) ? keyUsageBit[usage] : 0), 0),
  }),
});

export const compromiseChange = (reason: KeyCompromiseReason): ItemChange => ({
  event: 'Compromised Key',
  refusal: (item) =>
    canBeCompromised(item)
      ? undefined
      : `The key ${item.name} is ${stateTexts[item.state]} and cannot be marked as compromised.`,
  changes: () => ({ state: 'compromised', reason }),
  message: `Compromised: ${reason}`,
  recordsRefusals: true,
});

export interface ItemChangeParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
}

export async function changeItems(
  { platform, audit }: ItemChangeParts,
  chosen: ChosenItems,
  { change, context }: { readonly change: ItemChange; readonly context: RequestContext },
): Promise<void> {
  const { database } = platform;
  const problems = await database.transaction(async (tx) => {
    const { groups, unknown } = await chooseItems(tx, chosen);
    const items = await lockItems(
      tx,
      groups.flatMap((group) => group.itemUuids),
    );
    const byUuid = new Map(items.map((item) => [item.uuid, item]));
    const verdicts = groups.map((group) => evaluateGroup(group, byUuid, change));
    const now = platform.clock.now();
    const fitting = verdicts.flatMap(({ fits }) => fits);
    for (const item of fitting) await updateItem(tx, item.uuid, { ...change.changes(item), updated_at: now });
    await insertEvents(tx, historyOf(verdicts, change), occasionOf(platform, context));
    if (fitting.length > 0) await audit.append(tx, context, { objects: await changedKeys(tx, fitting) });
    return [...unknown, ...verdicts.flatMap((verdict) => verdict.refusals)];
  });
  if (problems.length > 0) throw rejected(...problems);
}

/** Items that are evaluated together. For a whole key, it is sufficient if the change applies to some of them. */
interface ItemGroup {
  readonly itemUuids: readonly string[];
  readonly isWhole: boolean;
}

interface ChangeableItems {
  readonly fits: readonly KeyItemRow[];
  readonly refused: readonly (readonly [KeyItemRow, string])[];
  readonly refusals: readonly string[];
}

function evaluateGroup(
  { itemUuids, isWhole }: ItemGroup,
  byUuid: ReadonlyMap<string, KeyItemRow>,
  { refusal }: ItemChange,
): ChangeableItems {
  const judged = itemUuids.flatMap((uuid) => byUuid.get(uuid) ?? []).map((item) => [item, refusal(item)] as const);
  const fits = judged.flatMap(([item, problem]) => (problem === undefined ? [item] : []));
  const refused = judged.flatMap(([item, problem]) => (problem === undefined ? [] : [[item, problem] as const]));
  const counts = !isWhole || fits.length === 0;
  return { fits, refused: counts ? refused : [], refusals: counts ? refused.map(([, problem]) => problem) : [] };
}

function historyOf(
  verdicts: readonly ChangeableItems[],
  { event, message, recordsRefusals }: ItemChange,
): KeyHistoryEntry[] {
  const done = verdicts.flatMap(({ fits }) =>
    fits.map(({ uuid }): KeyHistoryEntry => ({ itemUuid: uuid, event, status: 'SUCCESS', message })),
  );
  if (!recordsRefusals) return done;
  const failed = verdicts.flatMap(({ refused }) =>
    refused.map(([{ uuid }, why]): KeyHistoryEntry => ({ itemUuid: uuid, event, status: 'FAILED', message: why })),
  );
  return [...done, ...failed];
}

export interface Choice {
  readonly groups: readonly ItemGroup[];
  /** Error messages for objects that do not exist. */
  readonly unknown: readonly string[];
}

/**
 * Returns the items that a request selects. A missing key is rejected immediately (404); if the request lists multiple
 * objects, missing ones are reported individually with the other errors.
 */
export async function chooseItems(executor: Executor, chosen: ChosenItems): Promise<Choice> {
  if ('key' in chosen) return { groups: [await itemsOfKey(executor, chosen)], unknown: [] };
  if ('keys' in chosen) {
    const wanted = [...new Set(chosen.keys)];
    const byKey = Map.groupBy(await findItems(executor, wanted), ({ key_uuid: uuid }) => uuid);
    const groups = [...byKey.values()].map((items) => ({ itemUuids: items.map(({ uuid }) => uuid), isWhole: true }));
    return {
      groups,
      unknown: wanted.filter((uuid) => !byKey.has(uuid)).map((uuid) => notFound(keys.what, uuid).message),
    };
  }
  const wanted = [...new Set(chosen.items)];
  const present = new Set((await findItemsByUuid(executor, wanted)).map(({ uuid }) => uuid));
  return {
    groups: [...present].map((uuid) => ({ itemUuids: [uuid], isWhole: false })),
    unknown: wanted.filter((uuid) => !present.has(uuid)).map((uuid) => notFound('Key item', uuid).message),
  };
}

async function itemsOfKey(
  executor: Executor,
  { key: { uuid, tokenInstanceUuid }, items }: Extract<ChosenItems, { key: KeyPath }>,
): Promise<ItemGroup> {
  const key = await keys.require(executor, uuid);
  const isElsewhere = tokenInstanceUuid !== undefined && key.token_uuid !== tokenInstanceUuid.toLowerCase();
  requireFound(isElsewhere ? undefined : key, keys.what, uuid);
  const present = (await findItems(executor, [uuid])).map((item) => item.uuid);
  const wanted = items.map((item) => item.toLowerCase());
  const missing = wanted.find((item) => !present.includes(item));
  if (missing !== undefined) throw notFound('Key item', missing);
  return wanted.length === 0 ? { itemUuids: present, isWhole: true } : { itemUuids: wanted, isWhole: false };
}

/** Returns the keys to name in the audit record. */
export const changedKeys = (tx: Executor, items: readonly KeyItemRow[]): Promise<KeyRow[]> =>
  keys.findMany(tx, [...new Set(items.map(({ key_uuid: uuid }) => uuid))]);
