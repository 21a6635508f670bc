import { describe, expect, it } from 'vitest';
import { acmeTestMode, testModeWarning } from './acme-test-mode.ts';
import { readConfiguration } from './configuration.ts';

const valuesOf = (...args: string[]) => readConfiguration({ args, environment: {} }).values;

describe("the ACME server's test mode", () => {
  it('is off by default and produces no warning', () => {
    expect([acmeTestMode(valuesOf()), testModeWarning(valuesOf())]).toEqual([undefined, undefined]);
  });

  it('produces a warning that describes its effects if it is on', () => {
    const values = valuesOf('--acme-test-bad-nonces=5', '--acme-test-validation-delay=3');
    expect(acmeTestMode(values)).toEqual({ badNoncePercent: 5, validationDelayMs: 3_000 });
    expect(testModeWarning(values)).toMatch(/^ACME TEST MODE: 5 % of requests .* 3 s late/);
  });
});
