// Limit on key derivation for one file. Each part of a file specifies its own iteration count, so iterations are added
// up across all parts, weighted by the cost of an iteration in each scheme.
import { PkiError } from '../errors.ts';

/** Less than one second of CPU time. Current files need at most a third of it; hostile ones request 2^31 iterations. */
const MAX_UNITS = 900_000;

/** Units per iteration and output block; one unit is at most a microsecond. */
const UNITS = {
  /** In JavaScript: one digest per iteration. */
  pkcs12: 1.2,
  /** In OpenSSL: one HMAC per iteration. */
  pbkdf2: 0.5,
  /** In OpenSSL: per 128 bytes written and read. */
  scrypt: 0.4,
} as const;

export interface DerivationBudget {
  /**
   * Must be called before deriving a key. Throws `PkiError` `bound-exceeded` if the derivation would exceed the budget.
   */
  spend(scheme: keyof typeof UNITS, iterations: number): void;
}

/** Creates a budget of `seconds` of CPU time, for files with multiple keys. */
export function createDerivationBudget(seconds = 1): DerivationBudget {
  let left = MAX_UNITS * seconds;
  return {
    spend(scheme, iterations) {
      left -= UNITS[scheme] * iterations;
      if (left >= 0) return;
      throw new PkiError('bound-exceeded', `The file requires too much key derivation (${iterations} iterations).`);
    },
  };
}
