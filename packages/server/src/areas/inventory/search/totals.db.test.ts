import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, type FakeClock } from '@signetry/testkit/services';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createSearchTotals, type TotalQuery } from './totals.ts';

let database: Database;
let clock: FakeClock;
/** Limits passed to each count. */
let asked: (number | undefined)[];

beforeAll(async () => {
  database = await testDatabase();
});

beforeEach(() => {
  clock = createFakeClock();
  asked = [];
});

const totals = () => createSearchTotals({ database, clock }, { exactWithinMs: 100, countedTo: 10 });

/** Returns a search with this number of matches, and this time for a full count. */
const question = (key: string, facts: { readonly found: number; readonly seconds: number }): TotalQuery => ({
  key,
  count: async (executor: Executor, limit) => {
    asked.push(limit);
    if (limit === undefined) await sql`SELECT pg_sleep(${facts.seconds})`.execute(executor);
    return Math.min(facts.found, limit ?? Number.POSITIVE_INFINITY);
  },
  run: (query) => query(database.executor),
});

describe('the total of a search', () => {
  it('is exact if counting is fast, regardless of the number of matches', async () => {
    expect(await totals()(question('quick', { found: 5_000, seconds: 0 }))).toEqual({
      totalItems: 5_000,
      totalIsExact: true,
    });
    expect(asked).toEqual([undefined]);
  });

  it('is limited if a full count is slow, and indicates this', async () => {
    expect(await totals()(question('slow', { found: 11, seconds: 20 }))).toEqual({
      totalItems: 10,
      totalIsExact: false,
    });
    expect(asked).toEqual([undefined, 11]);
  });

  it('is exact below the limit even if the full count was slow', async () => {
    expect(await totals()(question('slow', { found: 10, seconds: 20 }))).toEqual({
      totalItems: 10,
      totalIsExact: true,
    });
  });

  it('is not fully recounted while a user pages through the same search', async () => {
    const total = totals();
    const slow = question('slow', { found: 11, seconds: 20 });
    await total(slow);
    expect(await total(slow)).toEqual({ totalItems: 10, totalIsExact: false });
    expect(asked).toEqual([undefined, 11]);
    expect(await total(question('another', { found: 11, seconds: 0 }))).toEqual({ totalItems: 11, totalIsExact: true });
    clock.advance(31_000);
    await total(slow);
    expect(asked).toEqual([undefined, 11, undefined, undefined, 11]);
  });
});
