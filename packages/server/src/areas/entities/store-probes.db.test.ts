// Which endpoints are probed when, and how results are stored; the database arbitrates between nodes.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimHeld, requeueSetAside, findSetAside, setAside } from './store.ts';
import {
  scheduleNextProbe,
  claimDue,
  endAllProbing,
  endProbing,
  findProbe,
  storeProbe,
  markServed,
  removeProbe,
} from './store-probes.ts';
import type { HeldState, LocationRow } from './tables.ts';
import { AT } from './testing/entity-rows.ts';
import { createStoreFixture, type StoreFixture } from './testing/store-fixture.ts';

let test: StoreFixture;
let location: LocationRow;
beforeAll(async () => {
  test = await createStoreFixture();
});
beforeEach(async () => {
  await test.database.query('DELETE FROM location_certificate');
  location = await test.addLocation({ multiple_entries: true });
});

const at = (second: number): Date => new Date(AT.getTime() + second * 1_000);
const holdDue = (facts: { ask_at: Date; state?: HeldState }) => test.hold(location, { asked_until: at(60), ...facts });
const claim = (now: Date, limit = 10) => claimDue(test.executor, { now, until: at(1_000), limit });
const uuids = (rows: readonly { certificate_uuid: string }[]) => rows.map((row) => row.certificate_uuid).toSorted();

describe('certificates whose endpoints are to be probed', () => {
  it('are those that are due, and not those due later or never', async () => {
    const [due, justNow] = [await holdDue({ ask_at: at(0) }), await holdDue({ ask_at: at(10) })];
    await holdDue({ ask_at: new Date(at(10).getTime() + 1) });
    await test.hold(location);
    expect(uuids(await claim(at(10)))).toEqual(uuids([due, justNow]));
  });

  it('are claimed by only one node, until its lease expires', async () => {
    const row = await holdDue({ ask_at: at(0) });
    const both = await Promise.all([claim(at(10)), claim(at(10))]);
    expect(both.flat()).toHaveLength(1);
    expect(await claim(at(999))).toEqual([]);
    expect(uuids(await claim(at(1_000)))).toEqual([row.certificate_uuid]);
  });

  it('are claimed in order of their due time, up to the limit of a node', async () => {
    await holdDue({ ask_at: at(3) });
    const [first, second] = [await holdDue({ ask_at: at(1) }), await holdDue({ ask_at: at(2) })];
    expect(uuids(await claim(at(10), 2))).toEqual(uuids([first, second]));
  });

  it('are probed again at the specified time, with the problem recorded, unless probing has ended', async () => {
    const row = await holdDue({ ask_at: at(0) });
    await scheduleNextProbe(test.executor, row, { at: at(5), problem: 'other' });
    expect(await test.now(row)).toMatchObject({ ask_at: at(5), problem: 'other', state: 'installed' });
    await endAllProbing(test.executor, location.uuid);
    await scheduleNextProbe(test.executor, row, { at: at(6), problem: 'late' });
    expect(await test.now(row)).toMatchObject({ ask_at: null, asked_until: null, problem: null });
  });
});

describe('probing for a certificate', () => {
  const changes = { state: 'served', problem: null, changed_at: at(9), served_at: at(9) } as const;

  it('ends only once', async () => {
    const row = await holdDue({ ask_at: at(0) });
    expect(await endProbing(test.executor, row, changes)).toMatchObject({ state: 'served', ask_at: null });
    expect(await endProbing(test.executor, row, { ...changes, state: 'not_served' })).toBeUndefined();
    expect((await test.now(row))?.state).toBe('served');
  });

  it.each(['replaced', 'pushing', 'failed'] as const)(
    'ends without a verdict if the certificate is %s in the meantime',
    async (state) => {
      const row = await holdDue({ ask_at: at(0), state });
      expect(await endProbing(test.executor, row, changes)).toBeUndefined();
      expect((await test.now(row))?.state).toBe(state);
    },
  );

  it('ends for all certificates in a location, but in no other location', async () => {
    const [row, notAsked] = [await holdDue({ ask_at: at(0) }), await test.hold(location)];
    const elsewhere = await test.hold(await test.addLocation(), { asked_until: at(60), ask_at: at(0) });
    expect(uuids(await endAllProbing(test.executor, location.uuid))).toEqual([row.certificate_uuid]);
    expect((await test.now(notAsked))?.state).toBe('installed');
    expect(await test.now(elsewhere)).toMatchObject({ ask_at: at(0), asked_until: at(60) });
  });
});

