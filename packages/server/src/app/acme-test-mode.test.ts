import { describe, expect, it } from 'vitest';
import { acmeTestMode, testModeWarning } from './acme-test-mode.ts';
import { readConfiguration } from './configuration.ts';

const valuesOf = (...args: string[]) => readConfiguration({ args, environment: {} }).values;

describe('the test mode of the ACME server', () => {
  it('is off, and nothing is said of it, unless a setting turns it on', () => {
    expect([acmeTestMode(valuesOf()), testModeWarning(valuesOf())]).toEqual([undefined, undefined]);
  });

  it('is said aloud with what it does', () => {
    const values = valuesOf('--acme-test-bad-nonces=5', '--acme-test-validation-delay=3');
    expect(acmeTestMode(values)).toEqual({ badNoncePercent: 5, validationDelayMs: 3_000 });
    expect(testModeWarning(values)).toMatch(/^ACME TEST MODE: 5 % of requests .* 3 s late/);
  });
});
