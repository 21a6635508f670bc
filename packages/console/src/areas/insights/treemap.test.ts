import { describe, expect, it } from 'vitest';
import { treemap } from './treemap.ts';

const tilesOf = (weights: readonly number[], ratio = 2) => treemap(weights, (weight) => weight, ratio);

describe('a treemap', () => {
  it.each([[[6, 6, 4, 3, 2, 2, 1]], [[1]], [[1_000_000, 1, 1]], [Array.from({ length: 40 }, (_, n) => 40 - n)]])(
    'covers the whole area by weight: %j',
    (weights) => {
      const tiles = tilesOf(weights);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const { item, width, height } of tiles) expect(width * height).toBeCloseTo(item / total, 9);
      for (const { left, top, width, height } of tiles) {
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-9);
        expect(Math.max(left + width, top + height)).toBeLessThanOrEqual(1 + 1e-9);
      }
    },
  );

  it('has no overlapping tiles', () => {
    const tiles = tilesOf([6, 6, 4, 3, 2, 2, 1]);
    for (const [place, one] of tiles.entries())
      for (const other of tiles.slice(place + 1)) {
        const wide = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
        const high = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
        expect(Math.min(wide, high)).toBeLessThan(1e-9);
      }
  });

  it('has square tiles if all weights are equal', () => {
    for (const { width, height } of tilesOf([1, 1, 1, 1, 1, 1, 1, 1])) expect((width * 2) / height).toBeCloseTo(1, 9);
  });

  it('has no tile for items without weight', () => {
    expect(tilesOf([3, 0]).map(({ item }) => item)).toEqual([3]);
    expect(tilesOf([])).toEqual([]);
  });
});
