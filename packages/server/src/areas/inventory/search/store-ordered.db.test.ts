// Goal: pages and totals by group and by expiry match a full scan of all certificates, however many are already
// counted.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import type { Database } from '../../../platform/database/database.ts';
import { fold } from '../../statistics/store-upkeep.ts';
import { visibleCertificates } from '../../certificates/access.ts';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { findPage } from './find-page.ts';
import { createCertificateFields } from './search-fields.ts';
import { completeSort, keyAt } from './sort-fields.ts';
import { findOrdered } from './store-ordered.ts';
import { createRememberedTotals } from './store-totals.ts';

const NOW = new Date('2026-06-15T10:20:30.000Z');
const HOUR_MS = 3_600_000;
const ROWS = 120;
const context = coreContext('test');
const { lookup } = createCertificateFields([])(context);
let database: Database;

/** Expiry times in hours from now, some of them on the hour. */
const ends = fc
  .record({ hours: fc.integer({ min: -80, max: 80 }), ms: fc.constantFrom(0, 1, 1_770_000, HOUR_MS - 1) })
  .map(({ hours, ms }) => new Date(Date.UTC(2026, 5, 15, 10) + hours * HOUR_MS + ms));

beforeAll(async () => {
  database = await testDatabase();
  const facts = fc.record({ common_name: fc.constant('a'), not_after: fc.option(ends), archived: fc.boolean() });
  const rows = fc.sample(facts, { numRuns: ROWS, seed: 3 }).map((each) => ({ ...each, uuid: newUuid() }));
  await insertRows(database, rows.slice(0, ROWS / 2));
  await database.transaction((tx) => fold(tx, 1_000));
  await insertRows(database, rows.slice(ROWS / 2));
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) SELECT gen_random_uuid(), name, now(), now() FROM unnest(ARRAY['a', 'b']) AS name`,
  );
  await database.query(
    `INSERT INTO group_membership (object_resource, object_uuid, group_uuid)
     SELECT 'certificates', c.uuid, g.uuid FROM certificate c, object_group g WHERE hashtext(c.uuid::text || g.name) % 3 = 0`,
  );
});

async function expectSame(filter: SearchFilterRequestDto, where: string, parameters: unknown[]): Promise<void> {
  const all = await database.query<{ uuid: string }>(
    `SELECT c.uuid FROM certificate c WHERE NOT c.archived AND ${where} ORDER BY c.uuid DESC`,
    parameters,
  );
  const query = {
    conditions: readFilters([filter], { lookup, now: NOW }),
    visible: visibleCertificates(context, 'list'),
    includeArchived: false,
    sort: completeSort([]),
  };
  for (const offset of [0, 5, all.length]) {
    const stretch = { offset, limit: 5 };
    const expected = all.slice(offset, offset + 5).map(({ uuid }) => uuid);
    expect((await findOrdered(database.executor, query, stretch))?.map(keyAt)).toEqual(expected);
    const page = await findPage(database.executor, query, { ...stretch, totals: createRememberedTotals() });
    expect([page.total, page.places.map(keyAt)]).toEqual([all.length, expected]);
  }
}

describe('pages in index order', () => {
  it('are correct for certificates in a group', async () => {
    for (const name of ['a', 'b', 'none of them'])
      await expectSame(
        { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', condition: 'EQUALS', value: [name] },
        `EXISTS (SELECT FROM group_membership m JOIN object_group g ON g.uuid = m.group_uuid WHERE m.object_uuid = c.uuid AND g.name = $1)`,
        [name],
      );
  });

  it('are correct for certificates that expire within a given period', async () => {
    for (const value of ['PT1M', 'PT20M', 'PT40M', 'PT1H', 'PT13H39M30S', 'P1D', 'P2D', 'P40D'])
      for (const condition of ['IN_NEXT', 'IN_PAST'] as const)
        await expectSame(
          { fieldSource: 'property', fieldIdentifier: 'NOT_AFTER', condition, value },
          condition === 'IN_NEXT'
            ? `c.not_after BETWEEN $1::timestamptz AND $1::timestamptz + $2::interval`
            : `c.not_after BETWEEN $1::timestamptz - $2::interval AND $1::timestamptz`,
          [NOW.toISOString(), value],
        );
  });
});
