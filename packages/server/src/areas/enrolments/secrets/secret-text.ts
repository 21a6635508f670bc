// Secrets as people read them out and type them: no characters that are taken for one another.
import { randomInt } from 'node:crypto';

/** 32 characters, five bits each: without I, L, O and U, as in Crockford's Base32, in lower case. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export const randomSecretText = (characters: number): string =>
  Array.from({ length: characters }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
