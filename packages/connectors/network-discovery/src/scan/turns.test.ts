import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurn } from './turns.ts';

/** Keeps the CPU busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('runs queued work in order, and lets other work run in between', async () => {
  const done: number[] = [];
  for (let number = 0; number < 20; number += 1)
    inTurn(() => {
      work(2);
      done.push(number);
    });
  const between: number[] = [];
  while (done.length < 20) {
    await setImmediate();
    between.push(done.length);
  }
  expect(done).toEqual(Array.from({ length: 20 }, (_, number) => number));
  const steps = between.map((count, place) => count - (between[place - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(4);
});

it('runs newly queued work after the work that is already in the queue', async () => {
  const done: string[] = [];
  inTurn(() => {
    inTurn(() => done.push('inner'));
    done.push('outer');
  });
  inTurn(() => done.push('next'));
  await setImmediate();
  await setImmediate();
  await setImmediate();
  expect(done).toEqual(['outer', 'next', 'inner']);
});
