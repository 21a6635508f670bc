// Goal: steps overlap but keep their order, nothing is written after the end, and no work is left running after an
// error.
import { describe, expect, it } from 'vitest';
import { inTurns } from './turns.ts';

const later = () => new Promise<void>((resolve) => void setImmediate(resolve));
const upTo = (count: number) => {
  let next = 0;
  return async () => {
    await later();
    return next < count ? (next += 1) : undefined;
  };
};

describe('pipelined items', () => {
  it('are written in order, while the next item is being processed', async () => {
    const seen: string[] = [];
    const step = (name: string) => async (item: number) => {
      seen.push(`${name} ${item}`);
      await later();
      await later();
      seen.push(`${name} ${item} done`);
      return item;
    };
    const write = step('write');
    await inTurns({ read: upTo(3), work: step('work'), write: async (item) => void (await write(item)) });
    expect(seen.filter((each) => /^write \d$/.test(each))).toEqual(['write 1', 'write 2', 'write 3']);
    expect(seen.indexOf('work 2')).toBeLessThan(seen.indexOf('write 1 done'));
    expect(seen.indexOf('write 1 done')).toBeLessThan(seen.indexOf('write 2'));
  });

  it('occupy each step only one at a time', async () => {
    const under = { read: 0, work: 0, write: 0 };
    let most = 0;
    const within = async <Value>(name: keyof typeof under, value: Value): Promise<Value> => {
      under[name] += 1;
      most = Math.max(most, ...Object.values(under));
      await later();
      under[name] -= 1;
      return value;
    };
    const next = upTo(20);
    await inTurns({
      read: async () => within('read', await next()),
      work: (item) => within('work', item),
      write: (item) => within('write', void item),
    });
    expect(most).toBe(1);
    expect(under).toEqual({ read: 0, work: 0, write: 0 });
  });

  it('are no longer written after the signal is aborted', async () => {
    const stopping = new AbortController();
    const written: number[] = [];
    await inTurns({
      read: upTo(9),
      work: async (item) => {
        if (item === 3) stopping.abort();
        return item;
      },
      write: async (item) => void written.push(item),
      signal: stopping.signal,
    });
    expect(written).toEqual([1, 2]);
  });

  it.each(['read', 'work', 'write'] as const)(
    'stop at the first error (in %s), after the steps in progress have finished',
    async (step) => {
      const next = upTo(9);
      let under = 0;
      const at = (name: typeof step) => async (item: number) => {
        under += 1;
        await later();
        under -= 1;
        if (name === step && item === 2) throw new Error(`${name} failed`);
        return item;
      };
      const [read, write] = [at('read'), at('write')];
      const turns = inTurns({
        read: async () => {
          const item = await next();
          return item === undefined ? undefined : read(item);
        },
        work: at('work'),
        write: async (item) => void (await write(item)),
      });
      await expect(turns).rejects.toThrow(`${step} failed`);
      expect(under).toBe(0);
    },
  );
});
