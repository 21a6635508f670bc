// How much key derivation one file may ask for. Each of its parts brings its own count of iterations, so they are
// counted together, weighed by what an iteration of each scheme costs.
import { PkiError } from '../errors.ts';

/**
 * Less than a second of one processor; files of today ask for a third of it at most, hostile ones for 2^31 iterations.
 */
const MAX_UNITS = 900_000;

/** Units, of a microsecond at most, per iteration and block of output. */
const UNITS = {
  /** In JavaScript, one digest per iteration. */
  pkcs12: 1.2,
  /** In OpenSSL, an HMAC per iteration. */
  pbkdf2: 0.5,
  /** In OpenSSL, per 128 octets that are filled and read. */
  scrypt: 0.4,
} as const;

export interface DerivationBudget {
  /** Call before deriving. Throws `PkiError` `bound-exceeded` when it would be too much. */
  spend(scheme: keyof typeof UNITS, iterations: number): void;
}

/** `seconds` of one processor, for files with several keys. */
export function createDerivationBudget(seconds = 1): DerivationBudget {
  let left = MAX_UNITS * seconds;
  return {
    spend(scheme, iterations) {
      left -= UNITS[scheme] * iterations;
      if (left >= 0) return;
      throw new PkiError('bound-exceeded', `The file asks for too much key derivation (${iterations} iterations).`);
    },
  };
}
