// Serial numbers of new certificates: positive, at most 20 bytes, at least 64 bits from a strong generator (RFC 5280
// §4.1.2.2; the Baseline Requirements require 64 bits of entropy, which prevents chosen-prefix collisions).
import { PkiError } from '../errors.ts';
import type { RandomBytes } from '../crypto.ts';

/** Maximum length of a serial number in bytes: the top bit stays clear, so the INTEGER needs no sign byte. */
export const MAX_SERIAL_OCTETS = 20;
export const MIN_SERIAL_RANDOM_BITS = 64;

/**
 * Returns a serial number of exactly `octets` bytes (default 16, at most 20, at least 9), as unsigned big-endian bytes.
 * The top bit is 0 and the next is 1, so it is positive and never has a leading zero, at the cost of two random bits.
 * Throws `PkiError` `bad-argument`.
 */
export function generateSerialNumber(randomBytes: RandomBytes, octets = 16): Uint8Array {
  if (!Number.isInteger(octets) || octets > MAX_SERIAL_OCTETS || octets * 8 - 2 < MIN_SERIAL_RANDOM_BITS) {
    throw new PkiError('bad-argument', `A serial number must have 9 to ${MAX_SERIAL_OCTETS} bytes.`);
  }
  const serial = Uint8Array.from(randomBytes(octets));
  if (serial.length !== octets) throw new PkiError('bad-argument', 'The random source returned too few bytes.');
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40; // `octets` is at least 9.
  return serial;
}
