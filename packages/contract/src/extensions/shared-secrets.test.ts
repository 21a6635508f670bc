import { describe, expect, it } from 'vitest';
import { isShortSecret, randomSharedSecret } from './shared-secrets.ts';

describe('a shared secret', () => {
  it.each([
    ['', true],
    ['a'.repeat(15), true],
    ['a'.repeat(16), false],
    ['é'.repeat(7), true],
    ['é'.repeat(8), false],
  ])('%j is considered too short: %s (measured in bytes)', (secret, isShort) => {
    expect(isShortSecret(secret)).toBe(isShort);
  });

  it('has 32 characters if it is generated, none of which can be confused with another', () => {
    const secrets = new Set(Array.from({ length: 200 }, randomSharedSecret));
    expect(secrets.size).toBe(200);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    expect(new Set([...secrets].join('')).size).toBe(32);
  });
});
