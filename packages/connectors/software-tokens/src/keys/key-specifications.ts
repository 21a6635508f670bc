// Supported key types, under the names used in forms and metadata. An algorithm's name includes its parameters, so that
// a single list is sufficient and no form field depends on another.

/** Key pair types, common choices first. */
export const PAIR_SPECIFICATIONS = [
  'RSA-2048',
  'RSA-3072',
  'RSA-4096',
  'P-256',
  'P-384',
  'P-521',
  'Ed25519',
  'Ed448',
  'ML-DSA-44',
  'ML-DSA-65',
  'ML-DSA-87',
  'ML-KEM-512',
  'ML-KEM-768',
  'ML-KEM-1024',
  'SLH-DSA-SHA2-128S',
  'SLH-DSA-SHA2-128F',
  'SLH-DSA-SHA2-192S',
  'SLH-DSA-SHA2-192F',
  'SLH-DSA-SHA2-256S',
  'SLH-DSA-SHA2-256F',
  'SLH-DSA-SHAKE-128S',
  'SLH-DSA-SHAKE-128F',
  'SLH-DSA-SHAKE-192S',
  'SLH-DSA-SHAKE-192F',
  'SLH-DSA-SHAKE-256S',
  'SLH-DSA-SHAKE-256F',
] as const;
export type PairSpecification = (typeof PAIR_SPECIFICATIONS)[number];

interface SecretFacts {
  readonly family: 'AES' | 'HMAC';
  readonly bits: number;
  /** Digest for HMAC, in node:crypto notation. */
  readonly digest?: string;
}

/** Secret keys. HMAC keys are as long as their digest (RFC 2104 §3). */
export const SECRET_SPECIFICATIONS = {
  'AES-256': { family: 'AES', bits: 256 },
  'AES-192': { family: 'AES', bits: 192 },
  'AES-128': { family: 'AES', bits: 128 },
  'HMAC-SHA-256': { family: 'HMAC', bits: 256, digest: 'sha256' },
  'HMAC-SHA-384': { family: 'HMAC', bits: 384, digest: 'sha384' },
  'HMAC-SHA-512': { family: 'HMAC', bits: 512, digest: 'sha512' },
} as const satisfies Record<string, SecretFacts>;
export type SecretSpecification = keyof typeof SECRET_SPECIFICATIONS;

// The object has only these keys.
export const secretSpecifications = Object.keys(SECRET_SPECIFICATIONS) as SecretSpecification[];

/** Returns a specification's display name in forms. */
export function specificationLabel(specification: string): string {
  if (specification.startsWith('P-')) return `ECDSA ${specification}`;
  if (specification.startsWith('RSA-')) return specification.replace('-', ' ');
  return specification.replace(/(\d)([SF])$/, (_, size: string, variant: string) => size + variant.toLowerCase());
}
