// Minimum length of secrets shared by many devices. The published operations accept shorter ones.

/** Minimum length in bytes. A shorter secret can be guessed from a single recorded message. */
export const MIN_SHARED_SECRET_OCTETS = 16;

/** Measures the length of the UTF-8 encoding, which the protocols use. */
export const isShortSecret = (secret: string): boolean =>
  new TextEncoder().encode(secret).length < MIN_SHARED_SECRET_OCTETS;

const RANDOM_OCTETS = 20;
/** Users type secrets into devices, so easily confused characters are excluded. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns 32 characters with five random bits each. */
export function randomSharedSecret(): string {
  const octets = crypto.getRandomValues(new Uint8Array(RANDOM_OCTETS));
  const bits = Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}
