// ACME server test mode as configured, and the warning shown at startup.
import type { AcmeTestMode } from '../protocols/acme/index.ts';
import type { Settings } from './settings.ts';

type TestSettings = Pick<Settings, 'acmeTestBadNonces' | 'acmeTestValidationDelay'>;

/** Returns undefined if neither setting is used. */
export function acmeTestMode({ acmeTestBadNonces, acmeTestValidationDelay }: TestSettings): AcmeTestMode | undefined {
  if (acmeTestBadNonces === 0 && acmeTestValidationDelay === 0) return undefined;
  return { badNoncePercent: acmeTestBadNonces, validationDelayMs: acmeTestValidationDelay * 1000 };
}

export function testModeWarning(values: TestSettings): string | undefined {
  if (!acmeTestMode(values)) return undefined;
  const { acmeTestBadNonces: percent, acmeTestValidationDelay: seconds } = values;
  return (
    `ACME TEST MODE: ${percent} % of requests are rejected with badNonce, and validation starts ${seconds} s late. ` +
    'For ACME client developers only.'
  );
}
