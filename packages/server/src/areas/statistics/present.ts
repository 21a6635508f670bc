// Presents counts in the API format.
import type { CertificateBreakdown, Counts, StatisticsDto } from '@signetry/contract';
import { EXPIRY_BUCKETS, NOT_ISSUED } from './expiry-buckets.ts';
import type { Count } from './store.ts';

const UNASSIGNED = 'Unassigned';

/** Object types that the caller can list. */
export interface Visible {
  readonly certificates: boolean;
  readonly groups: boolean;
  readonly raProfiles: boolean;
}

export function presentStatistics(all: readonly Count[], visible: Visible): StatisticsDto {
  const counts = visible.certificates ? all : [];
  const totalCertificates = totalOf(counts);
  return {
    totalCertificates,
    totalGroups: objectsOf(all, 'groups'),
    totalDiscoveries: 0,
    totalConnectors: sum(all.filter(({ dimension }) => dimension === 'connector')),
    totalRaProfiles: sum(all.filter(({ dimension }) => dimension === 'raProfileStatus')),
    totalCredentials: objectsOf(all, 'credentials'),
    totalAuthorities: objectsOf(all, 'authorities'),
    groupStatByCertificateCount: visible.groups ? groupsOf(counts, totalCertificates) : {},
    raProfileStatByCertificateCount: visible.raProfiles ? mapOf(counts, 'raProfile') : {},
    certificateStatByType: mapOf(counts, 'certificateType'),
    certificateStatByExpiry: expiryOf(counts, totalCertificates),
    certificateStatByKeySize: mapOf(counts, 'keySize'),
    certificateStatBySubjectType: mapOf(counts, 'subjectType'),
    certificateStatByState: mapOf(counts, 'state'),
    certificateStatByValidationStatus: mapOf(counts, 'validationStatus'),
    certificateStatByComplianceStatus: mapOf(counts, 'complianceStatus'),
    connectorStatByStatus: mapOf(all, 'connector'),
    raProfileStatByStatus: mapOf(all, 'raProfileStatus'),
  };
}

export const presentBreakdown = (counts: readonly Count[]): CertificateBreakdown => ({
  certificates: totalOf(counts),
  publicKeyAlgorithms: mapOf(counts, 'publicKeyAlgorithm'),
  signatureAlgorithms: mapOf(counts, 'signatureAlgorithm'),
  protocols: mapOf(counts, 'protocol'),
});

/** Every certificate has a state, so the sum over all states is the total. */
const totalOf = (counts: readonly Count[]): number => sum(counts.filter(({ dimension }) => dimension === 'state'));

const objectsOf = (counts: readonly Count[], kind: string): number =>
  sum(counts.filter(({ dimension, value }) => dimension === 'all' && value === kind));

const sum = (counts: readonly Count[]): number => counts.reduce((total, { count }) => total + count, 0);

const mapOf = (counts: readonly Count[], wanted: Count['dimension']): Counts =>
  toMap(counts.flatMap(({ dimension, value, count }) => (dimension === wanted ? [[value || UNASSIGNED, count]] : [])));

/**
 * A certificate is counted in each of its groups, so the number of certificates without a group cannot be derived from
 * the sum.
 */
function groupsOf(counts: readonly Count[], totalCertificates: number): Counts {
  const ofGroups = counts.filter(({ dimension }) => dimension === 'group');
  const inAny = sum(ofGroups.filter(({ value }) => value === ''));
  return toMap([
    ...ofGroups.flatMap(({ value, count }): [string, number][] => (value === '' ? [] : [[value, count]])),
    [UNASSIGNED, totalCertificates - inAny],
  ]);
}

function expiryOf(counts: readonly Count[], totalCertificates: number): Counts {
  const withEnd = counts.filter(({ dimension }) => dimension === 'expiry');
  return toMap([
    ...withEnd.map(({ value, count }): [string, number] => [EXPIRY_BUCKETS[Number(value)] ?? 'More', count]),
    [NOT_ISSUED, totalCertificates - sum(withEnd)],
  ]);
}

/**
 * Adds up unassigned objects and a group with the same name. Uses a map, because an object can be named `__proto__`.
 */
function toMap(entries: readonly (readonly [string, number])[]): Counts {
  const map = new Map<string, number>();
  for (const [key, count] of entries) map.set(key, (map.get(key) ?? 0) + count);
  return Object.fromEntries([...map].filter(([, count]) => count !== 0));
}
