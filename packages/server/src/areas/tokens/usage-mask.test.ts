import { KeyUsage } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { usageMask, usagesOf } from './usage-mask.ts';

describe('the usages of keys, as they are stored', () => {
  it.each([
    [[], 0],
    [['sign'], 1],
    [['verify'], 2],
    [['encrypt'], 4],
    [['decrypt'], 8],
    [['wrap'], 16],
    [['unwrap'], 32],
    [['sign', 'verify'], 3],
    [[...KeyUsage.options], 63],
  ] as const)('%j is %i, and back', (usages, mask) => {
    expect(usageMask(usages)).toBe(mask);
    expect(usagesOf(mask)).toEqual(usages);
  });

  it('count once each and have no order', () => {
    expect(usageMask(['verify', 'sign', 'verify', 'sign'])).toBe(3);
    expect(usagesOf(usageMask(['unwrap', 'sign']))).toEqual(['sign', 'unwrap']);
  });

  it('ignore bits of no usage', () => {
    expect(usagesOf(64 + 1)).toEqual(['sign']);
  });
});
