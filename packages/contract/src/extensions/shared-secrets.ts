// Secrets that many devices share: how long they have to be. The published operations accept shorter ones.

/** A secret with fewer octets can be guessed from one recorded message. */
export const MIN_SHARED_SECRET_OCTETS = 16;

/** In UTF-8, as protocols use it. */
export const isShortSecret = (secret: string): boolean =>
  new TextEncoder().encode(secret).length < MIN_SHARED_SECRET_OCTETS;

const RANDOM_OCTETS = 20;
/** People type secrets into devices: no characters that are taken for one another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 32 characters of five random bits each. */
export function randomSharedSecret(): string {
  const octets = crypto.getRandomValues(new Uint8Array(RANDOM_OCTETS));
  const bits = Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}
