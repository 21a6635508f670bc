import { testDatabase } from '@signetry/testkit';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { coreContext } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/database/database.ts';
import { visibleCertificates } from '../core/access.ts';
import { insertRows } from '../testing/inventory-rows.ts';
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
  it('is known once it was counted, of this selection', async () => {
    expect(await recall()).toBeUndefined();
    expect(await count()).toBe(2);
    expect(await recall()).toBe(2);
    expect(await totals.recall(database.executor, withArchive)).toBeUndefined();
  });

  it.each([
    ['inserted', () => insertRows(database, [{ common_name: 'c' }])],
    ['changed', () => database.query(`UPDATE certificate SET archived = true WHERE common_name = 'a'`)],
    ['deleted', () => database.query(`DELETE FROM certificate WHERE common_name = 'a'`)],
  ])('is forgotten when a certificate is %s', async (_, change) => {
    await count();
    await change();
    expect(await recall()).toBeUndefined();
  });

  it('is not remembered when somebody was writing, whose change may come after it', async () => {
    await database.transaction(async (tx) => {
      await sql`DELETE FROM certificate WHERE common_name = 'a'`.execute(tx);
      expect(await count()).toBe(2);
    });
    expect(await recall()).toBeUndefined();
    expect(await count()).toBe(1);
    expect(await recall()).toBe(1);
  });

  it('is forgotten when a change begins after it was counted, before it is committed', async () => {
    await count();
    await database.transaction(async (tx) => {
      await sql`DELETE FROM certificate WHERE common_name = 'a'`.execute(tx);
      expect(await recall()).toBeUndefined();
    });
  });
});
