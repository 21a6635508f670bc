// Serial numbers of new certificates: positive, at most 20 octets, at least 64 bits from a strong generator
// (RFC 5280 §4.1.2.2; the baseline requirements demand 64 bits of entropy, which prevents chosen-prefix collisions).
import { PkiError } from '../errors.ts';
import type { RandomBytes } from '../crypto.ts';

/** Longest serial number: the top bit stays clear, so that the INTEGER needs no sign octet. */
export const MAX_SERIAL_OCTETS = 20;
export const MIN_SERIAL_RANDOM_BITS = 64;

/**
 * A serial number of exactly `octets` octets (default 16, at most 20, at least 9), as unsigned big-endian octets. The
 * top bit is 0 and the next is 1: positive, never with a leading zero, two bits less of randomness. Throws `PkiError`
 * `bad-argument`.
 */
export function generateSerialNumber(randomBytes: RandomBytes, octets = 16): Uint8Array {
  if (!Number.isInteger(octets) || octets > MAX_SERIAL_OCTETS || octets * 8 - 2 < MIN_SERIAL_RANDOM_BITS) {
    throw new PkiError('bad-argument', `A serial number has 9 to ${MAX_SERIAL_OCTETS} octets.`);
  }
  const serial = Uint8Array.from(randomBytes(octets));
  if (serial.length !== octets) throw new PkiError('bad-argument', 'The random source gave too few octets.');
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40; // octets >= 9
  return serial;
}
