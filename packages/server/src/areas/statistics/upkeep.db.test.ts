import type { Resource } from '@signetry/contract';
import { CompiledQuery } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceRights } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { removeWithMemberships as removeGroups, replaceMemberships } from '../groups/store.ts';
import { createStatisticsService } from './service.ts';
import * as upkeep from './store-upkeep.ts';
import { createCountedInventory, type CountedInventory } from './testing/exactness.ts';

let counted: CountedInventory;
beforeAll(async () => {
  counted = await createCountedInventory();
});

const run = (executor: Executor, text: string, values: readonly unknown[] = []) =>
  executor.executeQuery(CompiledQuery.raw(text, [...values]));
const archive = (tx: Executor, uuid: string) =>
  run(tx, 'UPDATE certificate SET archived = true WHERE uuid = $1', [uuid]);
const deltas = () =>
  counted.database.query<{ state: string; certificates: number }>('SELECT * FROM certificate_count_delta');

describe('two concurrent transactions', () => {
  it('that remove a certificate from its last two groups leave it without a group', async () => {
    const [first, second] = [await counted.newGroup(), await counted.newGroup()];
    await counted.newCertificate({ groups: [first, second] });
    const open = await counted.openTransaction();
    await removeGroups(open.tx, [first]);
    const other = counted.database.transaction((tx) => removeGroups(tx, [second]));
    await counted.untilSomebodyWaits();
    await open.commit();
    await other;
    await counted.expectExact('both groups are gone');
  });

  it.each(['archived', 'ungrouped'])(
    'that archive a certificate and delete its group are both included in the counters (%s first)',
    async (first) => {
      const group = await counted.newGroup();
      const uuid = await counted.newCertificate({ groups: [group] });
      const deeds = [
        async (tx: Executor) => void (await archive(tx, uuid)),
        async (tx: Executor) => void (await removeGroups(tx, [group])),
      ];
      const [now, later] = first === 'archived' ? deeds : deeds.toReversed();
      const open = await counted.openTransaction();
      await now?.(open.tx);
      const other = counted.database.transaction(async (tx) => later?.(tx));
      await counted.untilSomebodyWaits();
      await open.commit();
      await other;
      await counted.expectExact('archived, and in no group');
    },
  );

  it('that delete a group and assign one of its certificates to the group again do not block each other', async () => {
    const group = await counted.newGroup();
    const uuid = await counted.newCertificate({ groups: [group] });
    const open = await counted.openTransaction();
    await run(open.tx, 'SELECT FROM certificate WHERE uuid = $1 FOR UPDATE', [uuid]);
    const deletion = counted.database.transaction((tx) => removeGroups(tx, [group]));
    await counted.untilSomebodyWaits();
    await replaceMemberships(open.tx, { resource: 'certificates', uuid }, [group]);
    await open.commit();
    expect(await deletion).toHaveLength(1);
    await counted.expectExact('the group is gone');
  });

  it('never wait for each other, or for folding or a rebuild', async () => {
    const [first, second] = [await counted.newCertificate(), await counted.newCertificate()];
    const writer = await counted.openTransaction();
    await archive(writer.tx, first);
    const rebuild = await counted.openTransaction();
    await upkeep.lock(rebuild.tx);
    await upkeep.rebuild(rebuild.tx);
    await upkeep.fold(rebuild.tx, 1_000_000);
    await counted.database.transaction((tx) => archive(tx, second));
    await counted.expectExact('while a rebuild and a change are under way');
    await rebuild.commit();
    await counted.expectExact('the change under way came after the rebuild');
    await counted.foldAll();
    await writer.commit();
    await counted.expectExact('all are committed');
    await counted.foldAll();
    await counted.expectExact('all are folded');
  });
});

