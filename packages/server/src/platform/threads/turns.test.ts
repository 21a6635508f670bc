import { describe, expect, it } from 'vitest';
import { createTurns, type TurnsOptions } from './turns.ts';

const createRejection = () => new Error('too many');

/** Creates turns whose work ends when the test requests it, and records the order in which the work started. */
function open(options: Partial<TurnsOptions> = {}) {
  const turns = createTurns({ atOnce: 2, maxWaiting: 8, maxWaitingOfSource: 4, refusal: createRejection, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (source: string, name: string) =>
    turns.run(source, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const settled = async (name: string, work: Promise<string>) => {
    ends.get(name)?.();
    expect(await work).toBe(name);
    await Promise.resolve(); // The slot is released after the work has ended.
  };
  return { turns, begun, run, settled };
}

describe('turns', () => {
  it('run only one task per source at a time, but run tasks of different sources concurrently', async () => {
    const { begun, run, settled } = open();
    const [first] = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('c', 'c1')];
    expect(begun).toEqual(['a1', 'b1']);
    await settled('a1', first);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('alternate between sources, regardless of how many tasks one of them has', async () => {
    const { begun, run, settled } = open({ atOnce: 1 });
    const work = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')];
    await settled('a1', work[0] as Promise<string>);
    await settled('a2', work[1] as Promise<string>);
    await settled('b1', work[3] as Promise<string>);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it("reject a source's tasks that exceed its queue limit, but accept tasks of other sources", async () => {
    const { begun, run } = open({ maxWaitingOfSource: 1 });
    void run('a', 'a1');
    void run('a', 'a2');
    await expect(run('a', 'a3')).rejects.toThrow('too many');
    void run('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('reject all tasks that exceed the total queue limit', async () => {
    const { run } = open({ atOnce: 1, maxWaiting: 1 });
    void run('a', 'a1');
    void run('b', 'b1');
    await expect(run('c', 'c1')).rejects.toThrow('too many');
  });

  it('continue after a failed task', async () => {
    const { turns, run, settled } = open({ atOnce: 1 });
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await settled('a1', run('a', 'a1'));
  });
});
