// RC2 in CBC mode (RFC 2268), to read old PKCS #12 files: the OpenSSL bundled with Node no longer provides it.
// Decryption only.
import { PkiError } from '../errors.ts';

const BLOCK = 8;

/** §2, PITABLE: a permutation of the byte values. */
const PITABLE = Uint8Array.fromHex(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
);

export interface Rc2Input {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * Decrypts and removes the padding (RFC 8018 §6.1.1). The effective key length is that of the key, as in PKCS #12.
 * Throws `PkiError`: `bad-value` for a length that is not a multiple of the block size, `wrong-password` for invalid
 * padding.
 */
export function decryptRc2({ key, iv, data }: Rc2Input): Uint8Array<ArrayBuffer> {
  if (data.length === 0 || data.length % BLOCK !== 0)
    throw new PkiError('bad-value', 'The length of the encrypted content does not match its cipher.');
  const words = expandKey(key);
  const out = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += BLOCK) {
    const before = at === 0 ? iv : data.subarray(at - BLOCK, at);
    const plain = decryptBlock(data.subarray(at, at + BLOCK), words);
    // The data consists of whole blocks.
    for (let i = 0; i < BLOCK; i++) out[at + i] = (plain[i] as number) ^ (before[i] as number);
  }
  words.fill(0);
  return removePadding(out);
}

function removePadding(octets: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const count = octets.at(-1) ?? 0;
  if (count < 1 || count > BLOCK || octets.subarray(-count).some((octet) => octet !== count))
    throw new PkiError('wrong-password', 'Cannot decrypt the content: the password is wrong.');
  return octets.subarray(0, -count);
}

/** Expands the key to 64 words of 16 bits (§2). */
function expandKey(key: Uint8Array): Uint16Array {
  const octets = new Uint8Array(128);
  octets.set(key);
  const substitute = (index: number): number => PITABLE[index & 0xff] as number; // The table has 256 bytes.
  const at = (index: number): number => octets[index] as number; // The loops below stay within bounds.
  for (let i = key.length; i < 128; i++) octets[i] = substitute(at(i - 1) + at(i - key.length));
  octets[128 - key.length] = substitute(at(128 - key.length));
  for (let i = 127 - key.length; i >= 0; i--) octets[i] = substitute(at(i + 1) ^ at(i + key.length));
  return Uint16Array.from({ length: 64 }, (_, i) => at(2 * i) | (at(2 * i + 1) << 8));
}

const ROTATIONS = [1, 2, 3, 5] as const;

/** Reverses the encryption rounds, from last to first (§4.2). */
function decryptBlock(block: Uint8Array, words: Uint16Array): Uint8Array {
  const state = Uint16Array.from(
    { length: 4 },
    (_, i) => (block[2 * i] as number) | ((block[2 * i + 1] as number) << 8),
  );
  const word = (index: number): number => state[(index + 4) % 4] as number; // The index is one of four.
  const keyWord = (index: number): number => words[index & 63] as number; // One of 64.
  let next = 63;
  const unmix = (): void => {
    for (let i = 3; i >= 0; i--) {
      const bits = ROTATIONS[i] as number; // i is 0 to 3
      const rotated = (word(i) >>> bits) | (word(i) << (16 - bits));
      state[i] = rotated - keyWord(next--) - (word(i - 1) & word(i - 2)) - (~word(i - 1) & word(i - 3));
    }
  };
  const unmash = (): void => {
    for (let i = 3; i >= 0; i--) state[i] = word(i) - keyWord(word(i - 1));
  };
  for (const rounds of [5, 6, 5]) {
    for (let i = 0; i < rounds; i++) unmix();
    if (next >= 0) unmash();
  }
  return Uint8Array.from({ length: BLOCK }, (_, i) => word(i >> 1) >>> (8 * (i & 1)));
}
