// Private key protection in JKS stores (OpenJDK, sun.security.provider.KeyProtector): a salt, the key XORed with a
// chain of SHA-1 digests that starts from the salt, and the SHA-1 of password and key. It uses no iterations, so use it
// only for software that supports nothing else.
import { readAlgorithm } from '../algorithms.ts';
import { concatBytes, equalBytes } from '../bytes.ts';
import type { Digest, RandomBytes } from '../crypto.ts';
import { openDer, readOctetString } from '../der/reader.ts';
import { encodeDer, nullPart, octetStringPart, oidPart, sequence } from '../der/writer.ts';
import { encodeUtf16 } from '../der/text.ts';
import { PkiError } from '../errors.ts';
import { OID } from '../oids.ts';

/** Length of the salt and of each digest, in bytes. */
const BLOCK = 20;

interface Protection {
  readonly password: string;
  readonly digest: Digest;
}

/**
 * Returns the private key as PKCS #8 in DER. Throws `PkiError`: `wrong-password` (an entry's password can differ from
 * the store's), `unsupported-algorithm`; `DerError` for malformed input.
 */
export function openJksKey(protectedKey: Uint8Array, { password, digest }: Protection): Uint8Array<ArrayBuffer> {
  const cursor = openDer(protectedKey);
  const { oid } = readAlgorithm(cursor.next());
  const data = readOctetString(cursor.next());
  cursor.finish();
  if (oid !== OID.sunKeyProtector)
    throw new PkiError('unsupported-algorithm', `Key protection algorithm ${oid} is not supported.`);
  if (data.length < 2 * BLOCK) throw new PkiError('bad-value', 'The protected key is too short.');
  const secret = encodeUtf16(password);
  const key = applyKeystream(data.subarray(BLOCK, -BLOCK), { salt: data.subarray(0, BLOCK), secret, digest });
  if (!equalBytes(digest('sha1', concatBytes([secret, key])), data.subarray(-BLOCK)))
    throw new PkiError('wrong-password', 'The private key password is wrong.');
  return key;
}

/** Returns an EncryptedPrivateKeyInfo with Sun's algorithm, for a key entry in a JKS store. */
export function protectJksKey(
  pkcs8: Uint8Array,
  { password, digest, randomBytes }: Protection & { readonly randomBytes: RandomBytes },
): Uint8Array<ArrayBuffer> {
  const secret = encodeUtf16(password);
  const salt = randomBytes(BLOCK);
  const sealed = applyKeystream(pkcs8, { salt, secret, digest });
  const check = digest('sha1', concatBytes([secret, pkcs8]));
  const algorithm = sequence([oidPart(OID.sunKeyProtector), nullPart()]);
  return encodeDer(sequence([algorithm, octetStringPart(concatBytes([salt, sealed, check]))]));
}

function applyKeystream(
  data: Uint8Array,
  { salt, secret, digest }: { readonly salt: Uint8Array; readonly secret: Uint8Array; readonly digest: Digest },
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(data.length);
  let block = salt;
  for (let start = 0; start < data.length; start += BLOCK) {
    block = digest('sha1', concatBytes([secret, block]));
    // `block` is BLOCK bytes long, and `start` is less than the length.
    for (let i = 0; i < BLOCK && start + i < data.length; i++)
      out[start + i] = (data[start + i] as number) ^ (block[i] as number);
  }
  return out;
}
