// Encryption of content keys: with RSA keys (RFC 3370 §4.2.1, RFC 3560), by key agreement (RFC 5753, RFC 8418) and with
// passwords (RFC 3211, RFC 9481 §4.3, §4.4).
import { concatBytes } from '../bytes.ts';
import { DerError, PkiError } from '../errors.ts';
import { digestFromOid, digestAlgorithmPart, readAlgorithm, readMaskDigest } from '../algorithms.ts';
import { encodeDer, explicitPart, nullPart, octetStringPart, oidPart, sequence, type DerPart } from '../der/writer.ts';
import { explicitContent, openElement, readOctetString } from '../der/reader.ts';
import { OID } from '../oids.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier, DigestName } from '../algorithms.ts';
import type { CbcCipher } from './content-encryption.ts';
import type { CmsCrypto, KeyTransport } from './cms-crypto.ts';
import type { Digest } from '../crypto.ts';
import type { PublicKey } from '../keys.ts';

/** Reads a key transport algorithm. Throws `PkiError` `unsupported-algorithm`, `DerError`. */
export function readKeyTransport(algorithm: AlgorithmIdentifier): KeyTransport {
  if (algorithm.oid === OID.rsaEncryption) return { kind: 'rsa-pkcs1' };
  if (algorithm.oid === OID.rsaOaep) return readOaep(algorithm);
  throw new PkiError('unsupported-algorithm', `Key transport algorithm ${algorithm.oid} is not supported.`);
}

/** Reads RSAES-OAEP-params (RFC 4055 §4.1). */
function readOaep({ parameters }: AlgorithmIdentifier): KeyTransport {
  let digest: DigestName | undefined = 'sha1';
  let maskDigest: DigestName | undefined = 'sha1';
  let label: Uint8Array = new Uint8Array();
  if (parameters !== undefined) {
    const cursor = openElement(parameters, TAG.sequence);
    const hash = cursor.optional(0xa0);
    if (hash !== undefined) digest = digestFromOid(readAlgorithm(explicitContent(hash)).oid);
    const mask = cursor.optional(0xa1);
    if (mask !== undefined) maskDigest = readMaskDigest(readAlgorithm(explicitContent(mask)));
    const source = cursor.optional(0xa2);
    if (source !== undefined) label = readLabel(readAlgorithm(explicitContent(source)));
    cursor.finish();
  }
  if (digest === undefined || digest !== maskDigest)
    throw new PkiError('unsupported-algorithm', 'The RSAES-OAEP parameters specify unsupported or different digests.');
  return { kind: 'rsa-oaep', digest, label };
}

function readLabel({ oid, parameters }: AlgorithmIdentifier): Uint8Array {
  if (oid !== OID.pSpecified || parameters === undefined)
    throw new PkiError('unsupported-algorithm', 'The RSAES-OAEP parameters specify an unsupported label source.');
  return readOctetString(parameters);
}

export function keyTransportPart(transport: KeyTransport): DerPart {
  if (transport.kind === 'rsa-pkcs1') return sequence([oidPart(OID.rsaEncryption), nullPart()]);
  const { digest, label } = transport;
  const hash = digestAlgorithmPart(digest, true);
  const source = sequence([oidPart(OID.pSpecified), octetStringPart(label)]);
  const parameters = sequence([
    explicitPart(0, hash),
    explicitPart(1, sequence([oidPart(OID.mgf1), hash])),
    label.length === 0 ? undefined : explicitPart(2, source),
  ]);
  return sequence([oidPart(OID.rsaOaep), parameters]);
}

/** Wrapping key length in bytes, by algorithm (RFC 3565 §2.3.2). */
const AES_WRAPS: ReadonlyMap<string, number> = new Map([
  [OID.aes128Wrap, 16],
  [OID.aes192Wrap, 24],
  [OID.aes256Wrap, 32],
]);

/** Returns the key length of an AES key wrap algorithm, in bytes. Throws `PkiError` `unsupported-algorithm`. */
export function wrappingKeyLength({ oid }: AlgorithmIdentifier): number {
  const length = AES_WRAPS.get(oid);
  if (length !== undefined) return length;
  throw new PkiError('unsupported-algorithm', `Key wrap algorithm ${oid} is not supported. Use AES key wrap.`);
}

/** Returns the AES key wrap AlgorithmIdentifier for a key length in bytes. */
export function aesWrapDer(keyLength: number): Uint8Array {
  const found = [...AES_WRAPS].find(([, length]) => length >= keyLength);
  return encodeDer(sequence([oidPart(found?.[0] ?? OID.aes256Wrap)]));
}

/**
 * Key derivation digests by scheme (RFC 5753 §7.1.4). Supported curves have cofactor 1, so standard and cofactor
 * Diffie-Hellman are identical.
 */
const AGREEMENT_DIGESTS: ReadonlyMap<string, DigestName> = new Map([
  [OID.stdDhSha1Kdf, 'sha1'],
  [OID.stdDhSha224Kdf, 'sha224'],
  [OID.stdDhSha256Kdf, 'sha256'],
  [OID.stdDhSha384Kdf, 'sha384'],
  [OID.stdDhSha512Kdf, 'sha512'],
  [OID.cofactorDhSha1Kdf, 'sha1'],
  [OID.cofactorDhSha224Kdf, 'sha224'],
  [OID.cofactorDhSha256Kdf, 'sha256'],
  [OID.cofactorDhSha384Kdf, 'sha384'],
  [OID.cofactorDhSha512Kdf, 'sha512'],
]);

