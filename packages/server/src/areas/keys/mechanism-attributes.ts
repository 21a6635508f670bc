// Attributes that the platform requests from callers to select a signature or cipher scheme, by key algorithm, and how
// their values are interpreted. All providers use the same names.
import { dataAttribute, type Choice } from '@signetry/connector-sdk';
import {
  CIPHER_ATTRIBUTES,
  KeyAlgorithm,
  OFFERED_DIGESTS,
  RsaEncryptionScheme,
  RsaSignatureScheme,
  SIGNATURE_ATTRIBUTES,
  type DataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import {
  isPkiError,
  parsePublicKey,
  PkiError,
  signatureAlgorithm,
  type DigestName,
  type KeyTransport,
  type PublicKey,
  type SignatureAlgorithm,
} from '@signetry/pki';
import { rejected } from '../../kernel/errors.ts';
import { checkPlatformValues } from '../attributes/index.ts';

const choice = (
  attribute: { readonly uuid: string; readonly name: string },
  facts: { readonly label: string; readonly choices: readonly Choice<'string'>[]; readonly required: boolean },
) => dataAttribute({ ...attribute, contentType: 'string', ...facts });

const signatureScheme = choice(SIGNATURE_ATTRIBUTES.scheme, {
  label: 'Signature scheme',
  choices: RsaSignatureScheme.options,
  required: true,
});

const signatureDigest = choice(SIGNATURE_ATTRIBUTES.digest, {
  label: 'Digest',
  choices: OFFERED_DIGESTS,
  required: true,
});

/** Algorithms with built-in hashing have no attributes. */
export function signatureDefinitions(algorithm: KeyAlgorithm): readonly DataAttribute[] {
  if (algorithm === 'RSA') return [signatureScheme, signatureDigest];
  return algorithm === 'ECDSA' ? [signatureDigest] : [];
}

const cipherAttributes = (digests: readonly Choice<'string'>[]): readonly DataAttribute[] => [
  choice(CIPHER_ATTRIBUTES.scheme, {
    label: 'Encryption scheme',
    choices: RsaEncryptionScheme.options,
    required: true,
  }),
  choice(CIPHER_ATTRIBUTES.oaepDigest, { label: 'OAEP digest', choices: digests, required: false }),
  dataAttribute({
    ...CIPHER_ATTRIBUTES.oaepMgf,
    label: 'Use OAEP digest for MGF1',
    description: 'Otherwise MGF1 uses SHA-1.',
    contentType: 'boolean',
  }),
];

/** Secret keys have no attributes, because they have a single encryption scheme. */
export const cipherDefinitions = (algorithm: KeyAlgorithm): readonly DataAttribute[] =>
  algorithm === 'RSA' ? cipherAttributes(OFFERED_DIGESTS) : [];

/** The sender of encrypted data selects the digest, and many use OAEP's default, SHA-1 (RFC 8017 §A.2.1). */
export const decryptionDefinitions = (algorithm: KeyAlgorithm): readonly DataAttribute[] =>
  algorithm === 'RSA' ? cipherAttributes([...OFFERED_DIGESTS, 'SHA-1']) : [];

/** Algorithms of the interface that the platform does not implement, in addition to those outside the interface. */
const NOT_IMPLEMENTED: ReadonlySet<string> = new Set<KeyAlgorithm>([
  'FALCON',
  'CRYSTALS-Dilithium',
  'SPHINCS+',
  'Unknown',
]);

/** Returns whether only the provider knows the algorithm. */
const isProvidersOwn = (algorithm: string): boolean =>
  NOT_IMPLEMENTED.has(algorithm) || !KeyAlgorithm.safeParse(algorithm).success;

/**
 * Checks the attributes of an operation (422). Attributes for an algorithm that only the provider knows are passed on
 * to the provider.
 */
export function acceptMechanism(
  algorithm: KeyAlgorithm,
  define: (algorithm: KeyAlgorithm) => readonly DataAttribute[],
  requested: readonly RequestAttributeDto[],
): RequestAttributeDto[] {
  return isProvidersOwn(algorithm) ? [...requested] : checkPlatformValues(define(algorithm), requested);
}

/**
 * Returns the public key if the platform implements its algorithm. Providers may encode keys of other algorithms in a
 * form of their own.
 */
export function verifiableKey(spki: Uint8Array, algorithm: KeyAlgorithm): PublicKey | undefined {
  try {
    const key = parsePublicKey(spki);
    return key.family === 'Unknown' ? undefined : key;
  } catch (error) {
    if (isPkiError(error) && isProvidersOwn(algorithm)) return undefined;
    throw error;
  }
}

/** Returns the value of a text attribute. */
function textOf(values: readonly RequestAttributeDto[], { name }: { readonly name: string }): string | undefined {
  const data = values.find((value) => value.name === name)?.content?.[0]?.data;
  return typeof data === 'string' ? data : undefined;
}

/** Returns the signature algorithm for a key and its accepted attribute values; 422 if the key does not support it. */
export function signatureAlgorithmOf(key: PublicKey, accepted: readonly RequestAttributeDto[]): SignatureAlgorithm {
  const digest = textOf(accepted, SIGNATURE_ATTRIBUTES.digest)?.replace(/^SHA-(\d)/, 'SHA$1');
  const name = nameOf(key, { digest, scheme: textOf(accepted, SIGNATURE_ATTRIBUTES.scheme) });
  try {
    return signatureAlgorithm(name);
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw rejected(`Cannot sign with a key of type ${key.name} this way: ${error.message}`);
  }
}

function nameOf(
  { family, name }: PublicKey,
  { digest, scheme }: { readonly digest: string | undefined; readonly scheme: string | undefined },
): string {
  if (family === 'ECDSA') return `${digest}withECDSA`;
  if (family !== 'RSA') return name;
  return scheme === 'PSS' ? `${digest}withRSAandMGF1` : `${digest}withRSA`;
}

/** Returns the attribute values for a signature algorithm. This is the inverse of `signatureAlgorithmOf`. */
export function signatureValuesOf({ kind, digest }: SignatureAlgorithm): RequestAttributeDto[] {
  if (digest === undefined) return [];
  const ofDigest = textValue(SIGNATURE_ATTRIBUTES.digest, digestText(digest));
  if (kind === 'ecdsa') return [ofDigest];
  return [textValue(SIGNATURE_ATTRIBUTES.scheme, kind === 'rsa-pss' ? 'PSS' : 'PKCS1-v1_5'), ofDigest];
}

const textValue = (attribute: { readonly uuid: string; readonly name: string }, data: string): RequestAttributeDto => ({
  ...attribute,
  contentType: 'string',
  content: [{ data }],
});

/**
 * Returns the attribute values for RSA decryption of protocol messages. Throws `PkiError` `unsupported-algorithm` for
 * an OAEP label, which has no attribute.
 */
export function cipherValuesOf(transport: KeyTransport): RequestAttributeDto[] {
  if (transport.kind === 'rsa-pkcs1') return [textValue(CIPHER_ATTRIBUTES.scheme, 'PKCS1-v1_5')];
  if (transport.label.length > 0)
    throw new PkiError('unsupported-algorithm', 'RSAES-OAEP with a label is not supported.');
  return [
    textValue(CIPHER_ATTRIBUTES.scheme, 'OAEP'),
    textValue(CIPHER_ATTRIBUTES.oaepDigest, digestText(transport.digest)),
    { ...CIPHER_ATTRIBUTES.oaepMgf, contentType: 'boolean', content: [{ data: true }] },
  ];
}

/** Returns the name of a digest in attribute values. */
const digestText = (digest: DigestName): string => digest.toUpperCase().replace(/^SHA(?!3-)/, 'SHA-');

/** Returns the default signature attributes for CSRs and certificates. */
export function defaultSignatureValues(key: Pick<PublicKey, 'family' | 'bits'>): RequestAttributeDto[] {
  const digest = textValue(SIGNATURE_ATTRIBUTES.digest, digestFor(key));
  if (key.family === 'RSA') return [textValue(SIGNATURE_ATTRIBUTES.scheme, 'PKCS1-v1_5'), digest];
  return key.family === 'ECDSA' ? [digest] : [];
}

/** Returns a digest that matches the curve's strength (RFC 5480 §4), or SHA-256 for RSA. */
function digestFor({ family, bits }: Pick<PublicKey, 'family' | 'bits'>): string {
  if (family !== 'ECDSA' || bits <= 256) return 'SHA-256';
  return bits <= 384 ? 'SHA-384' : 'SHA-512';
}