describe('a certificate that is served without a pending probe', () => {
  it.each(['installed', 'not_served'] as const)('becomes served even if it was %s', async (state) => {
    const row = await test.hold(location, { state, problem: 'other' });
    await markServed(test.executor, row, at(9));
    expect(await test.now(row)).toMatchObject({ state: 'served', problem: null, served_at: at(9), changed_at: at(9) });
  });

  it.each(['waiting', 'pushing', 'replaced', 'failed'] as const)('stays %s', async (state) => {
    const row = await test.hold(location, { state });
    await markServed(test.executor, row, at(9));
    expect(await test.now(row)).toEqual(row);
  });

  it('keeps the time when it was first served, and is not changed while probes are pending', async () => {
    const [again, row] = [await test.hold(location, { served_at: at(1) }), await holdDue({ ask_at: at(0) })];
    for (const each of [again, row]) await markServed(test.executor, each, at(9));
    expect((await test.now(again))?.served_at).toEqual(at(1));
    expect(await test.now(row)).toMatchObject({ state: 'installed', asked_until: at(60) });
  });
});

describe('a certificate that was set aside', () => {
  it('is found through its successor, and is restored only once', async () => {
    const before = await holdDue({ ask_at: at(0) });
    const after = await test.hold(location, { replaces_uuid: before.certificate_uuid });
    expect(await findSetAside(test.executor, location.uuid, [after.certificate_uuid])).toEqual([]);
    await setAside(test.executor, before, at(1));
    expect(await test.now(before)).toMatchObject({
      state: 'replaced',
      ask_at: null,
      asked_until: null,
      changed_at: at(1),
    });
    expect(await findSetAside(test.executor, location.uuid, [after.certificate_uuid])).toEqual([
      before.certificate_uuid,
    ]);
    expect(await findSetAside(test.executor, location.uuid, [before.certificate_uuid])).toEqual([]);
    expect([
      await requeueSetAside(test.executor, before, at(2)),
      await requeueSetAside(test.executor, before, at(3)),
    ]).toEqual([true, false]);
    expect(await test.now(before)).toMatchObject({ state: 'waiting', noted_at: AT, changed_at: at(2) });
  });

  it('is claimed by only one of two concurrent callers', async () => {
    const row = await test.hold(location, { state: 'waiting' });
    const move = () => claimHeld(test.executor, row, { from: 'waiting', to: 'pushing', at: at(1) });
    const outcomes = await Promise.all([move(), move()]);
    expect(outcomes.map((each) => each?.state).toSorted()).toEqual(['pushing', undefined]);
  });
});

it('a location has at most one endpoint, which can only be replaced as a whole', async () => {
  const probe = {
    location_uuid: location.uuid,
    host: 'a.test',
    port: 443,
    server_name: 'sni.test',
    start_tls: null,
    timeout_s: 60,
    restore_previous: true,
  };
  await storeProbe(test.executor, probe);
  const other = {
    ...probe,
    host: 'b.test',
    port: 25,
    server_name: null,
    start_tls: 'smtp',
    restore_previous: false,
  } as const;
  await storeProbe(test.executor, other);
  expect(await findProbe(test.executor, location.uuid)).toEqual(other);
  await removeProbe(test.executor, location.uuid);
  expect(await findProbe(test.executor, location.uuid)).toBeUndefined();
});
