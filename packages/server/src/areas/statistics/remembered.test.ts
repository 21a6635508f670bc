import { createFakeClock } from '@signetry/testkit/services';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logging/logger.ts';
import { createRemembered } from './remembered.ts';

function counter({ tookMs }: { readonly tookMs: number }) {
  const clock = createFakeClock(new Date('2027-01-01T00:00:00Z'));
  const remembered = createRemembered({ clock, log: createLogger({ level: 'silent' }) });
  let counted = 0;
  const recall = (key: unknown = 'all') =>
    remembered.recall(key, async () => {
      clock.advance(tookMs);
      counted += 1;
      return { countedAt: clock.now().toISOString(), counted };
    });
  return { clock, recall };
}

describe('what was counted', () => {
  it('is counted each time where that is quick', async () => {
    const { recall } = counter({ tookMs: 10 });
    expect([(await recall()).counted, (await recall()).counted]).toEqual([1, 2]);
  });

  it('is remembered for a minute where it took long, for the same callers only', async () => {
    const { clock, recall } = counter({ tookMs: 500 });
    expect((await recall({ uuids: new Set(['b', 'a']) })).counted).toBe(1);
    clock.advance(50_000);
    expect((await recall({ uuids: new Set(['a', 'b']) })).counted).toBe(1);
    expect((await recall({ uuids: new Set(['a']) })).counted).toBe(2);
  });

  it('is answered at once when it is older, and is newer the next time', async () => {
    const { clock, recall } = counter({ tookMs: 500 });
    await recall();
    clock.advance(120_000);
    expect((await recall()).counted).toBe(1);
    await expect.poll(async () => (await recall()).counted).toBe(2);
  });

  it('is not answered after an hour', async () => {
    const { clock, recall } = counter({ tookMs: 500 });
    await recall();
    clock.advance(3_700_000);
    expect((await recall()).counted).toBe(2);
  });

  it('is counted once for all who ask meanwhile', async () => {
    const { recall } = counter({ tookMs: 500 });
    const all = await Promise.all([recall(), recall(), recall()]);
    expect(all.map(({ counted }) => counted)).toEqual([1, 1, 1]);
  });
});
