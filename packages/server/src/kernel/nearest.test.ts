import { describe, expect, it } from 'vitest';
import { distance, findNearest } from './nearest.ts';

describe('the nearest word', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['ab', 'abc', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('is found by edit distance: %j and %j differ by %i', (a, b, slips) => {
    expect(distance(a, b)).toBe(slips);
    expect(distance(b, a)).toBe(slips);
  });

  it('is the word with the smallest edit distance', () => {
    expect(findNearest('stat', ['start', 'status', 'config'])).toBe('start');
  });

  it('ignores case, and is undefined if no word is close', () => {
    expect(findNearest('KEYCOMPROMIS', ['superseded', 'keyCompromise'])).toBe('keyCompromise');
    expect(findNearest('xyz', ['superseded', 'keyCompromise'])).toBeUndefined();
  });
});
