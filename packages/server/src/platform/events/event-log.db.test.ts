// The log of published events and its followers: all events have one order, and each is processed exactly once.
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Events } from './outbox.ts';
import type { PublishedEvent } from './followers.ts';
import { deleteOldEvents, findLags, readHead, readLog } from './store.ts';

declare module './outbox.ts' {
  interface EventPayloads {
    lamp_lit: { lampUuid: string; number: number };
    lamp_seen: { lampUuid: string };
  }
}

const LAMP = '00000000-0000-7000-8000-0000000000aa';
const database = await testDatabase();
const platform = testPlatform(database, { clock: createFakeClock() });
/** Nothing wakes a follower after a failure, so it polls. */
const events = new Events({ database, jobs: platform.jobs, log: platform.log, idlePollMs: 20 });
events.publish('lamp_lit', {
  resource: 'certificates',
  objectOf: ({ lampUuid }) => lampUuid,
  describe: async (_executor, payloads) => payloads.map(({ number }) => ({ number, described: true })),
  complete: async (_executor, data) => ({ ...data, whole: true }),
});

const numbersOf = (of: readonly PublishedEvent[]) => of.map(({ data }) => data['number']);

const light = (from: number, count: number) =>
  database.transaction((tx) =>
    events.appendAll(
      tx,
      'lamp_lit',
      Array.from({ length: count }, (_, index) => ({ lampUuid: LAMP, number: from + index })),
    ),
  );

/** Returns a second node that uses the same database. */
function anotherNode(): Events {
  const node = new Events({ database, jobs: platform.jobs, log: platform.log });
  node.publish('lamp_lit', { resource: 'certificates', objectOf: ({ lampUuid }) => lampUuid });
  return node;
}

const seen: number[][] = [];
let isRejected: (event: PublishedEvent) => boolean = () => false;
events.follow({
  name: 'watchman',
  handle: async (_tx, batch) => {
    if (batch.some(isRejected)) throw new Error('The watchman was asleep.');
    seen.push(numbersOf(batch) as number[]); // In the order in which they were appended.
  },
});

await platform.jobs.start();
await events.start();
afterAll(async () => {
  await events.stop();
  await platform.jobs.stop();
});

describe('published events', () => {
  it('get consecutive positions in the order in which they were appended, and contain their data', async () => {
    await light(1, 700);
    events.wake();
    await vi.waitFor(() => expect(seen.flat()).toEqual(Array.from({ length: 700 }, (_, index) => index + 1)), 10_000);

    const log = await readLog(database.executor, { after: 0, limit: 1_000 });
    expect(log.map(({ position }) => position)).toEqual(Array.from({ length: 700 }, (_, index) => index + 1));
    expect(log[0]).toMatchObject({
      event: 'lamp_lit',
      resource: 'certificates',
      objectUuid: LAMP,
      data: { number: 1, described: true },
    });
    expect(await events.complete(database.executor, log[0]!)).toEqual({ number: 1, described: true, whole: true });
  });

  it('exclude event types that are neither published nor subscribed to', async () => {
    await database.transaction((tx) => events.append(tx, 'lamp_seen', { lampUuid: LAMP }));
    expect(events.isWanted('lamp_seen')).toBe(false);
    expect(await database.query('SELECT FROM event_outbox')).toEqual([]);
  });

  it('are processed only once by two nodes that follow under the same name', async () => {
    const byOther: number[] = [];
    const other = anotherNode();
    other.follow({
      name: 'watchman',
      handle: async (_tx, batch) => void byOther.push(...(numbersOf(batch) as number[])),
    });
    await other.start();
    seen.length = 0;
    for (let from = 1_000; from < 1_200; from += 20) {
      await light(from, 20);
      other.wake();
      events.wake();
    }
    await vi.waitFor(() => expect(seen.flat().length + byOther.length).toBe(200), 10_000);
    await other.stop();

    expect([...seen.flat(), ...byOther].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, index) => 1_000 + index),
    );
  });

  it('skip followers that do not subscribe to them', async () => {
    const wanted: number[] = [];
    const node = anotherNode();
    let wants: readonly string[] = [];
    node.follow({
      name: 'chooser',
      wants: async () => wants,
      handle: async (_tx, batch) => void wanted.push(...(numbersOf(batch) as number[])),
    });
    await node.start();
    const caughtUp = () =>
      vi.waitFor(async () => {
        for (const { lag } of await findLags(database.executor)) expect(lag).toBe(0);
      }, 10_000);
    await light(1_500, 600);
    node.wake();
    await vi.waitFor(async () => expect(await database.query('SELECT FROM event_outbox')).toEqual([]), 10_000);
    await caughtUp();
    expect(wanted).toEqual([]);

    wants = ['lamp_lit'];
    await light(2_500, 1);
    node.wake();
    await vi.waitFor(() => expect(wanted).toEqual([2_500]), 10_000);
    await caughtUp();
    await node.stop();
    // Otherwise, events that this follower has not read would be retained.
    await database.query(`DELETE FROM event_follower WHERE name = 'chooser'`);
  });

  it('do not advance a follower whose transaction failed, and are set aside after repeated failures', async () => {
    seen.length = 0;
    isRejected = ({ data }) => data['number'] === 2_001;
    await light(2_000, 3);
    events.wake();
    // Skips the delay after each failure, not the failures.
    await vi.waitFor(
      async () => {
        await database.query('UPDATE event_follower SET retry_at = NULL');
        events.wake();
        expect(seen.flat()).toEqual([2_000, 2_002]);
      },
      { timeout: 15_000, interval: 20 },
    );
    expect(await database.query(`SELECT follower, problem FROM event_set_aside`)).toEqual([
      { follower: 'watchman', problem: 'The watchman was asleep.' },
    ]);
    isRejected = () => false;
  });

  it('begin with the next event for a new follower', async () => {
    const late: number[] = [];
    const node = anotherNode();
    node.follow({
      name: 'latecomer',
      handle: async (_tx, batch) => void late.push(...(numbersOf(batch) as number[])),
    });
    await node.start();
    await light(3_000, 1);
    node.wake();
    await vi.waitFor(() => expect(late).toEqual([3_000]), 5_000);
    await node.stop();
  });

  it('are deleted once they are old and all followers have read them', async () => {
    const head = await readHead(database.executor);
    await database.query(`UPDATE event_follower SET position = ${head - 2} WHERE name = 'latecomer'`);
    const tomorrow = new Date(Date.now() + 86_400_000);
    await deleteOldEvents(database.executor, { before: tomorrow, limit: 10_000 });
    const left = await readLog(database.executor, { after: 0, limit: 10 });
    expect(left.map(({ position }) => position)).toEqual([head - 1, head]);
  });
});
