// Goal: only one node works on a run, results of a node that lost its lease are discarded, and a check of few objects
// does not wait for a check of many. Method: runs of two nodes over one database, with generated objects.
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckResult } from './check.ts';
import type { CheckedObject } from './checked-object.ts';
import { createComplianceRuns, type RunParts } from './runs.ts';

const PROFILE = newUuid();
let platform: Platform;
/** Object identifiers, sorted. */
let uuids: readonly string[];
let kept: string[];

beforeAll(async () => {
  platform = testPlatform(await testDatabase());
});
beforeEach(async () => {
  await platform.database.query('DELETE FROM compliance_run');
  uuids = Array.from({ length: 450 }, newUuid).toSorted();
  kept = [];
});

const objectOf = (uuid: string): CheckedObject => ({
  subject: 'certificates',
  uuid,
  name: uuid,
  raProfileUuid: PROFILE,
  type: 'X.509',
  format: undefined,
  data: Buffer.alloc(0),
});

/** Creates the runs of a node whose checks wait for `before`. */
function nodeOf(before: () => Promise<unknown> = () => Promise.resolve()) {
  const certificates = {
    countOfProfiles: () => Promise.resolve(uuids.length),
    nextOfProfiles: ({ after, limit }: { after: string | null; limit: number }) =>
      Promise.resolve(uuids.filter((uuid) => after === null || uuid > after).slice(0, limit)),
    find: (wanted: readonly string[]) => Promise.resolve(wanted.map(objectOf)),
  } as unknown as RunParts['certificates']; // Other members are not used.
  const parts: RunParts = {
    audit: { append: () => Promise.resolve() } as unknown as RunParts['audit'], // Audit records are tested elsewhere.
    keys: undefined as never,
    certificates,
    keeper: {
      judge: async (objects): Promise<readonly CheckResult[]> => {
        await before();
        return objects.map((object) => ({
          object,
          status: object.uuid < (uuids[100] ?? '') ? 'ok' : 'nok',
          message: undefined,
          rules: [],
        }));
      },
      keep: (_tx, verdicts) => {
        kept.push(...verdicts.map(({ object }) => object.uuid));
        return Promise.resolve();
      },
    },
  };
  return createComplianceRuns({ ...platform, nodeId: newUuid() }, parts);
}

/** Begins a run on a node that has stopped working. */
async function begin(scope: { uuids: readonly string[] } | { profileUuids: readonly string[] }): Promise<void> {
  const node = nodeOf();
  await node.stop();
  await node.begin([{ subject: 'certificates', scope }], coreContext(newUuid()), []);
}

const untilLeased = () =>
  expect.poll(() => platform.database.query('SELECT FROM compliance_run WHERE leased_until > now()')).toHaveLength(1);

const stored = () =>
  platform.database.query<Record<string, number | boolean>>(
    `SELECT total::int, processed::int, compliant::int, not_compliant::int, finished_at IS NOT NULL AS ended
     FROM compliance_run ORDER BY total DESC`,
  );

const whole = { total: 450, processed: 450, compliant: 100, not_compliant: 350, ended: true };

it('a compliance run is processed by one node, batch by batch, and counts its results', async () => {
  const gate = Promise.withResolvers<void>();
  const other = nodeOf();
  await begin({ profileUuids: [PROFILE] });
  const working = nodeOf(() => gate.promise).work();
  await untilLeased();
  expect(await other.work()).toBe(false);
  expect(await stored()).toEqual([{ ...whole, processed: 0, compliant: 0, not_compliant: 0, ended: false }]);
  gate.resolve();
  expect(await working).toBe(true);
  expect(await stored()).toEqual([whole]);
  expect(kept).toEqual(uuids);
  expect(await other.work()).toBe(false);
});

it('a compliance run is not changed by a node that lost its lease', async () => {
  const gate = Promise.withResolvers<void>();
  await begin({ profileUuids: [PROFILE] });
  const working = nodeOf(() => gate.promise).work();
  await untilLeased();
  await platform.database.query(`UPDATE compliance_run SET leased_until = now() - interval '1 s'`);
  expect(await nodeOf().work()).toBe(true);
  expect(await stored()).toEqual([whole]);
  gate.resolve();
  await working;
  expect(await stored()).toEqual([whole]);
  expect(kept).toEqual(uuids);
});

it('a compliance run with few objects does not wait for one with many', async () => {
  await begin({ profileUuids: [PROFILE] });
  await begin({ uuids: uuids.slice(0, 3) });
  expect(await nodeOf().work({ above: 0, upTo: 50 })).toBe(true);
  expect(await stored()).toMatchObject([{ processed: 0 }, { processed: 3, compliant: 3, ended: true }]);
});