export interface KeyAgreement {
  readonly digest: DigestName;
  readonly wrap: AlgorithmIdentifier;
}

/** Reads a key agreement algorithm. Throws `PkiError` `unsupported-algorithm`, `DerError`. */
export function readKeyAgreement({ oid, parameters }: AlgorithmIdentifier): KeyAgreement {
  const digest = AGREEMENT_DIGESTS.get(oid);
  if (digest === undefined)
    throw new PkiError(
      'unsupported-algorithm',
      `Key agreement algorithm ${oid} is not supported. Use ECDH with SHA-2.`,
    );
  if (parameters === undefined) throw new DerError('missing-element', 0);
  return { digest, wrap: readAlgorithm(parameters) };
}

/** Returns the scheme that matches the strength of a key. */
export function agreementSchemeFor(key: PublicKey): { readonly oid: string; readonly digest: DigestName } {
  if (key.curve === 'P-384') return { oid: OID.stdDhSha384Kdf, digest: 'sha384' };
  if (key.curve === 'P-521') return { oid: OID.stdDhSha512Kdf, digest: 'sha512' };
  return { oid: OID.stdDhSha256Kdf, digest: 'sha256' };
}

const AGREEMENT_CURVES: ReadonlySet<string | undefined> = new Set(['P-256', 'P-384', 'P-521']);

/** Returns whether key agreement is supported for this type of key. */
export const isAgreementKey = (key: PublicKey): boolean =>
  key.family === 'X25519' || (key.family === 'ECDSA' && AGREEMENT_CURVES.has(key.curve));

export interface DerivationInput {
  readonly secret: Uint8Array;
  readonly digestName: DigestName;
  /** AlgorithmIdentifier of the key wrap, encoded. */
  readonly wrapDer: Uint8Array;
  readonly keyLength: number;
  readonly userKeyingMaterial?: Uint8Array | undefined;
}

/** Derives a wrapping key as specified in ANSI X9.63, with ECC-CMS-SharedInfo (RFC 5753 §7.2). */
export function deriveWrappingKey(input: DerivationInput, digest: Digest): Uint8Array {
  const { secret, digestName, wrapDer, keyLength, userKeyingMaterial } = input;
  const sharedInfo = encodeDer(
    sequence([
      wrapDer,
      userKeyingMaterial && explicitPart(0, octetStringPart(userKeyingMaterial)),
      explicitPart(2, octetStringPart(uint32(keyLength * 8))),
    ]),
  );
  const output: Uint8Array[] = [];
  for (let made = 0, counter = 1; made < keyLength; counter++) {
    const block = digest(digestName, concatBytes([secret, uint32(counter), sharedInfo]));
    output.push(block);
    made += block.length;
  }
  return concatBytes(output).subarray(0, keyLength);
}

const uint32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

/** Wraps a key with id-alg-PWRI-KEK (RFC 3211 §2.3.1): length, check bytes, key and padding are encrypted twice. */
export function wrapWithPassword(
  cipher: CbcCipher,
  { wrappingKey, key }: { wrappingKey: Uint8Array; key: Uint8Array },
  crypto: CmsCrypto,
): Uint8Array {
  const { name, blockLength, iv } = cipher;
  const size = Math.max(2, Math.ceil((key.length + 4) / blockLength)) * blockLength;
  const check = Array.from(key.subarray(0, 3), (octet) => octet ^ 0xff);
  const data = concatBytes([Uint8Array.of(key.length, ...check), key, crypto.randomBytes(size - key.length - 4)]);
  const once = crypto.encryptCbc(name, { key: wrappingKey, iv, data });
  return crypto.encryptCbc(name, { key: wrappingKey, iv: once.subarray(-blockLength), data: once });
}

/** Unwraps a key (RFC 3211 §2.3.2). Returns `undefined` on any error. */
export function unwrapWithPassword(
  cipher: CbcCipher,
  { wrappingKey, wrapped }: { wrappingKey: Uint8Array; wrapped: Uint8Array },
  crypto: CmsCrypto,
): Uint8Array | undefined {
  const { name, blockLength, iv } = cipher;
  if (wrapped.length < 2 * blockLength || wrapped.length % blockLength !== 0) return undefined;
  const key = wrappingKey;
  // The IV of the outer encryption is the last block of the inner one, which can be derived from the last two blocks.
  const outerIv = crypto.decryptCbc(name, {
    key,
    iv: wrapped.subarray(-2 * blockLength, -blockLength),
    data: wrapped.subarray(-blockLength),
  });
  const once = crypto.decryptCbc(name, { key, iv: outerIv, data: wrapped });
  const data = crypto.decryptCbc(name, { key, iv, data: once });
  const [length = 0, ...check] = data.subarray(0, 4);
  const opened = data.subarray(4, 4 + length);
  let wrong = Number(opened.length !== length) | Number(length < 3);
  for (let i = 0; i < 3; i++) wrong |= (opened[i] ?? 0) ^ (check[i] ?? 0) ^ 0xff;
  return wrong === 0 ? opened : undefined;
}
