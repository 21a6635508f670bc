// Public keys: reads SubjectPublicKeyInfo into the values that platforms display and key policies check. Checks a key's
// structure, not its mathematics: signature verification checks that the point is on its curve.
import {
  elementBytes,
  openElement,
  openDer,
  parseDer,
  readBitStringBytes,
  readOid,
  readUnsignedBytes,
  type DerElement,
} from './der/reader.ts';
import { DerError, PkiError } from './errors.ts';
import { readAlgorithm, signatureAlgorithm, SLH_DSA_OIDS } from './algorithms.ts';
import { BRAINPOOL_CURVES, NAMED_KEYS, postQuantumDraftName, SM2_CURVE } from './named-algorithms.ts';
import { COMPOSITE_ALGORITHMS, compositeKeyInfos, splitCompositeKey, type CompositeAlgorithm } from './composite.ts';
import { OID } from './oids.ts';
import { PRE_HASH_ALGORITHMS } from './pre-hash.ts';
import { TAG } from './der/tags.ts';
import type { AlgorithmIdentifier, SignatureAlgorithm } from './algorithms.ts';

export type KeyFamily =
  | 'RSA'
  | 'ECDSA'
  | 'DSA'
  | 'DH'
  | 'Ed25519'
  | 'Ed448'
  | 'X25519'
  | 'X448'
  | 'ML-DSA'
  | 'ML-KEM'
  | 'SLH-DSA'
  | 'Composite'
  | 'HashML-DSA'
  | 'HashSLH-DSA'
  | 'Unknown';

export interface PublicKey {
  /** The encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  readonly algorithm: AlgorithmIdentifier;
  readonly family: KeyFamily;
  /** Name including the parameter set: `RSA`, `ECDSA`, `ML-DSA-65`; the OID if unknown. */
  readonly name: string;
  /**
   * RSA: modulus size. EC: field size. Post-quantum keys: the number of the parameter set (44, 768, 128), which is how
   * their strength is named. Others: size of the encoded key.
   */
  readonly bits: number;
  /** EC keys: curve name (`P-256`) or OID. */
  readonly curve?: string;
  readonly curveOid?: string;
  /** RSA keys: big-endian, without leading zeros. */
  readonly modulus?: Uint8Array;
  readonly exponent?: Uint8Array;
  /** Contents of the BIT STRING, from which key identifiers are computed (RFC 5280 §4.2.1.2 method 1). */
  readonly keyBytes: Uint8Array;
}

interface Curve {
  readonly name: string;
  readonly bits: number;
}

/** Named curves (RFC 5480 §2.1.1.1, SEC 2, RFC 5639). */
export const CURVES: ReadonlyMap<string, Curve> = new Map([
  [OID.secp256r1, { name: 'P-256', bits: 256 }],
  [OID.secp384r1, { name: 'P-384', bits: 384 }],
  [OID.secp521r1, { name: 'P-521', bits: 521 }],
  [OID.secp256k1, { name: 'secp256k1', bits: 256 }],
  ['1.3.132.0.33', { name: 'P-224', bits: 224 }],
  ['1.2.840.10045.3.1.1', { name: 'P-192', bits: 192 }],
  ...BRAINPOOL_CURVES,
]);

interface FixedKey {
  readonly family: KeyFamily;
  readonly name: string;
  /** Key length in bytes: FIPS 204 table 2, FIPS 203 table 3, FIPS 205 table 2, RFC 8410 §4. */
  readonly length: number;
}

const SLH_DSA_KEY_LENGTHS: Readonly<Record<string, number>> = { '128': 32, '192': 48, '256': 64 };

const FIXED_KEYS: ReadonlyMap<string, FixedKey> = new Map<string, FixedKey>([
  [OID.ed25519, { family: 'Ed25519', name: 'Ed25519', length: 32 }],
  [OID.ed448, { family: 'Ed448', name: 'Ed448', length: 57 }],
  [OID.x25519, { family: 'X25519', name: 'X25519', length: 32 }],
  [OID.x448, { family: 'X448', name: 'X448', length: 56 }],
  [OID.mlDsa44, { family: 'ML-DSA', name: 'ML-DSA-44', length: 1312 }],
  [OID.mlDsa65, { family: 'ML-DSA', name: 'ML-DSA-65', length: 1952 }],
  [OID.mlDsa87, { family: 'ML-DSA', name: 'ML-DSA-87', length: 2592 }],
  [OID.mlKem512, { family: 'ML-KEM', name: 'ML-KEM-512', length: 800 }],
  [OID.mlKem768, { family: 'ML-KEM', name: 'ML-KEM-768', length: 1184 }],
  [OID.mlKem1024, { family: 'ML-KEM', name: 'ML-KEM-1024', length: 1568 }],
  ...[...SLH_DSA_OIDS].map(([oid, name]): [string, FixedKey] => {
    const length = SLH_DSA_KEY_LENGTHS[/-(\d+)[SF]$/.exec(name)?.[1] ?? ''] ?? 0;
    return [oid, { family: 'SLH-DSA', name, length }];
  }),
  ...[...PRE_HASH_ALGORITHMS].map(([oid, { family, name, keyLength }]): [string, FixedKey] => [
    oid,
    { family, name, length: keyLength },
  ]),
]);

