// Presents the composition of the inventory and its renewals in the API format. Pure: time is an argument.
import {
  LIFETIME_LIMITS,
  RENEWAL_DAYS,
  RENEWAL_STEP_DAYS,
  type CertificateComposition,
  type CertificateIssuerShare,
  type CertificateKeyShare,
  type CertificateLifetimeShare,
  type EndedCertificate,
  type EndedCertificates,
  type NamedShare,
  type RenewalHealth,
} from '@signetry/contract';
import type { CompositionRow } from './store-composition.ts';
import type { EndedRow, RenewalCount } from './store-renewals.ts';

const DAY_MS = 86_400_000;

type Kind = CompositionRow['kind'];
type RowOf<Wanted extends Kind> = Extract<CompositionRow, { kind: Wanted }>;

export function presentComposition(rows: readonly CompositionRow[], now: Date): CertificateComposition {
  const of = <Wanted extends Kind>(wanted: Wanted) => rows.filter((row): row is RowOf<Wanted> => row.kind === wanted);
  const holders = of('holder');
  const all = sum(holders);
  const withoutOwner = sum(holders.filter(({ owned }) => !owned));
  const issuers = of('issuer');
  const owners = of('owner').flatMap(namedShare);
  return {
    countedAt: now.toISOString(),
    certificates: all,
    keys: of('key').map(presentKey),
    lifetimes: presentLifetimes(of('lifetime')),
    issuers: issuers.map(presentIssuer),
    byOtherIssuers: all - sum(issuers),
    owners,
    byOtherOwners: all - withoutOwner - sum(owners),
    groups: of('group').flatMap(namedShare),
    withoutOwner,
    withoutGroup: sum(holders.filter(({ grouped }) => !grouped)),
    ofNobody: sum(holders.filter(({ owned, grouped }) => !owned && !grouped)),
  };
}

const sum = (shares: readonly { readonly certificates: number }[]): number =>
  shares.reduce((total, { certificates }) => total + certificates, 0);

const namedShare = ({ name, certificates }: RowOf<'owner' | 'group'>): NamedShare[] =>
  name === null ? [] : [{ name, certificates }];

const presentKey = ({ algorithm, key_size, signature, year, certificates }: RowOf<'key'>): CertificateKeyShare => ({
  publicKeyAlgorithm: algorithm,
  keySize: key_size,
  ...(signature === null ? {} : { signatureAlgorithm: signature }),
  year,
  certificates,
});

const presentLifetimes = (rows: readonly RowOf<'lifetime'>[]): CertificateLifetimeShare[] =>
  [...LIFETIME_LIMITS, undefined].map((atMostDays, place) => ({
    ...(place === 0 ? {} : { moreThanDays: LIFETIME_LIMITS[place - 1] }),
    ...(atMostDays === undefined ? {} : { atMostDays }),
    certificates: sum(rows.filter(({ lifetime }) => lifetime === place)),
  }));

const presentIssuer = (row: RowOf<'issuer'>): CertificateIssuerShare => ({
  issuerDn: row.issuer_dn ?? '',
  ...(row.issuer_name ? { issuerCommonName: row.issuer_name } : {}),
  certificates: row.certificates,
  ...(row.authority_uuid === null ? {} : { issuerUuid: row.authority_uuid, trusted: row.trusted ?? false }),
  ...(row.certified_by === null ? {} : { certifiedBy: row.certified_by }),
});

/** Returns the start of the period for which renewals are evaluated. */
export const renewalsSince = (now: Date): Date => new Date(now.getTime() - RENEWAL_DAYS * DAY_MS);

export function presentRenewals(counts: readonly RenewalCount[], now: Date): RenewalHealth {
  const from = renewalsSince(now);
  const at = (step: number): string => new Date(from.getTime() + step * RENEWAL_STEP_DAYS * DAY_MS).toISOString();
  const steps = Array.from({ length: RENEWAL_DAYS / RENEWAL_STEP_DAYS }, (_, step) => ({
    from: at(step),
    until: at(step + 1),
    ...outcomesOf(counts.filter((each) => each.step === step)),
  }));
  return { countedAt: now.toISOString(), from: from.toISOString(), ...outcomesOf(counts), steps };
}

const outcomesOf = (counts: readonly RenewalCount[]) => ({
  inTime: sum(counts.filter(({ outcome }) => outcome === 'inTime')),
  late: sum(counts.filter(({ outcome }) => outcome === 'late')),
  never: sum(counts.filter(({ outcome }) => outcome === 'never')),
});

export const presentEndedPage = (
  rows: readonly EndedRow[],
  { now, itemsPerPage }: { readonly now: Date; readonly itemsPerPage: number },
): EndedCertificates => ({
  countedAt: now.toISOString(),
  certificates: rows.slice(0, itemsPerPage).map(presentEnded),
  hasMore: rows.length > itemsPerPage,
});

const presentEnded = (row: EndedRow): EndedCertificate => ({
  uuid: row.uuid,
  commonName: row.common_name,
  ...(row.alternative_name === null ? {} : { alternativeName: row.alternative_name }),
  subjectDn: row.subject_dn,
  notAfter: row.not_after.toISOString(),
  outcome: row.outcome,
  ...(row.renewed_at === null ? {} : { renewedAt: row.renewed_at.toISOString() }),
});
