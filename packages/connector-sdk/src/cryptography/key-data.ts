// Keys in the interface's format: public keys as SubjectPublicKeyInfo, all others as references, because they never
// leave their token. The interface does not define every algorithm, so the metadata contains the actual one.
import { KeyAlgorithm, type KeyData, type KeyType, type MetadataAttribute } from '@signetry/contract';
import { metadataAttribute } from '../attributes/define-attributes.ts';

/** Properties of a key. `PublicKey` from `@signetry/pki` has the same shape. */
export interface KeyFacts {
  /** `RSA`, `ECDSA`, `Ed25519`, `ML-DSA`, `AES`, … */
  readonly family: string;
  /** Includes the parameter set: `RSA`, `ECDSA`, `ML-DSA-65`, `AES-256`, `HMAC-SHA-256`. */
  readonly name: string;
  /** Size of the modulus (RSA), field (EC), key (AES, HMAC) or encoded public key (others). */
  readonly bits: number;
  /** Curve of an EC key, e.g. `P-256`. */
  readonly curve?: string | undefined;
}

/**
 * Returns the interface's name for the algorithm; `Unknown` for Ed25519, Ed448, AES, HMAC and others that it does not
 * define.
 */
export const keyAlgorithmOf = (family: string): KeyAlgorithm =>
  KeyAlgorithm.options.find((algorithm) => algorithm === family) ?? 'Unknown';

/** Returns the algorithm name and size combined: `RSA-2048`, `P-256`, `ML-DSA-65`, `AES-256`. */
export function specificationOf({ family, name, bits, curve }: KeyFacts): string {
  if (family === 'RSA') return `RSA-${bits}`;
  return curve ?? name;
}

/** Key metadata names, identical for all cryptography providers. */
export const KEY_METADATA = {
  /** Key family, e.g. `RSA`, `Ed25519`, `AES`. */
  algorithm: { uuid: '0d6c4a52-8f0b-4d0e-9a6c-6b1f5a3e0001', name: 'meta_keyAlgorithm' },
  /** Result of `specificationOf`. */
  specification: { uuid: '0d6c4a52-8f0b-4d0e-9a6c-6b1f5a3e0002', name: 'meta_keySpecification' },
} as const;

export const keyMetadata = (key: KeyFacts): MetadataAttribute[] => [
  metadataAttribute({
    ...KEY_METADATA.algorithm,
    label: 'Key algorithm',
    contentType: 'string',
    content: [key.family],
    overwrite: true,
  }),
  metadataAttribute({
    ...KEY_METADATA.specification,
    label: 'Key specification',
    contentType: 'string',
    content: [specificationOf(key)],
    overwrite: true,
  }),
];

/** Describes a public key by its encoding. `metadata` is appended to the common key metadata. */
export const publicKeyData = (
  key: KeyFacts & { readonly spki: Uint8Array },
  metadata: readonly MetadataAttribute[] = [],
): KeyData => ({
  type: 'Public',
  ...describeKey(key, metadata),
  format: 'SubjectPublicKeyInfo',
  value: { value: Buffer.from(key.spki.buffer, key.spki.byteOffset, key.spki.length).toString('base64') },
});

/** Describes a key that does not leave its token; `reference` identifies it in a connector-specific way. */
export const nonExportableKeyData = (
  key: KeyFacts,
  facts: {
    readonly type: Extract<KeyType, 'Private' | 'Secret'>;
    readonly reference: Readonly<Record<string, string>>;
    readonly metadata?: readonly MetadataAttribute[];
  },
): KeyData => ({
  type: facts.type,
  ...describeKey(key, facts.metadata),
  format: 'Custom',
  value: { values: { ...facts.reference } },
});

const describeKey = (key: KeyFacts, metadata: readonly MetadataAttribute[] = []) => ({
  algorithm: keyAlgorithmOf(key.family),
  length: key.bits,
  metadata: [...keyMetadata(key), ...metadata],
});