/** `ML-DSA-65`, `ML-KEM-768`, `SLH-DSA-SHA2-128S`, `HashML-DSA-65-with-SHA512`. */
const PARAMETER_SET = /^(?:(?:Hash)?ML-DSA|ML-KEM|(?:Hash)?SLH-DSA-\w+)-(\d+)/;

/** Lengths of post-quantum keys in bytes, by algorithm OID. */
export const POST_QUANTUM_KEY_LENGTHS: ReadonlyMap<string, number> = new Map(
  [...FIXED_KEYS].flatMap(([oid, { family, length }]): [string, number][] =>
    family === 'ML-DSA' || family === 'ML-KEM' || family === 'SLH-DSA' ? [[oid, length]] : [],
  ),
);

/** Reads a SubjectPublicKeyInfo element. The structure is checked only for known algorithms. Throws `DerError`. */
export function readPublicKey(element: DerElement): PublicKey {
  const cursor = openElement(element, TAG.sequence);
  const algorithm = readAlgorithm(cursor.next());
  const bitString = cursor.next();
  cursor.finish();
  const spki = elementBytes(element);
  const keyBytes = readBitStringBytes(bitString);
  switch (algorithm.oid) {
    case OID.rsaEncryption:
    case OID.rsaPss:
      return { spki, algorithm, keyBytes, ...readRsa(keyBytes, bitString) };
    case OID.ecPublicKey:
      return { spki, algorithm, keyBytes, ...readEc(algorithm, keyBytes, bitString) };
    case OID.dsa:
      return { spki, algorithm, keyBytes, family: 'DSA', name: 'DSA', bits: dsaBits(algorithm) };
    case OID.dhPublicNumber:
      return { spki, algorithm, keyBytes, family: 'DH', name: 'DH', bits: dsaBits(algorithm) };
    default:
      return { spki, algorithm, keyBytes, ...readFixed(algorithm, keyBytes, bitString) };
  }
}

/** Reads a SubjectPublicKeyInfo that spans the whole buffer. Throws `DerError`. */
export function parsePublicKey(spki: Uint8Array): PublicKey {
  return readPublicKey(parseDer(spki));
}

type KeyFacts = Omit<PublicKey, 'spki' | 'algorithm' | 'keyBytes'>;

/** Reads an RSAPublicKey (RFC 8017 appendix A.1.1). */
function readRsa(keyBytes: Uint8Array, at: DerElement): KeyFacts {
  const cursor = openDer(keyBytes);
  const modulus = readUnsignedBytes(cursor.next());
  const exponent = readUnsignedBytes(cursor.next());
  cursor.finish();
  if (modulus.length === 1) throw new DerError('bad-value', at.start, 'The RSA modulus is too short');
  return { family: 'RSA', name: 'RSA', bits: bitLength(modulus), modulus, exponent };
}

function bitLength(magnitude: Uint8Array): number {
  return magnitude.length * 8 - (Math.clz32(magnitude[0] ?? 0) - 24);
}

/**
 * Reads an uncompressed or compressed point whose size matches the curve (RFC 5480 §2.2). Parameters other than a named
 * curve (§2.1.1) leave `curve` undefined, so that such keys can be displayed; every key policy rejects them.
 */
function readEc(algorithm: AlgorithmIdentifier, point: Uint8Array, at: DerElement): KeyFacts {
  const { parameters } = algorithm;
  const curveOid = parameters?.tag === TAG.oid ? readOid(parameters) : undefined;
  const curve = curveOid === undefined ? undefined : CURVES.get(curveOid);
  const isUncompressed = point[0] === 4;
  const isPoint = isUncompressed ? point.length % 2 === 1 : point[0] === 2 || point[0] === 3;
  const size = (point.length - 1) / (isUncompressed ? 2 : 1);
  if (!isPoint || (curve !== undefined && size !== Math.ceil(curve.bits / 8))) {
    throw new DerError('bad-value', at.start, 'The EC point does not match its curve');
  }
  if (curveOid === SM2_CURVE) return { family: 'Unknown', name: 'SM2', bits: size * 8, curveOid };
  const facts = { family: 'ECDSA', name: 'ECDSA', bits: curve?.bits ?? size * 8 } as const;
  return curveOid === undefined ? facts : { ...facts, curve: curve?.name ?? curveOid, curveOid };
}

