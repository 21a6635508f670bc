import { describe, expect, it } from 'vitest';
import { randomKeyText } from './key-text.ts';

describe('the text of an external account key', () => {
  it('has the requested number of bytes, and cannot be mistaken for a flag', () => {
    const texts = Array.from({ length: 2_000 }, () => randomKeyText(16));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => !/^\w[\w-]{21}$/.test(text))).toEqual([]);
  });
});
