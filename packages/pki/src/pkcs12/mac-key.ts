// MAC key of a PKCS #12 file, derived as specified in RFC 7292 appendix B. Uses Web Crypto for the first digest.
import { concatBytes } from '../bytes.ts';
import { encodeUtf16 } from '../der/text.ts';
import { repeatSha256 } from './repeated-sha256.ts';

/** Block size (v in appendix B) and digest size (u) of SHA-256, in bytes. */
const BLOCK = 64;
/** ID for MAC keys, as opposed to cipher keys and initialization vectors (appendix B.3). */
const MAC_PURPOSE = 3;

/**
 * Returns 32 bytes for HMAC-SHA256 (RFC 7292 §4, appendix B.2). This is the length of one digest, so the steps that
 * extend the output (6B and 6C) are not needed.
 */
export async function deriveMacKey(
  password: string,
  { salt, iterations }: { readonly salt: Uint8Array; readonly iterations: number },
): Promise<Uint8Array<ArrayBuffer>> {
  // The password is encoded in UTF-16 with two terminating zero bytes (appendix B.1).
  const secret = concatBytes([encodeUtf16(password), new Uint8Array(2)]);
  const diversifier = new Uint8Array(BLOCK).fill(MAC_PURPOSE);
  const first = concatBytes([diversifier, repeatToBlocks(salt), repeatToBlocks(secret)]);
  return repeatSha256(new Uint8Array(await crypto.subtle.digest('SHA-256', first)), iterations - 1);
}

/** Repeats the bytes to fill a multiple of the block length (steps 2 and 3). */
function repeatToBlocks(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
  // `bytes` is not empty if `out` is not.
  for (let i = 0; i < out.length; i++) out[i] = bytes[i % bytes.length] as number;
  return out;
}
