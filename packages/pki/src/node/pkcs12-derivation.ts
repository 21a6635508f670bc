// PKCS #12 key derivation (RFC 7292 appendix B): old, slow in JavaScript, and still used for the MAC in most files.
// Callers must limit the iterations.
import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { concatBytes, plainBytes } from '../bytes.ts';
import { encodeUtf16 } from '../der/text.ts';

/** Number of iterations before yielding to the event loop: about 10 ms of work. */
const ITERATIONS_PER_TURN = 8192;

/**
 * A password, or `undefined` for none. Programs treat the empty password differently: some derive the key from its two
 * terminating zero bytes, others from an empty string.
 */
export type Pkcs12Password = string | undefined;

export interface Pkcs12Derivation {
  /** 1 for a key, 2 for an initialization vector, 3 for a MAC key. */
  readonly purpose: 1 | 2 | 3;
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly digest: 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
  readonly length: number;
}

/** Derives a key as specified in RFC 7292 appendix B.2, yielding to the event loop every few thousand iterations. */
export async function derivePkcs12(password: Pkcs12Password, options: Pkcs12Derivation): Promise<Uint8Array> {
  const { purpose, salt, iterations, digest, length } = options;
  const block = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  const diversifier = new Uint8Array(block).fill(purpose);
  // The password includes its two terminating zero bytes (appendix B.1).
  const secret = password === undefined ? new Uint8Array() : concatBytes([encodeUtf16(password), new Uint8Array(2)]);
  const material = concatBytes([repeatTo(salt, block), repeatTo(secret, block)]);
  const output: Uint8Array[] = [];
  for (let made = 0; made < length;) {
    let state = plainBytes(hash(digest, concatBytes([diversifier, material]), 'buffer'));
    for (let i = 1; i < iterations; i++) {
      if (i % ITERATIONS_PER_TURN === 0) await nextTurn();
      state = hash(digest, state, 'buffer');
    }
    output.push(state);
    made += state.length;
    if (made < length) addToBlocks(material, repeatTo(state, block).subarray(0, block));
  }
  secret.fill(0);
  material.fill(0);
  return concatBytes(output).slice(0, length);
}

/** Repeats the bytes to fill a multiple of the block length; an empty string stays empty. */
function repeatTo(bytes: Uint8Array, block: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / block) * block);
  // `bytes` is not empty if `out` is not.
  for (let i = 0; i < out.length; i++) out[i] = bytes[i % bytes.length] as number;
  return out;
}

/** Step 6C: each block of the material becomes (block + addend + 1) mod 2^(8 * block length). */
function addToBlocks(material: Uint8Array, addend: Uint8Array): void {
  for (let start = 0; start < material.length; start += addend.length) {
    let carry = 1;
    for (let i = addend.length - 1; i >= 0; i--) {
      // Both indexes are within their blocks.
      const sum = (material[start + i] as number) + (addend[i] as number) + carry;
      material[start + i] = sum & 0xff;
      carry = sum >> 8;
    }
  }
}
