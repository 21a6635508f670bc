import { expect, it } from 'vitest';
import { createKeyTurns } from './key-turns.ts';

const nextImmediate = () => new Promise<void>((resolve) => setImmediate(resolve));

it('key destruction waits for operations in progress, and later operations wait for the destruction', async () => {
  const turns = createKeyTurns();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const step = (name: string, wait?: Promise<void>) => async () => {
    order.push(`${name} begins`);
    await wait;
    order.push(`${name} ends`);
  };
  const first = turns.use('key', step('use', gate.promise));
  const end = turns.alone('key', step('end'));
  const later = turns.use('key', step('later'));
  const other = turns.use('another key', step('other'));
  await nextImmediate();
  expect(order).toEqual(['use begins', 'other begins', 'other ends']);
  gate.resolve();
  await Promise.all([first, end, later, other]);
  expect(order.slice(3)).toEqual(['use ends', 'end begins', 'end ends', 'later begins', 'later ends']);
});

it('a failed operation affects only its caller', async () => {
  const turns = createKeyTurns();
  const failing = () => Promise.reject(new Error('refused'));
  const outcomes = await Promise.allSettled([
    turns.use('key', failing),
    turns.alone('key', failing),
    turns.alone('key', () => Promise.resolve('done')),
    turns.use('key', () => Promise.resolve('used')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
});
