// Quantum readiness of the inventory: which algorithms are used, which of them sign which keys, and when the
// certificates expire. Pure.
import type { CertificateKeyShare } from '@signetry/contract';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { listOf, withAlgorithms, withArchive, withSignatures } from '../certificates/filters.ts';
import {
  DEPRECATED_AFTER,
  DISALLOWED_AFTER,
  filtersOfSpan,
  isSafeAlgorithm,
  type CountFacts,
  type Span,
} from './key-matrix.ts';

/** Returns the periods that matter for a migration, starting with the year of the count; past periods are omitted. */
export const periodsFrom = (year: number): readonly Span[] =>
  [
    { label: `Until ${DEPRECATED_AFTER}`, first: year, last: DEPRECATED_AFTER },
    {
      label: `${DEPRECATED_AFTER + 1}–${DISALLOWED_AFTER}`,
      first: Math.max(year, DEPRECATED_AFTER + 1),
      last: DISALLOWED_AFTER,
    },
    { label: `After ${DISALLOWED_AFTER}`, first: Math.max(year, DISALLOWED_AFTER + 1), last: Infinity },
  ].filter(({ first, last }) => first <= last);

export interface AlgorithmShare {
  readonly algorithm: string;
  readonly certificates: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly isSafe: boolean;
}

/** Returns the shares, starting with the most frequent algorithm. Certificates without an algorithm are omitted. */
export function sharesBy(
  keys: readonly CertificateKeyShare[],
  of: (share: CertificateKeyShare) => string | undefined,
): readonly AlgorithmShare[] {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const algorithm = of(key);
    if (algorithm !== undefined) counts.set(algorithm, (counts.get(algorithm) ?? 0) + key.certificates);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([algorithm, certificates]) => ({
      algorithm,
      certificates,
      share: certificates / total,
      isSafe: isSafeAlgorithm(algorithm),
    }))
    .toSorted((one, other) => other.certificates - one.certificates);
}

/** Certificates whose key and signature are both quantum-safe, are both vulnerable, or differ in this respect. */
export interface Pairing {
  readonly isKeySafe: boolean;
  readonly isSignatureSafe: boolean;
  /** One count per period, in the order of the periods. */
  readonly certificates: readonly number[];
  readonly keyAlgorithms: readonly string[];
  readonly signatureAlgorithms: readonly string[];
}

const PAIRINGS = [
  { isKeySafe: false, isSignatureSafe: false },
  { isKeySafe: false, isSignatureSafe: true },
  { isKeySafe: true, isSignatureSafe: false },
  { isKeySafe: true, isSignatureSafe: true },
] as const;

/** Returns the pairings that exist. Certificates with an unknown signature algorithm are omitted. */
export const pairingsOf = (keys: readonly CertificateKeyShare[], periods: readonly Span[]): readonly Pairing[] =>
  PAIRINGS.flatMap((pairing) => {
    const meant = keys.filter(
      ({ publicKeyAlgorithm, signatureAlgorithm }) =>
        signatureAlgorithm !== undefined &&
        isSafeAlgorithm(publicKeyAlgorithm) === pairing.isKeySafe &&
        isSafeAlgorithm(signatureAlgorithm) === pairing.isSignatureSafe,
    );
    if (meant.length === 0) return [];
    return {
      ...pairing,
      certificates: periods.map(({ first, last }) =>
        countOf(meant.filter(({ year }) => year >= first && year <= last)),
      ),
      keyAlgorithms: [...new Set(meant.map(({ publicKeyAlgorithm }) => publicKeyAlgorithm))],
      signatureAlgorithms: [...new Set(meant.flatMap(({ signatureAlgorithm = [] }) => signatureAlgorithm))],
    };
  });

export const countOf = (keys: readonly Pick<CertificateKeyShare, 'certificates'>[]): number =>
  keys.reduce((sum, { certificates }) => sum + certificates, 0);

export const searchOfPairing = (
  { keyAlgorithms, signatureAlgorithms }: Pairing,
  period: Span,
  { countedAt, includeArchived }: CountFacts,
): CertificateSearch =>
  withArchive(
    listOf(
      [withAlgorithms(keyAlgorithms), withSignatures(signatureAlgorithms), ...filtersOfSpan(period, countedAt)],
      'notAfter',
    ),
    includeArchived,
  );
