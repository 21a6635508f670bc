import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

type Task = { readonly sleepMs?: number; readonly refuse?: string; readonly fail?: true; readonly echo?: string };

const pools: WorkerPool<Task, string>[] = [];
const open = (options: Partial<WorkerPoolOptions> = {}): WorkerPool<Task, string> => {
  const pool = createWorkerPool<Task, string>({
    file: new URL('./testing/test-thread.ts', import.meta.url),
    what: 'tasks',
    ...options,
  });
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

describe('a thread pool', () => {
  it('completes more concurrent tasks than it has threads', async () => {
    const pool = open({ maxWorkers: 2 });
    const echoes = Array.from({ length: 8 }, (_, index) => `task ${index}`);
    expect(await Promise.all(echoes.map((echo) => pool.run({ echo })))).toEqual(echoes);
  });

  it('passes on errors from the error catalog, and continues to work after them', async () => {
    const pool = open({ maxWorkers: 1 });
    await expect(pool.run({ refuse: 'not this' })).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: 'not this',
    });
    expect(await pool.run({ echo: 'that' })).toBe('that');
  });

  it('replaces a failed thread, and rejects only the task of that thread', async () => {
    const pool = open({ maxWorkers: 1 });
    const tasks: Task[] = [{ echo: 'before' }, { fail: true }, { echo: 'after' }];
    const outcomes = await Promise.allSettled(tasks.map((task) => pool.run(task)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'unavailable' } });
  });

  it('terminates a thread that exceeds the time limit, and continues with a new one', async () => {
    const pool = open({ maxWorkers: 1, timeoutMs: 500 });
    await expect(pool.run({ sleepMs: 60_000 })).rejects.toMatchObject({ code: 'unavailable' });
    // The limit includes the start of a thread, which can take multiple attempts on a busy machine.
    const again = () => pool.run({ echo: 'after' }).catch(() => undefined);
    await expect.poll(again, { timeout: 15_000 }).toBe('after');
  });

  it('rejects tasks that exceed its queue limit, and rejects all tasks when it stops', async () => {
    const pool = open({ maxWorkers: 1, maxWaiting: 1 });
    const underWay = pool.run({ sleepMs: 60_000 });
    const waiting = pool.run({ echo: 'waiting' });
    const outcomes = Promise.allSettled([underWay, waiting]);
    await expect(pool.run({ echo: 'too much' })).rejects.toMatchObject({ code: 'unavailable' });
    await pool.stop();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('terminates an idle thread', async () => {
    const pool = open({ maxWorkers: 1, idleMs: 1 });
    const first = await pool.run({ echo: 'thread' });
    await expect.poll(() => pool.run({ echo: 'thread' }), { timeout: 15_000 }).not.toBe(first);
  });
});
