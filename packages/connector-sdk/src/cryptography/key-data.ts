// Keys in the form of the interface: public ones as SubjectPublicKeyInfo, the others as a reference, because they do
// not leave their token. The vocabulary of algorithms lacks some; metadata name what a key really is.
import { KeyAlgorithm, type KeyData, type KeyType, type MetadataAttribute } from '@signetry/contract';
import { metadataAttribute } from '../attributes/define-attributes.ts';

/** What a key is. `PublicKey` of `@signetry/pki` has this form. */
export interface KeyFacts {
  /** `RSA`, `ECDSA`, `Ed25519`, `ML-DSA`, `AES`, … */
  readonly family: string;
  /** With the parameter set: `RSA`, `ECDSA`, `ML-DSA-65`, `AES-256`, `HMAC-SHA-256`. */
  readonly name: string;
  /** RSA: of the modulus. EC: of the field. AES and HMAC: of the key. Others: of the encoded public key. */
  readonly bits: number;
  /** EC keys: `P-256`. */
  readonly curve?: string | undefined;
}

/** What the interface calls the algorithm; `Unknown` for Ed25519, Ed448, AES, HMAC and others it has no word for. */
export const keyAlgorithmOf = (family: string): KeyAlgorithm =>
  KeyAlgorithm.options.find((algorithm) => algorithm === family) ?? 'Unknown';

/** Name of algorithm and size together: `RSA-2048`, `P-256`, `ML-DSA-65`, `AES-256`. */
export function specificationOf({ family, name, bits, curve }: KeyFacts): string {
  if (family === 'RSA') return `RSA-${bits}`;
  return curve ?? name;
}

/** Names of the metadata of a key, the same for every cryptography provider. */
export const KEY_METADATA = {
  /** Family: `RSA`, `Ed25519`, `AES`. */
  algorithm: { uuid: '0d6c4a52-8f0b-4d0e-9a6c-6b1f5a3e0001', name: 'meta_keyAlgorithm' },
  /** `specificationOf` the key. */
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

/** A public key by its encoding. `metadata` come after those of every key. */
export const publicKeyData = (
  key: KeyFacts & { readonly spki: Uint8Array },
  metadata: readonly MetadataAttribute[] = [],
): KeyData => ({
  type: 'Public',
  ...described(key, metadata),
  format: 'SubjectPublicKeyInfo',
  value: { value: Buffer.from(key.spki.buffer, key.spki.byteOffset, key.spki.length).toString('base64') },
});

/** A key that does not leave its token; `reference` says in the connector's own words which one it is. */
export const keptKeyData = (
  key: KeyFacts,
  facts: {
    readonly type: Extract<KeyType, 'Private' | 'Secret'>;
    readonly reference: Readonly<Record<string, string>>;
    readonly metadata?: readonly MetadataAttribute[];
  },
): KeyData => ({
  type: facts.type,
  ...described(key, facts.metadata),
  format: 'Custom',
  value: { values: { ...facts.reference } },
});

const described = (key: KeyFacts, metadata: readonly MetadataAttribute[] = []) => ({
  algorithm: keyAlgorithmOf(key.family),
  length: key.bits,
  metadata: [...keyMetadata(key), ...metadata],
});
