import { describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { rejectRandomly } from './test-mode.ts';

const nonces = { create: () => 'fresh', read: () => ({ uuid: newUuid() }) };

describe('nonces in test mode', () => {
  const countRejected = (badNoncePercent: number): number => {
    const some = rejectRandomly(nonces, { badNoncePercent, validationDelayMs: 0 });
    return Array.from({ length: 2_000 }, () => some.read('n')).filter((verdict) => 'problem' in verdict).length;
  };

  it('are rejected at the configured rate', () => {
    expect([countRejected(0), countRejected(100)]).toEqual([0, 2_000]);
    expect(countRejected(25)).toBeGreaterThan(350);
    expect(countRejected(25)).toBeLessThan(650);
  });

  it('that are already invalid remain rejected', () => {
    const bad = { ...nonces, read: () => ({ problem: 'The nonce has expired.' }) };
    const some = rejectRandomly(bad, { badNoncePercent: 100, validationDelayMs: 0 });
    expect(some.read('n')).toEqual({ problem: 'The nonce has expired.' });
  });
});
