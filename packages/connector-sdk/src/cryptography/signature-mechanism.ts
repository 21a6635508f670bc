// Signature mechanism, read from a call's attributes. The key family determines the attributes: RSA requires a scheme
// and a digest, ECDSA only a digest. All other families have no attributes, because they include hashing (Ed25519,
// Ed448, ML-DSA, SLH-DSA in their pure forms) or because the digest belongs to the key (HMAC).
import {
  DigestAlgorithm,
  OFFERED_DIGESTS,
  RsaSignatureScheme,
  SIGNATURE_ATTRIBUTES,
  type OfferedDigest,
} from '@signetry/contract';
import { readString, type AttributeValues } from '../attributes/read-attributes.ts';
import { rejected } from '../connector-error.ts';
import { readChoice, rejectUnknownAttributes } from './mechanism-attributes.ts';

/** Properties of a key that restrict its mechanisms. `PublicKey` from `@signetry/pki` has the same shape. */
export interface MechanismKey {
  /** `RSA`, `ECDSA`, `Ed25519`, `Ed448`, `ML-DSA`, `SLH-DSA`, `HMAC`, `AES`; others neither sign nor encrypt. */
  readonly family: string;
  /** Display name, e.g. `ML-KEM-768`. */
  readonly name: string;
  /** Size of the modulus, for RSA keys. */
  readonly bits: number;
}

/**
 * PSS uses the same digest for MGF1, and a salt of the digest's length (RFC 8017 §9.1). ECDSA signatures are DER (RFC
 * 3279 §2.2.3).
 */
export type SignatureMechanism =
  | { readonly kind: 'rsa-pkcs1' | 'rsa-pss' | 'ecdsa'; readonly digest: OfferedDigest }
  /** The key determines the mechanism. */
  | { readonly kind: 'pure' | 'hmac' };

/** Size of each digest in bytes. */
export const DIGEST_OCTETS: Readonly<Record<OfferedDigest, number>> = {
  'SHA-224': 28,
  'SHA-256': 32,
  'SHA-384': 48,
  'SHA-512': 64,
  'SHA3-256': 32,
  'SHA3-384': 48,
  'SHA3-512': 64,
};

const PURE = new Set(['Ed25519', 'Ed448', 'ML-DSA', 'SLH-DSA']);

/** Rejects (422) attributes that are missing, unknown, unsafe or too large for the key. The error names them. */
export function readSignatureMechanism(key: MechanismKey, attributes: AttributeValues): SignatureMechanism {
  const { scheme, digest } = SIGNATURE_ATTRIBUTES;
  const owner = `A signature with a key of type ${key.name}`;
  if (key.family === 'RSA') {
    rejectUnknownAttributes(attributes, [scheme.name, digest.name], owner);
    const kind = rsaSchemes[readChoice(RsaSignatureScheme.options, { attributes, name: scheme.name, owner })];
    const mechanism = { kind, digest: digestOf(attributes, { name: digest.name, owner }) };
    rejectSmallKey(key, mechanism);
    return mechanism;
  }
  if (key.family === 'ECDSA') {
    rejectUnknownAttributes(attributes, [digest.name], owner);
    return { kind: 'ecdsa', digest: digestOf(attributes, { name: digest.name, owner }) };
  }
  const kind = PURE.has(key.family) ? 'pure' : key.family === 'HMAC' ? 'hmac' : undefined;
  if (!kind) throw rejected(`Keys of type ${key.name} cannot sign.`);
  rejectUnknownAttributes(attributes, [], owner);
  return { kind };
}

const rsaSchemes = { 'PKCS1-v1_5': 'rsa-pkcs1', PSS: 'rsa-pss' } as const satisfies Record<RsaSignatureScheme, string>;

/** Returns a digest that is safe for signatures and OAEP; rejects MD5 and SHA-1 with an explanation. */
export function digestOf(
  attributes: AttributeValues,
  { name, owner }: { readonly name: string; readonly owner: string },
): OfferedDigest {
  const unsafe = DigestAlgorithm.options.find((each) => each === readString(attributes, name));
  if (unsafe !== undefined && !OFFERED_DIGESTS.some((each) => each === unsafe))
    throw rejected(`The digest ${unsafe} (${name}) is not safe; choose one of ${OFFERED_DIGESTS.join(', ')}.`);
  return readChoice(OFFERED_DIGESTS, { attributes, name, owner });
}

/** RFC 8017 §9.1.1: digest, salt and 2 bytes must fit into one bit less than the modulus, rounded up to bytes. */
function rejectSmallKey({ bits }: MechanismKey, { kind, digest }: { kind: string; digest: OfferedDigest }): void {
  const needed = 8 * (2 * DIGEST_OCTETS[digest] + 1) + 2;
  if (kind !== 'rsa-pss' || bits >= needed) return;
  throw rejected(`PSS with ${digest} requires an RSA key of at least ${needed} bits; this one has ${bits}.`);
}
