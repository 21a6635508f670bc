// The derived data check, on the real counters and search texts.
import { beforeAll, describe, expect, it } from 'vitest';
import type { DerivedDataReport } from '@signetry/contract';
import type { Database } from '../../platform/database/database.ts';
import type { Route } from '../../platform/http/routes.ts';
import { createBlockCheck } from '../inventory/search/blocks.ts';
import { createTextUpkeep } from '../inventory/search/store-text-upkeep.ts';
import { insertRows } from '../certificates/testing/certificate-rows.ts';
import { createTestInventory, type TestInventory } from '../inventory/testing/test-inventory.ts';
import { createCounterUpkeep } from '../statistics/index.ts';
import { createDerivedDataArea } from './index.ts';

let inventory: TestInventory;
let database: Database;
let route: Route;

beforeAll(async () => {
  inventory = await createTestInventory();
  ({ database } = inventory.platform);
  const kinds = [
    createCounterUpkeep(inventory.platform),
    createTextUpkeep(inventory.platform),
    createBlockCheck(inventory.platform),
  ];
  const { routes = [] } = createDerivedDataArea(inventory.platform, { audit: inventory.audit, kinds: () => kinds });
  if (!routes[0]) throw new Error('there is no route');
  [route] = routes;
  await insertRows(database, [{ common_name: 'a.example' }, { common_name: 'b.example' }]);
});

async function check(repair: boolean): Promise<DerivedDataReport> {
  const audit = { module: 'core', resource: 'settings', operation: 'update' } as const;
  const input = { body: { repair }, context: { ...inventory.context, audit } };
  return (await route.handle(input as unknown as Parameters<Route['handle']>[0])) as DerivedDataReport; // as parsed
}

describe('the derived data check', () => {
  it('finds nothing if all changes were made through the platform', async () => {
    const { sound, checks } = await check(false);
    expect(sound).toBe(true);
    expect(checks.map(({ name, wrong, repaired }) => [name, wrong, repaired])).toEqual([
      ['certificate counters', 0, false],
      ['certificate search texts', 0, false],
      ['certificate list positions', 0, false],
    ]);
  });

  it('reports changes made directly in the database, and repairs them only on request', async () => {
    await database.query(`DELETE FROM certificate_count_delta`);
    await database.query(
      `DELETE FROM certificate_block_delta WHERE certificate_uuid = (SELECT uuid FROM certificate LIMIT 1)`,
    );
    await database.query(`UPDATE certificate_text SET text = 'wrong' WHERE text LIKE '%a.example%'`);
    await database.query(`UPDATE certificate_text SET archived = true WHERE text LIKE '%b.example%'`);
    await database.query(`INSERT INTO certificate_text VALUES (gen_random_uuid(), false, 'of nothing', '', '{}')`);
    for (let turn = 0; turn < 2; turn += 1) {
      const { sound, checks } = await check(false);
      expect(sound).toBe(false);
      expect(checks[0]?.examples).toContainEqual({ what: 'state issued', kept: '0', right: '2' });
      expect(checks[1]).toMatchObject({ wrong: 3, repaired: false });
      expect(checks[2]).toMatchObject({ wrong: 1, examples: [{ kept: '1', right: '2' }] });
    }
    const repaired = await check(true);
    expect(repaired.checks.map((each) => each.repaired)).toEqual([true, true, true]);
    expect((await check(false)).sound).toBe(true);
  });
});
