import { beforeAll, describe, it } from 'vitest';
import { createActivity, randomNumbers } from './testing/activity.ts';
import { createCountedInventory, type CountedInventory } from './testing/exactness.ts';

let counted: CountedInventory;
beforeAll(async () => {
  counted = await createCountedInventory();
  const { platform } = counted.inventory;
  counted.inventory.declareJobs();
  await platform.jobs.start();
  return () => platform.jobs.stop();
});

describe('certificate counters under all kinds of changes', () => {
  it.each([1, 2, 3])('are exact after every action, whether folded or not (seed %i)', async (seed) => {
    const random = randomNumbers(seed);
    const activity = await createActivity(counted.inventory, random);
    for (let count = 0; count < 120; count += 1) {
      const deed = await activity.step();
      if (random() < 0.3) await counted.foldBatch();
      await counted.expectExact(`${count} ${deed}`);
      if (count % 20 === 0) await counted.expectExactForSome(`${count} ${deed}`);
    }
  });

  it('are exact at every moment while certificates are changed and counters are folded concurrently', async () => {
    const done = new AbortController();
    const whileWorking = async (work: () => Promise<unknown>): Promise<void> => {
      while (!done.signal.aborted) await work();
    };
    const worker = async (seed: number): Promise<void> => {
      const activity = await createActivity(counted.inventory, randomNumbers(seed));
      for (let count = 0; count < 60; count += 1) await activity.step();
    };
    const beside = Promise.all([
      whileWorking(counted.foldBatch),
      whileWorking(counted.foldBatch),
      whileWorking(() => counted.expectExact('meanwhile')),
    ]);
    await Promise.all([11, 12, 13, 14].map(worker)).finally(() => done.abort());
    await beside;
    await counted.expectExact('afterwards');
    await counted.foldAll();
    await counted.expectExact('folded');
    await counted.expectExactForSome('folded');
  });
});
