// Account label for dns-account-01: the first ten bytes of the SHA-256 hash of the account URL, in lowercase base32.
// Pure.
import { createHash } from 'node:crypto';

/** Alphabet of RFC 4648 §6, in lowercase: DNS is case-insensitive. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** Number of bytes, encoded as 16 characters without padding. */
const OCTETS = 10;
const BITS_OF_CHARACTER = 5;

export function accountLabel(accountUrl: string): string {
  const digest = createHash('sha256').update(accountUrl).digest().subarray(0, OCTETS);
  const bits = [...digest].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: bits.length / BITS_OF_CHARACTER },
    (_, at) => ALPHABET[Number.parseInt(bits.slice(at * BITS_OF_CHARACTER, (at + 1) * BITS_OF_CHARACTER), 2)],
  ).join('');
}
