// Key strength (NIST SP 800-57 part 1 revision 5 §5.6.1, table 2; FIPS 203, 204, 205).
import { postQuantumDraftName } from '../named-algorithms.ts';
import type { KeyFamily, PublicKey } from '../keys.ts';

/** Security strength in bits by size of the RSA modulus or of the DSA or DH prime. */
const MODULUS_BITS: readonly (readonly [size: number, security: number])[] = [
  [15_360, 256],
  [7680, 192],
  [3072, 128],
  [2048, 112],
  [1024, 80],
];

/** Returns the security strength in bits against classical computers, or undefined for unknown algorithms. */
export function classicalBits({ family, bits, name }: PublicKey): number | undefined {
  switch (family) {
    case 'RSA':
    case 'DSA':
    case 'DH':
      return MODULUS_BITS.find(([size]) => bits >= size)?.[1] ?? 0;
    case 'ECDSA':
      return Math.min(256, Math.floor(bits / 2));
    case 'Ed25519':
    case 'X25519':
      return 128;
    case 'Ed448':
    case 'X448':
      return 224;
    case 'ML-DSA':
    case 'ML-KEM':
    case 'SLH-DSA':
    case 'Composite':
    case 'HashML-DSA':
    case 'HashSLH-DSA':
      return CATEGORY_BITS[quantumCategory(name) ?? 1];
    default:
      return undefined;
  }
}

const CATEGORY_BITS: Readonly<Record<number, number>> = { 1: 128, 2: 128, 3: 192, 5: 256 };

/** Returns the security category of a post-quantum parameter set, or undefined for other algorithms. */
export function quantumCategory(name: string): number | undefined {
  const [, set] = /^(?:(?:Hash)?ML-DSA-|ML-KEM-|(?:Hash)?SLH-DSA-\w+-|MLDSA)(\d+)/.exec(name) ?? [];
  return set === undefined ? undefined : CATEGORIES[set];
}

const CATEGORIES: Readonly<Record<string, number>> = {
  '44': 2, '65': 3, '87': 5, '512': 1, '768': 3, '1024': 5, '128': 1, '192': 3, '256': 5,
}; // prettier-ignore

const QUANTUM_SAFE: ReadonlySet<KeyFamily> = new Set<KeyFamily>([
  'ML-DSA',
  'ML-KEM',
  'SLH-DSA',
  'Composite',
  'HashML-DSA',
  'HashSLH-DSA',
]);

/** Unknown keys may be quantum-safe, except national algorithms that are known by name. */
export const isQuantumSafe = ({ family, name, algorithm }: PublicKey): boolean =>
  QUANTUM_SAFE.has(family) ||
  (family === 'Unknown' && (/^\d/.test(name) || postQuantumDraftName(algorithm.oid) !== undefined));

/** Returns the key type for messages: `RSA-2048`, `P-256`, `ML-DSA-65`. */
export function keyText({ family, name, bits, curve }: PublicKey): string {
  if (family === 'ECDSA') return curve ?? 'An EC key without a named curve';
  return family === 'RSA' || family === 'DSA' || family === 'DH' ? `${name}-${bits}` : name;
}
