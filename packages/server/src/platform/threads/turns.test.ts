import { describe, expect, it } from 'vitest';
import { createTurns, type TurnsOptions } from './turns.ts';

const refusal = () => new Error('too many');

/** Work that ends when the test says so, in the order in which it began. */
function open(options: Partial<TurnsOptions> = {}) {
  const turns = createTurns({ atOnce: 2, maxWaiting: 8, maxWaitingOfSource: 4, refusal, ...options });
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
    await Promise.resolve(); // the place is free after the work has ended
  };
  return { turns, begun, run, settled };
}

describe('turns', () => {
  it('run one piece of work of a source at a time, and those of other sources beside it', async () => {
    const { begun, run, settled } = open();
    const [first] = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('c', 'c1')];
    expect(begun).toEqual(['a1', 'b1']);
    await settled('a1', first);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('are taken by the sources one after the other, however much one of them has', async () => {
    const { begun, run, settled } = open({ atOnce: 1 });
    const work = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')];
    await settled('a1', work[0] as Promise<string>);
    await settled('a2', work[1] as Promise<string>);
    await settled('b1', work[3] as Promise<string>);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('refuse what a source brings beyond its places, and take work of others', async () => {
    const { begun, run } = open({ maxWaitingOfSource: 1 });
    void run('a', 'a1');
    void run('a', 'a2');
    await expect(run('a', 'a3')).rejects.toThrow('too many');
    void run('b', 'b1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('refuse everything that would have to wait beyond the places of all', async () => {
    const { run } = open({ atOnce: 1, maxWaiting: 1 });
    void run('a', 'a1');
    void run('b', 'b1');
    await expect(run('c', 'c1')).rejects.toThrow('too many');
  });

  it('go on after work that fails', async () => {
    const { turns, run, settled } = open({ atOnce: 1 });
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await settled('a1', run('a', 'a1'));
  });
});
