// Totals of broad searches are counted once and cached until a certificate or membership changes. `inventory_change`
// advances before such a change is committed, so a total that was counted while no transaction was writing remains
// valid until the sequence advances.
import { LRUCache } from 'lru-cache';
import { sql } from 'kysely';
import { hotStatement, type Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import { countForMember } from './store-counted.ts';
import { countByTexts } from './store-texts.ts';
import { countSelected, type Selection } from './store.ts';

const MAX_REMEMBERED = 1_000;

export interface RememberedTotals {
  /** Returns the cached total, or undefined if there is no valid one. Never counts. */
  recall(executor: Executor, selection: Selection): Promise<number | undefined>;
  /** Like `recall`, for callers that already know the last change. */
  recallAt(change: string, selection: Selection): number | undefined;
  count(executor: Executor, selection: Selection): Promise<number>;
}

export function createRememberedTotals(): RememberedTotals {
  const known = new LRUCache<string, { readonly change: string; readonly total: number }>({ max: MAX_REMEMBERED });

  const recallAt = (change: string, selection: Selection): number | undefined => {
    const remembered = known.get(keyOf(selection));
    return remembered?.change === change ? remembered.total : undefined;
  };
  return {
    recallAt,
    recall: async (executor, selection) =>
      known.has(keyOf(selection)) ? recallAt(await lastChange(executor), selection) : undefined,
    async count(executor, selection) {
      if (!readsOnlyCertificates(selection)) return countAll(executor, selection);
      // The order matters. A transaction that writes after the first read advances the sequence; the second read sees
      // one that wrote before it.
      const change = await lastChange(executor);
      const isQuiet = await hasNoWriters(executor);
      const total = await countAll(executor, selection);
      if (isQuiet) known.set(keyOf(selection), { change, total });
      return total;
    },
  };
}

const countAll = async (executor: Executor, selection: Selection): Promise<number> =>
  (await countByTexts(executor, selection)) ??
  (await countForMember(executor, selection)) ??
  countSelected(executor, selection);

/** Query for the last change; a sequence always has one row. */
export const LAST_CHANGE = hotStatement('inventory_change', 'SELECT last_value::text AS change FROM inventory_change');

async function lastChange(executor: Executor): Promise<string> {
  const { rows } = await sql<{ change: string }>`${sql.raw(LAST_CHANGE.text)}`.execute(executor);
  if (!rows[0]) throw new Error('The sequence inventory_change is missing.');
  return rows[0].change;
}

/**
 * Every write transaction holds a lock on its own transaction ID. Transactions of other databases are ignored; a
 * prepared transaction has no process, so it counts regardless of its database.
 */
async function hasNoWriters(executor: Executor): Promise<boolean> {
  const { rows } = await sql<{ writing: boolean }>`
    SELECT EXISTS (SELECT FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock'
        AND coalesce(a.datname = current_database(), true)) AS writing`.execute(executor);
  return rows[0]?.writing === false;
}

/**
 * Returns whether all conditions read only certificate columns: names of other objects, attributes and relations can
 * change without their certificates.
 */
const readsOnlyCertificates = ({ conditions }: Selection): boolean =>
  conditions.every(({ field: { reading } }) => reading.kind === 'column' || reading.kind === 'bits');

const keyOf = ({ conditions, includeArchived, visible, text }: Selection): string =>
  JSON.stringify([conditions.map(conditionKey), includeArchived, visible, text], (_, value: unknown) =>
    value instanceof Set ? [...value] : value,
  );

const conditionKey = ({ field, ...test }: SqlCondition) => [field.identifier, test];
