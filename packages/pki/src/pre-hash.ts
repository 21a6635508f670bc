// Pre-hash signature algorithms: HashML-DSA (FIPS 204 §5.4) and HashSLH-DSA (FIPS 205 §10.2.2). Certificates contain
// them although RFC 9881 §8.3 discourages it, and CMS messages do. Contains their table and the message that is signed;
// for verification, see `@signetry/pki/node`.
import { concatBytes } from './bytes.ts';
import { encodeDer, oidPart } from './der/writer.ts';

/** SHAKE128 has 32 bytes of output, SHAKE256 64. */
export type PreHashDigest = 'sha256' | 'sha512' | 'shake128' | 'shake256';

export interface PreHashAlgorithm {
  readonly oid: string;
  /** `HashML-DSA-65-with-SHA512`. */
  readonly name: string;
  readonly family: 'HashML-DSA' | 'HashSLH-DSA';
  /** Parameter set in FIPS 204 or 205: `ML-DSA-65`, `SLH-DSA-SHA2-128S`. */
  readonly parameterSet: string;
  readonly digest: PreHashDigest;
  /** Length of a public key in bytes. */
  readonly keyLength: number;
}

const ML_DSA_KEYS: readonly (readonly [string, number])[] = [
  ['ML-DSA-44', 1312],
  ['ML-DSA-65', 1952],
  ['ML-DSA-87', 2592],
];

const SLH_DSA_KEYS = (['SHA2', 'SHAKE'] as const).flatMap((hash) =>
  ([128, 192, 256] as const).flatMap((bits) =>
    (['S', 'F'] as const).map((speed) => ({
      parameterSet: `SLH-DSA-${hash}-${bits}${speed}`,
      digest: slhDigest(hash, bits),
      keyLength: bits / 4,
    })),
  ),
);

function slhDigest(hash: 'SHA2' | 'SHAKE', bits: number): PreHashDigest {
  if (hash === 'SHA2') return bits === 128 ? 'sha256' : 'sha512';
  return bits === 128 ? 'shake128' : 'shake256';
}

/** In the order of their OIDs, from 2.16.840.1.101.3.4.3.32. */
const ALGORITHMS: readonly PreHashAlgorithm[] = [
  ...ML_DSA_KEYS.map(([parameterSet, keyLength]) => ({
    family: 'HashML-DSA' as const,
    parameterSet,
    digest: 'sha512' as const,
    keyLength,
  })),
  ...SLH_DSA_KEYS.map((key) => ({ family: 'HashSLH-DSA' as const, ...key })),
].map((facts, index) => ({
  oid: `2.16.840.1.101.3.4.3.${32 + index}`,
  name: `Hash${facts.parameterSet}-with-${facts.digest.toUpperCase()}`,
  ...facts,
}));

/** Pre-hash algorithms by OID. */
export const PRE_HASH_ALGORITHMS: ReadonlyMap<string, PreHashAlgorithm> = new Map(
  ALGORITHMS.map((algorithm) => [algorithm.oid, algorithm]),
);

const DIGEST_OIDS: Readonly<Record<PreHashDigest, string>> = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha512: '2.16.840.1.101.3.4.2.3',
  shake128: '2.16.840.1.101.3.4.2.11',
  shake256: '2.16.840.1.101.3.4.2.12',
};

/**
 * Returns the message that is signed, with an empty context: a separator, the OID of the digest and the digest itself
 * (FIPS 204 algorithm 5, FIPS 205 algorithm 25).
 */
export const preHashMessage = ({ digest }: PreHashAlgorithm, hashed: Uint8Array): Uint8Array =>
  concatBytes([Uint8Array.of(1, 0), encodeDer(oidPart(DIGEST_OIDS[digest])), hashed]);