describe('a statement', () => {
  it('writes one delta for all certificates with the same change, and none if nothing that is counted changes', async () => {
    for (let count = 0; count < 10; count += 1)
      await counted.newCertificate({ notAfter: new Date('2030-01-01T10:30:00Z') });
    await counted.foldAll();
    const ours = `not_after = '2030-01-01T10:30:00Z'`;
    await counted.database.query(`UPDATE certificate SET updated_at = now(), common_name = 'x' WHERE ${ours}`);
    expect(await deltas()).toEqual([]);
    await counted.database.query(`UPDATE certificate SET state = 'revoked' WHERE ${ours}`);
    expect(await deltas()).toMatchObject([
      { state: expect.any(String), expiry_hour: new Date('2030-01-01T10:00:00Z') },
      { state: expect.any(String), expiry_hour: new Date('2030-01-01T10:00:00Z') },
    ]);
    expect(Object.fromEntries((await deltas()).map(({ state, certificates }) => [state, certificates]))).toEqual({
      issued: -10,
      revoked: 10,
    });
    await counted.expectExact('many were revoked');
  });

  it('that is rolled back leaves no delta behind', async () => {
    await counted.foldAll();
    const uuid = await counted.newCertificate();
    await counted.foldAll();
    const failing = counted.database.transaction(async (tx) => {
      await archive(tx, uuid);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await deltas()).toEqual([]);
  });

  it('that changes only the groups of keys or users is not counted', async () => {
    await counted.foldAll();
    const group = await counted.newGroup();
    const member = { resource: 'keys', uuid: newUuid() } as const;
    await replaceMemberships(counted.database.executor, member, [group]);
    await replaceMemberships(counted.database.executor, member, []);
    expect(await counted.hasDeltas()).toBe(false);
  });
});

describe('folding', () => {
  it('that is aborted halfway has no effect, and the next fold does all the work', async () => {
    await counted.foldAll();
    await counted.newCertificate({ groups: [await counted.newGroup()] });
    const before = await deltas();
    const killed = counted.database.transaction(async (tx) => {
      await upkeep.lock(tx);
      await upkeep.fold(tx, 1_000);
      await run(tx, 'SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(killed).rejects.toThrow();
    expect(await deltas()).toEqual(before);
    await counted.expectExact('after the kill');
    await counted.foldAll();
    expect(await counted.hasDeltas()).toBe(false);
    await counted.expectExact('after the next folder');
  });

  it('processes at most one batch at a time', async () => {
    await counted.foldAll();
    for (let count = 0; count < 5; count += 1) await counted.newCertificate();
    const more: boolean[] = [];
    for (let round = 0; round < 3; round += 1)
      more.push(await counted.database.transaction(async (tx) => (await upkeep.tryLock(tx)) && upkeep.fold(tx, 2)));
    expect(more).toEqual([true, true, false]);
    await counted.expectExact('in three batches');
  });

  it('leaves the counters to a node that already holds their lock', async () => {
    const other = await counted.openTransaction();
    await upkeep.lock(other.tx);
    await counted.newCertificate();
    expect(await counted.foldBatch()).toBe(false);
    expect(await counted.hasDeltas()).toBe(true);
    await other.commit();
    await counted.foldAll();
    expect(await counted.hasDeltas()).toBe(false);
  });
});

describe('a rebuild', () => {
  const rebuild = () => {
    const { platform, audit, context } = counted.inventory;
    const facts = { module: 'core', resource: 'dashboard', operation: 'update' } as const;
    return createStatisticsService(platform, { audit }).rebuild({ ...context, audit: facts });
  };

  it('finds no errors in correct counters', async () => {
    expect(await rebuild()).toMatchObject({ wrongCounters: 0, examples: [] });
    await counted.expectExact('rebuilt');
    expect((await counted.inventory.audited()).at(-1)).toMatchObject({
      operation: 'update',
      operation_result: 'success',
    });
  });

  it('corrects and reports counters that were changed manually', async () => {
    await counted.newCertificate({ groups: [await counted.newGroup()], notAfter: new Date('2031-01-01T00:00:00Z') });
    await counted.foldAll();
    const { database } = counted;
    await database.query(
      `UPDATE certificate_count SET certificates = certificates + 7 WHERE dimension = 'keySize' AND NOT archived`,
    );
    await database.query('DELETE FROM certificate_expiry_day');
    await database.query(`INSERT INTO certificate_group_delta VALUES (NULL, false, 3)`);
    const { wrongCounters, examples } = await rebuild();
    expect(wrongCounters).toBeGreaterThanOrEqual(3);
    const named = (dimension: string, value: string) =>
      examples.find((each) => each.dimension === dimension && each.value === value && !each.archived);
    expect((named('keySize', '256')?.kept ?? 0) - (named('keySize', '256')?.counted ?? 0)).toBe(7);
    expect(named('dayOfLive', '2031-01-01')).toMatchObject({ kept: 0, counted: 1 });
    expect((named('group', '')?.kept ?? 0) - (named('group', '')?.counted ?? 0)).toBe(3);
    await counted.expectExact('rebuilt');
    expect(await counted.hasDeltas()).toBe(false);
  });
});

const member = { allowed: new Set(['members'] as const), denied: new Set<never>() };

describe('counting for a caller who can list only some of the certificates', () => {
  it('is aborted after a time limit, and the error states for which callers counting is fast', async () => {
    const { platform, audit, context } = counted.inventory;
    const service = createStatisticsService(platform, { audit, countingLimitMs: 100 });
    const rights = [
      ['certificates', { allowAllActions: true, actions: new Set<never>() }],
      ['raProfiles', { allowAllActions: false, actions: new Set<never>(), objects: new Map([[newUuid(), member]]) }],
    ] as const;
    const actor = {
      ...context.actor,
      permissions: { allowAllResources: false, resources: new Map<Resource, ResourceRights>(rights) },
    };
    const dashboard = () => service.dashboard({ includeArchived: false }, { ...context, actor });
    expect((await dashboard()).totalCertificates).toBe(0);
    const other = await counted.openTransaction();
    await run(other.tx, 'LOCK TABLE certificate IN ACCESS EXCLUSIVE MODE');
    await expect(dashboard()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('RA profiles'),
    });
    await other.commit();
    expect((await dashboard()).totalCertificates).toBe(0);
  });
});
