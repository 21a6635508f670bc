import { describe, expect, it } from 'vitest';
import type { DiscoveryStep } from './discovery-kind.ts';
import { ResultWindow } from './result-window.ts';

const nothing: DiscoveryStep<number, object> = { checkpoint: 0, counts: { refused: 1 }, certificates: [] };
const certificate = (octets: number): DiscoveryStep<number, object> => ({
  checkpoint: 0,
  counts: { served: 1 },
  certificates: [{ fingerprint: 'ab', der: new Uint8Array(octets), sighting: { endpoint: 'a:1' } }],
});

describe('results', () => {
  it('are returned in numerical order, up to the first missing result', () => {
    const window = new ResultWindow<number, object>();
    for (const number of [2, 0, 4, 1]) window.add(number, { ...nothing, checkpoint: number });
    expect(window.take().map(({ checkpoint }) => checkpoint)).toEqual([0, 1, 2]);
    expect(window.take()).toEqual([]);
    window.add(3, nothing);
    expect(window.take()).toHaveLength(2);
  });

  it('after a missing result can be discarded', () => {
    const window = new ResultWindow<number, object>();
    for (const number of [0, 2]) window.add(number, nothing);
    window.take();
    expect(window.cut()).toBe(1);
    window.add(1, nothing);
    expect(window.take()).toHaveLength(1);
  });

  it('pause the work if too many of them wait for a missing result, until it arrives', async () => {
    const window = new ResultWindow<number, object>();
    expect(window.room(19_999)).toBeUndefined();
    const waiting = window.room(20_000);
    expect(waiting).toBeDefined();
    window.add(0, nothing);
    window.take();
    await waiting;
  });

  it.each([
    ['certificates', certificate(200_000)],
    ['what a kind keeps by itself', { ...nothing, octets: 200_000 }],
  ])(
    'pause the work if the memory limit is exceeded by %s, but never block the missing result',
    async (_what, large) => {
      const window = new ResultWindow<number, object>();
      for (let number = 1; number <= 100; number += 1) window.add(number, large);
      const waiting = window.room(101);
      expect(waiting).toBeDefined();
      expect(window.room(0)).toBeUndefined();
      window.add(0, nothing);
      expect(window.take()).toHaveLength(101);
      await waiting;
    },
  );
});