function readFixed(algorithm: AlgorithmIdentifier, keyBytes: Uint8Array, at: DerElement): KeyFacts {
  const fixed = FIXED_KEYS.get(algorithm.oid);
  const composite = COMPOSITE_ALGORITHMS.get(algorithm.oid);
  if (composite !== undefined) return readComposite(composite, { algorithm, keyBytes, at });
  const named = NAMED_KEYS.get(algorithm.oid);
  if (named !== undefined) return { family: 'Unknown', ...named };
  if (fixed === undefined) {
    const name = postQuantumDraftName(algorithm.oid) ?? algorithm.oid;
    return { family: 'Unknown', name, bits: keyBytes.length * 8 };
  }
  // RFC 8410 §3, RFC 9881 §2, RFC 9935 §3, RFC 9909 §3: parameters must be absent.
  if (algorithm.parameters !== undefined)
    throw new DerError('bad-value', at.start, `${fixed.name} keys must not have parameters`);
  if (keyBytes.length !== fixed.length)
    throw new DerError('bad-value', at.start, `The ${fixed.name} key has the wrong length`);
  const bits = PARAMETER_SET.exec(fixed.name)?.[1] ?? keyBytes.length * 8;
  return { family: fixed.family, name: fixed.name, bits: Number(bits) };
}

/** Checks the structure of the traditional part, which follows the ML-DSA part. */
function readComposite(
  composite: CompositeAlgorithm,
  { algorithm, keyBytes, at }: { algorithm: AlgorithmIdentifier; keyBytes: Uint8Array; at: DerElement },
): KeyFacts {
  const { name, set } = composite;
  if (algorithm.parameters !== undefined)
    throw new DerError('bad-value', at.start, `${name} keys must not have parameters`);
  const parts = splitCompositeKey(keyBytes, composite);
  if (parts === undefined) throw new DerError('bad-value', at.start, `The ${name} key has the wrong length`);
  parsePublicKey(compositeKeyInfos(parts, composite).traditional);
  return { family: 'Composite', name, bits: set };
}

/**
 * Returns the prime's size in bits, or 0 if the parameters are inherited. The prime is the first DSA (RFC 3279 §2.3.2)
 * or DH (§2.3.3) parameter.
 */
function dsaBits(algorithm: AlgorithmIdentifier): number {
  if (algorithm.parameters?.tag !== TAG.sequence) return 0;
  return bitLength(readUnsignedBytes(openElement(algorithm.parameters, TAG.sequence).next()));
}

/**
 * Returns the default signature algorithm for a key: SHA-256 for RSA, the digest that matches the curve's strength for
 * EC (RFC 5753 §5), otherwise the key's own algorithm. Throws `PkiError` `unsupported-algorithm` for keys that cannot
 * sign.
 */
export function defaultSignatureAlgorithm(key: PublicKey): SignatureAlgorithm {
  switch (key.family) {
    case 'RSA':
      return signatureAlgorithm('SHA256withRSA');
    case 'ECDSA':
      return signatureAlgorithm(
        key.bits <= 256 ? 'SHA256withECDSA' : key.bits <= 384 ? 'SHA384withECDSA' : 'SHA512withECDSA',
      );
    case 'Ed25519':
    case 'Ed448':
    case 'ML-DSA':
    case 'SLH-DSA':
      return signatureAlgorithm(key.name);
    default:
      throw new PkiError('unsupported-algorithm', `Keys of type ${key.name} cannot sign certificates.`);
  }
}

/** Returns whether a key of this type can create and verify signatures with this algorithm. */
export function keyFitsAlgorithm(key: PublicKey, algorithm: SignatureAlgorithm): boolean {
  switch (algorithm.kind) {
    case 'rsa-pkcs1':
      return key.algorithm.oid === OID.rsaEncryption;
    case 'rsa-pss':
      return key.family === 'RSA';
    case 'ecdsa':
      return key.family === 'ECDSA';
    case 'dsa':
      return key.family === 'DSA';
    default:
      return key.name === algorithm.name;
  }
}
