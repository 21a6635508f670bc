// Keys and signature algorithms by certificate expiry, and their status according to NIST IR 8547: keys with 112 bits
// of security are deprecated after 2030, and quantum-vulnerable algorithms are disallowed after 2035.
import type { CertificateKeyShare } from '@signetry/contract';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import {
  expiresBefore,
  expiresFrom,
  inState,
  listOf,
  signedWith,
  withAlgorithm,
  withAlgorithms,
  withArchive,
  withKeySizes,
} from '../certificates/filters.ts';

export const DEPRECATED_AFTER = 2030;
export const DISALLOWED_AFTER = 2035;

/** Range of expiry years; the last one is open-ended. */
export interface Span {
  readonly label: string;
  readonly first: number;
  readonly last: number;
}

export function spansFrom(year: number): readonly Span[] {
  const single = Array.from({ length: Math.max(0, DEPRECATED_AFTER + 1 - year) }, (_, place) => year + place);
  const between = Math.max(year, DEPRECATED_AFTER + 1);
  return [
    ...single.map((each) => ({ label: String(each), first: each, last: each })),
    ...(between <= DISALLOWED_AFTER
      ? [{ label: `${between}–${DISALLOWED_AFTER}`, first: between, last: DISALLOWED_AFTER }]
      : []),
    { label: `After ${DISALLOWED_AFTER}`, first: Math.max(year, DISALLOWED_AFTER + 1), last: Infinity },
  ];
}

export interface KeyRow {
  readonly publicKeyAlgorithm: string;
  readonly keySize: number;
  readonly signatureAlgorithm: string | undefined;
  /** One count per span, in the order of the spans. */
  readonly certificates: readonly number[];
}

export function rowsOf(keys: readonly CertificateKeyShare[], spans: readonly Span[]): readonly KeyRow[] {
  const rows = Map.groupBy(keys, (key) =>
    JSON.stringify([key.publicKeyAlgorithm, key.keySize, key.signatureAlgorithm]),
  );
  return [...rows.values()]
    .map((shares) => ({
      publicKeyAlgorithm: shares[0]?.publicKeyAlgorithm ?? '',
      keySize: shares[0]?.keySize ?? 0,
      signatureAlgorithm: shares[0]?.signatureAlgorithm,
      certificates: spans.map(({ first, last }) => sum(shares.filter(({ year }) => year >= first && year <= last))),
    }))
    .toSorted((a, b) => totalOf(b) - totalOf(a));
}

const sum = (shares: readonly CertificateKeyShare[]): number =>
  shares.reduce((total, { certificates }) => total + certificates, 0);
export const totalOf = ({ certificates }: KeyRow): number => certificates.reduce((total, count) => total + count, 0);

/** Signature and key encapsulation algorithms that no known quantum attack breaks: FIPS 203 to 205, SP 800-208. */
const QUANTUM_SAFE = /^(?:(?:Hash)?(?:ML-|SLH-)|MLDSA|Composite|LMS|HSS|XMSS)/;

export const isSafeAlgorithm = (name: string): boolean => QUANTUM_SAFE.test(name);

type Key = Pick<CertificateKeyShare, 'publicKeyAlgorithm' | 'keySize'>;

export const isQuantumSafe = ({ publicKeyAlgorithm }: Key): boolean => isSafeAlgorithm(publicKeyAlgorithm);

/** Returns whether a key has at most 112 bits of security (SP 800-57 part 1, table 2). */
const isWeak = (key: Key): boolean =>
  !isQuantumSafe(key) && key.keySize < (/^(?:RSA|DSA|DH)/.test(key.publicKeyAlgorithm) ? 3072 : 250);

export type KeyStrength = 'disallowed' | 'deprecated' | undefined;

export function keyStrengthOf(key: Key, { first }: Span): KeyStrength {
  if (isQuantumSafe(key)) return undefined;
  if (first > DISALLOWED_AFTER) return 'disallowed';
  return first > DEPRECATED_AFTER && isWeak(key) ? 'deprecated' : undefined;
}

const startOfYear = (year: number): Date => new Date(Date.UTC(year, 0, 1));

/**
 * Returns filters for active certificates that expire in these years; certificates that expired earlier in the current
 * year are excluded.
 */
export const filtersOfSpan = ({ first, last }: Span, countedAt: string) => [
  inState('issued'),
  expiresFrom(new Date(Math.max(startOfYear(first).getTime(), Date.parse(countedAt)))),
  ...(last === Infinity ? [] : [expiresBefore(startOfYear(last + 1))]),
];

export interface CountFacts {
  readonly countedAt: string;
  readonly includeArchived: boolean;
}

export const searchOfCell = (row: KeyRow, span: Span, { countedAt, includeArchived }: CountFacts): CertificateSearch =>
  withArchive(
    listOf(
      [
        withAlgorithm(row.publicKeyAlgorithm),
        withKeySizes([row.keySize]),
        signedWith(row.signatureAlgorithm),
        ...filtersOfSpan(span, countedAt),
      ],
      'notAfter',
    ),
    includeArchived,
  );

export interface OutlivingKeys {
  readonly count: number;
  readonly search: CertificateSearch;
}

/** Returns the certificates that expire after this year, although their keys must no longer be used by then. */
function countOutliving(keys: readonly CertificateKeyShare[], after: number, asked: CountFacts): OutlivingKeys {
  const isMeant = after === DISALLOWED_AFTER ? (key: Key) => !isQuantumSafe(key) : isWeak;
  const meant = keys.filter((key) => key.year > after && isMeant(key));
  const span = { label: '', first: after + 1, last: Infinity };
  const algorithms = [...new Set(meant.map(({ publicKeyAlgorithm }) => publicKeyAlgorithm))];
  const sizes = [...new Set(meant.map(({ keySize }) => keySize))];
  const filters = [
    withAlgorithms(algorithms),
    // Filtering by size gives exact results: no key size is weak for one algorithm but strong for another active one.
    ...(after === DISALLOWED_AFTER ? [] : [withKeySizes(sizes)]),
    ...filtersOfSpan(span, asked.countedAt),
  ];
  return { count: sum(meant), search: withArchive(listOf(filters, 'notAfter'), asked.includeArchived) };
}

export const countOutlivingDeprecation = (keys: readonly CertificateKeyShare[], asked: CountFacts): OutlivingKeys =>
  countOutliving(keys, DEPRECATED_AFTER, asked);
export const countOutlivingDisallowance = (keys: readonly CertificateKeyShare[], asked: CountFacts): OutlivingKeys =>
  countOutliving(keys, DISALLOWED_AFTER, asked);
