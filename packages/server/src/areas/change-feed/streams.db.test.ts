// Event streams over time: keep-alives, stalled readers and permissions, regardless of clock changes.
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { coreContext, type Actor } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { createStreams } from './streams.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    bell_rung: { number: number };
  }
}

/** Both clocks are set by the tests; the wall clock can also be set back. */
const time = { wall: Date.now(), monotonicMs: 0 };
const clock = { now: () => new Date(time.wall), monotonicMs: () => time.monotonicMs };
const database = await testDatabase();
const { events, jobs } = testPlatform(database);
events.publish('bell_rung', { resource: 'certificates', objectOf: () => null });
/** A stream checks the clock after each wait for events, so waits are 50 ms here instead of seconds. */
const tail: typeof events.tail = {
  ...events.tail,
  wait: (after, { signal }) => events.tail.wait(after, { ms: 50, signal }),
};
const streams = createStreams({ tail, clock, eventsVisibleTo: async (_actor, _wanted, batch) => batch });
const opened: Readable[] = [];

beforeAll(async () => {
  await jobs.start();
  await events.start();
});
afterEach(() => {
  vi.useRealTimers();
  for (const stream of opened.splice(0)) stream.destroy();
});
afterAll(async () => {
  await events.stop();
  await jobs.stop();
});

function openAt(position: number, again?: () => Promise<Actor>): Readable {
  const lasting = again && { lastEventId: undefined, again };
  const context = { ...coreContext('00000000-0000-7000-8000-0000000000aa'), ...(lasting ? { lasting } : {}) };
  const stream = streams.open({ position, wanted: {}, context });
  opened.push(stream);
  return stream;
}

const open = async (again?: () => Promise<Actor>): Promise<Readable> => openAt((await events.tail.ends()).head, again);

/** Collects the data received so far. */
function reading(stream: Readable): { text: string } {
  const read = { text: '' };
  stream.on('data', (chunk: Buffer | string) => (read.text += String(chunk)));
  return read;
}

const ring = async (from: number, count: number): Promise<void> => {
  const payloads = Array.from({ length: count }, (_, index) => ({ number: from + index }));
  await database.transaction((tx) => events.appendAll(tx, 'bell_rung', payloads));
  events.wake();
};
const pass = (ms: number): void => {
  time.monotonicMs += ms;
  time.wall += ms;
};
const numbersIn = (text: string) => [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));

describe('a stream', () => {
  it('sends a keep-alive with its position after each period of 15 s without events', async () => {
    const read = reading(await open());
    await expect.poll(() => read.text).toContain(': alive\nid: 0\n');
    await ring(1, 1);
    await expect.poll(() => numbersIn(read.text)).toEqual([1]);
    const before = read.text.length;
    pass(15_000);
    await expect.poll(() => read.text.slice(before), { timeout: 5_000 }).toBe(': alive\nid: 1\n\n');
  });

  it('checks permissions again even if the clock was set back, and is closed when they are lost', async () => {
    const again = vi.fn<() => Promise<Actor>>(async () => {
      throw new AppError('unauthenticated', { reason: 'the session has ended' });
    });
    const stream = await open(again);
    const read = reading(stream);
    await expect.poll(() => read.text).toContain(': alive');
    time.wall -= 86_400_000;
    time.monotonicMs += 3_000;
    await expect.poll(() => read.text, { timeout: 5_000 }).toContain(': ended: Sign in');
    expect(again).toHaveBeenCalledOnce();
    time.wall += 86_400_000;
  });

  it('buffers at most one log read for a stalled reader, and loses no events', async () => {
    const stream = await open();
    stream.read(0);
    await ring(10, 3_000);
    await expect.poll(() => events.tail.ends(), { timeout: 10_000 }).toMatchObject({ head: 3_001 });
    await expect.poll(() => stream.readableLength, { timeout: 5_000 }).toBeGreaterThan(0);
    expect(numbersIn(String(stream.read())).length).toBeLessThanOrEqual(1_000);
    const read = reading(stream);
    await expect.poll(() => numbersIn(read.text).at(-1), { timeout: 10_000 }).toBe(3_009);
    const numbers = numbersIn(read.text);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });

  it('is closed when its reader has been stalled for a minute', async () => {
    const { head } = await events.tail.ends();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stream = openAt(head);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(stream.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stream.destroyed).toBe(true);
  });
});
