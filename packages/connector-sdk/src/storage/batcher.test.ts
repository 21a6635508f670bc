import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

describe('batcher', () => {
  it('writes items that arrive together as one batch, and returns the result of each item', async () => {
    const sizes: number[] = [];
    const submit = createBatcher<number, number>({
      concurrency: 1,
      write: async (items) => {
        sizes.push(items.length);
        return items.map((item) => item * 10);
      },
    });
    expect(await Promise.all([1, 2, 3].map((item) => submit(item)))).toEqual([10, 20, 30]);
    expect(sizes).toEqual([3]);
  });

  it('collects items that arrive while a batch is being written', async () => {
    const sizes: number[] = [];
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const submit = createBatcher<number, number>({
      concurrency: 1,
      write: async (items) => {
        sizes.push(items.length);
        begun.resolve();
        if (sizes.length === 1) await release.promise;
        return items;
      },
    });
    const first = submit(1);
    await begun.promise;
    const rest = [2, 3, 4].map((item) => submit(item));
    release.resolve();
    expect(await Promise.all([first, ...rest])).toEqual([1, 2, 3, 4]);
    expect(sizes).toEqual([1, 3]);
  });

  it('rejects only the faulty item in a batch', async () => {
    const submit = createBatcher<number, number>({
      write: async (items) => {
        if (items.includes(2)) throw new Error('duplicate');
        return items;
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => submit(item)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
