import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, type FakeClock } from '@signetry/testkit/services';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { createSearchTotals, type TotalQuestion } from './totals.ts';

let database: Database;
let clock: FakeClock;
/** Limits that counts were asked for. */
let asked: (number | undefined)[];

beforeAll(async () => {
  database = await testDatabase();
});

beforeEach(() => {
  clock = createFakeClock();
  asked = [];
});

const totals = () => createSearchTotals({ database, clock }, { exactWithinMs: 100, countedTo: 10 });

/** A search that finds so many; counting all of them takes so long. */
const question = (key: string, facts: { readonly found: number; readonly seconds: number }): TotalQuestion => ({
  key,
  count: async (executor: Executor, limit) => {
    asked.push(limit);
    if (limit === undefined) await sql`SELECT pg_sleep(${facts.seconds})`.execute(executor);
    return Math.min(facts.found, limit ?? Number.POSITIVE_INFINITY);
  },
  run: (query) => query(database.executor),
});

describe('the total of a search', () => {
  it('is exact when counting is quick, however many there are', async () => {
    expect(await totals()(question('quick', { found: 5_000, seconds: 0 }))).toEqual({
      totalItems: 5_000,
      totalIsExact: true,
    });
    expect(asked).toEqual([undefined]);
  });

  it('ends at a limit when counting all is slow, and says so', async () => {
    expect(await totals()(question('slow', { found: 11, seconds: 20 }))).toEqual({
      totalItems: 10,
      totalIsExact: false,
    });
    expect(asked).toEqual([undefined, 11]);
  });

  it('is exact below the limit also when it was slow', async () => {
    expect(await totals()(question('slow', { found: 10, seconds: 20 }))).toEqual({
      totalItems: 10,
      totalIsExact: true,
    });
  });

  it('does not try again while somebody pages through the same search', async () => {
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
