import { KeyUsage } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { usageMask, usagesOf } from './usage-mask.ts';

describe('stored key usages', () => {
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
  ] as const)('%j are stored as %i and read back', (usages, mask) => {
    expect(usageMask(usages)).toBe(mask);
    expect(usagesOf(mask)).toEqual(usages);
  });

  it('are counted only once each, in any order', () => {
    expect(usageMask(['verify', 'sign', 'verify', 'sign'])).toBe(3);
    expect(usagesOf(usageMask(['unwrap', 'sign']))).toEqual(['sign', 'unwrap']);
  });

  it('ignore unknown bits', () => {
    expect(usagesOf(64 + 1)).toEqual(['sign']);
  });
});
