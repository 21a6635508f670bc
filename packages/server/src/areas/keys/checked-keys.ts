// Key items for compliance checks: the objects to check, the conditions, and the status.
import type { ComplianceStatus, ConditionItemDto, KeyFormat, KeyType } from '@signetry/contract';
import { readFilters } from '../../kernel/filter/read-filters.ts';
import type { Executor } from '../../platform/database/database.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import { keyFields } from './search-fields.ts';
import * as store from './store-checked.ts';

export interface CheckedKeyItem {
  readonly subject: 'keys';
  readonly uuid: string;
  readonly keyUuid: string;
  readonly name: string;
  readonly tokenProfileUuid: string | null;
  readonly type: KeyType;
  readonly format: KeyFormat;
  /** Key data that is not secret; undefined for secret and private keys. */
  readonly data: Buffer | undefined;
}

export type CheckedKeys = ReturnType<typeof createCheckedKeys>;

export function createCheckedKeys({ database, clock }: Platform) {
  const read = (items: readonly ConditionItemDto[]) =>
    readFilters(
      items.map(({ operator: condition, ...item }) => ({ ...item, condition })),
      { lookup: keyFields.lookup, now: clock.now() },
    );

  return {
    /** Rejects conditions that are not supported in key searches. */
    assertConditions: (items: readonly ConditionItemDto[]): void => void read(items),

    /** Returns the given items that currently meet the conditions. */
    async fulfilling(items: readonly ConditionItemDto[], uuids: readonly string[]): Promise<ReadonlySet<string>> {
      const conditions = read(items);
      const found = await runSearch({ database, conditions }, (executor) =>
        store.findFulfilling(executor, conditions, uuids),
      );
      return new Set(found);
    },

    find: async (uuids: readonly string[]): Promise<CheckedKeyItem[]> =>
      (await store.findChecked(database.executor, uuids)).map((row) => ({
        subject: 'keys',
        uuid: row.uuid,
        keyUuid: row.key_uuid,
        name: row.name,
        tokenProfileUuid: row.token_profile_uuid,
        type: row.type,
        format: row.format,
        data: row.key_data === null ? undefined : Buffer.from(row.key_data, 'base64'),
      })),

    /** Replaces identifiers of keys with those of their items; identifiers of items are kept. */
    itemsOf: (uuids: readonly string[]) => store.findItemUuids(database.executor, uuids),
    nextOfProfiles: (place: Parameters<typeof store.findNextByProfiles>[1]) =>
      store.findNextByProfiles(database.executor, place),
    countOfProfiles: (profileUuids: readonly string[]) => store.countByProfiles(database.executor, profileUuids),
    setStatus: (tx: Executor, uuids: readonly string[], status: ComplianceStatus) => store.setStatus(tx, uuids, status),
  };
}
