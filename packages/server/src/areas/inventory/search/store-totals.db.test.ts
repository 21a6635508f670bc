import { testDatabase } from '@signetry/testkit/database';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { coreContext } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/database/database.ts';
import { visibleCertificates } from '../../certificates/access.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import { createCertificateFields } from './search-fields.ts';
import type { Selection } from './store.ts';
import { createRememberedTotals, type RememberedTotals } from './store-totals.ts';

let database: Database;
let totals: RememberedTotals;

const all = { conditions: [], includeArchived: false, visible: visibleCertificates(coreContext('test'), 'list') };
const withArchive = { ...all, includeArchived: true };

const recall = () => totals.recall(database.executor, all);
const count = () => totals.count(database.executor, all);

beforeEach(async () => {
  database = await testDatabase();
  totals = createRememberedTotals();
  await insertRows(database, [{ common_name: 'a' }, { common_name: 'b' }]);
});

describe('a total', () => {
  it('is stored for a selection after it has been counted', async () => {
    expect(await recall()).toBeUndefined();
    expect(await count()).toBe(2);
    expect(await recall()).toBe(2);
    expect(await totals.recall(database.executor, withArchive)).toBeUndefined();
  });

  it.each([
    ['inserted', () => insertRows(database, [{ common_name: 'c' }])],
    ['changed', () => database.query(`UPDATE certificate SET archived = true WHERE common_name = 'a'`)],
    ['deleted', () => database.query(`DELETE FROM certificate WHERE common_name = 'a'`)],
  ])('is discarded when a certificate is %s', async (_, change) => {
    await count();
    await change();
    expect(await recall()).toBeUndefined();
  });

  it.each(['COMMON_NAME', 'SUBJECT_ALTERNATIVE_NAMES'])(
    'for a substring of %s is case-sensitive, and reflects changes to names and the archive',
    async (fieldIdentifier) => {
      const named = (common_name: string) => ({ common_name, names: { dNSName: [common_name] } });
      await insertRows(database, ['shop.test', 'my-shop.test', 'SHOP.test', 'other.test'].map(named));
      const filter = { fieldSource: 'property', fieldIdentifier, condition: 'CONTAINS', value: 'shop' } as const;
      const { lookup } = createCertificateFields([])(coreContext('test'));
      const conditions = readFilters([filter], { lookup, now: new Date() });
      const totalOf = (selection: Partial<Selection> = {}) =>
        totals.count(database.executor, { ...all, conditions, ...selection });
      expect(await totalOf()).toBe(2);
      await database.query(`UPDATE certificate SET archived = true WHERE common_name = 'shop.test'`);
      expect([await totalOf(), await totalOf({ includeArchived: true })]).toEqual([1, 2]);
      await database.query(`UPDATE certificate SET archived = false WHERE common_name = 'shop.test'`);
      await database.query(
        `UPDATE certificate SET common_name = 'shop-2', subject_alternative_names = '{"dNSName": ["shop-2"]}'
         WHERE common_name = 'other.test'`,
      );
      expect(await totalOf()).toBe(3);
      await database.query(`DELETE FROM certificate WHERE common_name = 'my-shop.test'`);
      expect(await totalOf()).toBe(2);
    },
  );

  it('is not stored during a write that may be committed after the count', async () => {
    await database.transaction(async (tx) => {
      await sql`DELETE FROM certificate WHERE common_name = 'a'`.execute(tx);
      expect(await count()).toBe(2);
    });
    expect(await recall()).toBeUndefined();
    expect(await count()).toBe(1);
    expect(await recall()).toBe(1);
  });

  it('is discarded when a change begins after the count, even before it is committed', async () => {
    await count();
    await database.transaction(async (tx) => {
      await sql`DELETE FROM certificate WHERE common_name = 'a'`.execute(tx);
      expect(await recall()).toBeUndefined();
    });
  });
});
