import { createFakeClock } from '@signetry/testkit/services';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logging/logger.ts';
import { createResultCache } from './result-cache.ts';

function counter({ tookMs }: { readonly tookMs: number }) {
  const clock = createFakeClock(new Date('2027-01-01T00:00:00Z'));
  const remembered = createResultCache({ clock, log: createLogger({ level: 'silent' }) });
  let counted = 0;
  const recall = (key: unknown = 'all') =>
    remembered.recall(key, async () => {
      clock.advance(tookMs);
      counted += 1;
      return { countedAt: clock.now().toISOString(), counted };
    });
  return { clock, recall };
}

describe('a counted result', () => {
  it('is recounted each time if counting is fast', async () => {
    const { recall } = counter({ tookMs: 10 });
    expect([(await recall()).counted, (await recall()).counted]).toEqual([1, 2]);
  });

  it('is cached for a minute if counting was slow, but only for callers with the same permissions', async () => {
    const { clock, recall } = counter({ tookMs: 500 });
    expect((await recall({ uuids: new Set(['b', 'a']) })).counted).toBe(1);
    clock.advance(50_000);
    expect((await recall({ uuids: new Set(['a', 'b']) })).counted).toBe(1);
    expect((await recall({ uuids: new Set(['a']) })).counted).toBe(2);
  });

  it('is returned immediately even if it is outdated, and is refreshed for the next request', async () => {
    const { clock, recall } = counter({ tookMs: 500 });
    await recall();
    clock.advance(120_000);
    expect((await recall()).counted).toBe(1);
    await expect.poll(async () => (await recall()).counted).toBe(2);
  });

  it('is not returned after an hour', async () => {
    const { clock, recall } = counter({ tookMs: 500 });
    await recall();
    clock.advance(3_700_000);
    expect((await recall()).counted).toBe(2);
  });

  it('is counted only once for concurrent requests', async () => {
    const { recall } = counter({ tookMs: 500 });
    const all = await Promise.all([recall(), recall(), recall()]);
    expect(all.map(({ counted }) => counted)).toEqual([1, 1, 1]);
  });
});
