// Goal: a page deep in the list of all certificates matches one found by counting from the beginning, after any
// insertions, archivals and deletions, folded or not.
import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/database/database.ts';
import { visibleCertificates } from '../../certificates/access.ts';
import { findPage } from './find-page.ts';
import { completeSort, keyAt } from './sort-fields.ts';
import { findBlock, findBlockMismatches, foldBlocks, recountBlocks } from './store-blocks.ts';
import { createNewest } from './store-newest.ts';
import { createRememberedTotals } from './store-totals.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});

const insert = (from: number, to: number) =>
  database.query(
    `INSERT INTO certificate (uuid, state, validation_status, common_name, subject_dn, subject_dn_normalized, issuer_dn, issuer_dn_normalized,
       public_key_algorithm, public_key_fingerprint, key_size, created_at, updated_at)
     SELECT ('00000000-0000-7000-8000-' || lpad((n * 7919 % 100003)::text, 12, '0'))::uuid, 'issued', 'valid', '', '', '', '', '', 'RSA', n::text,
       2048, now(), now() FROM generate_series($1::int, $2::int) AS n`,
    [from, to],
  );

const foldAll = async () => {
  while (await foldBlocks(database, 1_000));
};

const listed = async (): Promise<readonly string[]> =>
  (await database.query<{ uuid: string }>('SELECT uuid FROM certificate WHERE NOT archived ORDER BY uuid DESC')).map(
    ({ uuid }) => uuid,
  );

/** Compares the pages found in both ways, around block boundaries. */
async function expectPages(): Promise<void> {
  const all = await listed();
  const query = {
    conditions: [],
    visible: visibleCertificates(coreContext('test'), 'list'),
    includeArchived: false,
    sort: completeSort([]),
  };
  const findNewest = createNewest(database);
  for (const offset of [1_999, 2_000, 2_001, 2_999, 3_000, 4_444, all.length - 3, all.length, all.length + 5_000]) {
    const stretch = { offset, limit: 7 };
    const expected = all.slice(offset, offset + 7);
    const newest = await findNewest(stretch);
    expect({ offset, keys: newest.rows.map(({ uuid }) => uuid) }).toEqual({ offset, keys: expected });
    const page = await findPage(database.executor, query, { ...stretch, totals: createRememberedTotals() });
    expect({ offset, keys: page.places.map(keyAt) }).toEqual({ offset, keys: expected });
    expect([newest.total, page.total]).toEqual([all.length, all.length]);
  }
  expect(await findBlockMismatches(database.executor)).toEqual([]);
}

describe('list blocks', () => {
  it('find pages both before and after folding', async () => {
    await insert(1, 6_000);
    await expectPages();
    await foldAll();
    await expectPages();
    const blocks = await database.query<{ listed: number }>('SELECT listed FROM certificate_block');
    expect(blocks.every(({ listed: size }) => size <= 2_000)).toBe(true);
    expect(await findBlock(database.executor, 6_000)).toBeUndefined();
  });

  it('reflect that certificates were archived, restored or deleted', async () => {
    await database.query(`UPDATE certificate SET archived = true WHERE public_key_fingerprint::int % 5 = 0`);
    await database.query(`UPDATE certificate SET archived = false WHERE public_key_fingerprint::int % 10 = 0`);
    await database.query(`DELETE FROM certificate WHERE public_key_fingerprint::int % 7 = 0`);
    await expectPages();
    await insert(6_001, 9_000);
    await foldAll();
    await expectPages();
  });

  it('are recounted if they are incorrect', async () => {
    await database.query(`UPDATE certificate_block SET listed = listed + 1`);
    await insert(9_001, 9_010);
    expect(await findBlockMismatches(database.executor)).not.toEqual([]);
    await database.transaction((tx) => recountBlocks(tx));
    await expectPages();
  });
});
