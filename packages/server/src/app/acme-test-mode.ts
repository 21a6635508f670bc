// The test mode of the ACME server, from the settings that turn it on, and what a start says of it.
import type { AcmeTestMode } from '../protocols/acme/index.ts';
import type { Settings } from './settings.ts';

type TestSettings = Pick<Settings, 'acmeTestBadNonces' | 'acmeTestValidationDelay'>;

/** Undefined when neither setting is there. */
export function acmeTestMode({ acmeTestBadNonces, acmeTestValidationDelay }: TestSettings): AcmeTestMode | undefined {
  if (acmeTestBadNonces === 0 && acmeTestValidationDelay === 0) return undefined;
  return { badNoncePercent: acmeTestBadNonces, validationDelayMs: acmeTestValidationDelay * 1000 };
}

export function testModeWarning(values: TestSettings): string | undefined {
  if (!acmeTestMode(values)) return undefined;
  const { acmeTestBadNonces: percent, acmeTestValidationDelay: seconds } = values;
  return (
    `ACME TEST MODE: ${percent} % of requests are refused with badNonce, and validation starts ${seconds} s late. ` +
    'For authors of clients only.'
  );
}
