import { describe, expect, it } from 'vitest';
import { problemOfAlternativeKey } from './alternative-keys.ts';

const [one, other] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)];

describe('the alternative key of a hybrid certificate', () => {
  it('is kept in a renewal and replaced in a rekey', () => {
    expect(problemOfAlternativeKey('renew', one, Uint8Array.from(one))).toBeUndefined();
    expect(problemOfAlternativeKey('renew', one, other)).toMatch(/differs/);
    expect(problemOfAlternativeKey('rekey', one, other)).toBeUndefined();
    expect(problemOfAlternativeKey('rekey', one, Uint8Array.from(one))).toMatch(/both keys/);
  });

  it('must not be omitted', () => {
    expect(problemOfAlternativeKey('renew', one, undefined)).toMatch(/no alternative key/);
    expect(problemOfAlternativeKey('rekey', one, undefined)).toMatch(/no alternative key/);
  });
});
