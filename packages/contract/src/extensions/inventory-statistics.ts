// Inventory composition, and renewals of expired certificates. Not part of the published interface. Counts are exact
// and cover the certificates that the caller can list; slow counts are cached and include the time of the count. Days
// and years are in UTC.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { queryBoolean, queryInt32 } from '../shared/query.ts';

/** Number of past days covered by the renewal statistics, which are divided into steps. */
export const RENEWAL_DAYS = 90;
export const RENEWAL_STEP_DAYS = 10;
/** Maximum number of issuers, owners and groups listed by name. Those with the most certificates are listed first. */
export const MAX_NAMED_SHARES = 1_000;
export const MAX_ENDED_PER_PAGE = 100;

/** Certificates that expire in this year or later are counted together. */
export const LAST_COUNTED_YEAR = 2100;

/** Number of certificates that have this key and signature algorithm and expire in this year. */
export const CertificateKeyShare = z
  .object({
    publicKeyAlgorithm: z.string(),
    keySize: int32(),
    /** Absent if unknown. */
    signatureAlgorithm: z.string().optional(),
    year: int32(),
    certificates: int64(),
  })
  .meta({ id: 'CertificateKeyShare' });
export type CertificateKeyShare = z.output<typeof CertificateKeyShare>;

/** An issuer, identified by its distinguished name, and its certificate in the inventory. */
export const CertificateIssuerShare = z
  .object({
    issuerDn: z.string(),
    issuerCommonName: z.string().optional(),
    certificates: int64(),
    /** Absent if the inventory has no certificate of the issuer that the caller can see. */
    issuerUuid: uuid().optional(),
    /** Whether the issuer's certificate is marked as trusted. */
    trusted: z.boolean().optional(),
    /** Distinguished name of the issuer's issuer; absent for a root, or if `issuerUuid` is absent. */
    certifiedBy: z.string().optional(),
  })
  .meta({ id: 'CertificateIssuerShare' });
export type CertificateIssuerShare = z.output<typeof CertificateIssuerShare>;

/**
 * Limits between the validity period classes in days, in ascending order: 7 for short-lived certificates, 47 to 398 for
 * the limits on public TLS certificates (CA/Browser Forum BR §6.3.2), then multiple years. A validity period that
 * exceeds a whole number of days by one second counts as one more day; both notBefore and notAfter are included.
 */
export const LIFETIME_LIMITS = [7, 47, 100, 200, 398, 825, 1_827, 3_653] as const;

/** Number of certificates whose validity period is between two limits. */
export const CertificateLifetimeShare = z
  .object({
    /** Absent for the shortest class. */
    moreThanDays: int32().optional(),
    /** Absent for the longest class. */
    atMostDays: int32().optional(),
    certificates: int64(),
  })
  .meta({ id: 'CertificateLifetimeShare' });
export type CertificateLifetimeShare = z.output<typeof CertificateLifetimeShare>;

export const NamedShare = z.object({ name: z.string(), certificates: int64() }).meta({ id: 'NamedShare' });
export type NamedShare = z.output<typeof NamedShare>;

/** Active certificates: those in the state issued that had not expired at `countedAt`. */
export const CertificateComposition = z
  .object({
    countedAt: dateTime(),
    certificates: int64(),
    keys: z.array(CertificateKeyShare),
    /** Shortest validity period first, including classes without certificates. */
    lifetimes: z.array(CertificateLifetimeShare),
    issuers: z.array(CertificateIssuerShare),
    /** Number of certificates from issuers that are not listed. */
    byOtherIssuers: int64(),
    owners: z.array(NamedShare),
    /** Number of certificates whose owners are not listed. */
    byOtherOwners: int64(),
    /** A certificate is counted in each of its groups. Groups that the caller cannot list are omitted. */
    groups: z.array(NamedShare),
    withoutOwner: int64(),
    withoutGroup: int64(),
    /** Number of certificates with neither an owner nor a group. */
    ofNobody: int64(),
  })
  .meta({ id: 'CertificateComposition' });
export type CertificateComposition = z.output<typeof CertificateComposition>;

/**
 * Whether an expired certificate was renewed, either by a certificate issued to renew, rekey or replace it, or by a
 * later certificate with the same subject and SANs that expires later. `inTime`: the first such certificate became
 * valid before the expiry. `late`: it became valid after the expiry. `never`: there is no such certificate.
 */
export const RenewalOutcome = z.enum(['inTime', 'late', 'never']).meta({ id: 'RenewalOutcome' });
export type RenewalOutcome = z.output<typeof RenewalOutcome>;

const outcomes = { inTime: int64(), late: int64(), never: int64() };

/** Certificates in the state issued that expired between `from` and `countedAt`, by renewal outcome. */
export const RenewalHealth = z
  .object({
    countedAt: dateTime(),
    from: dateTime(),
    ...outcomes,
    /** Steps of ten days, earliest first. */
    steps: z.array(z.object({ from: dateTime(), until: dateTime(), ...outcomes })),
  })
  .meta({ id: 'RenewalHealth' });
export type RenewalHealth = z.output<typeof RenewalHealth>;

export const EndedCertificate = z
  .object({
    uuid: uuid(),
    commonName: z.string(),
    /** First SAN if the certificate has no common name. */
    alternativeName: z.string().optional(),
    subjectDn: z.string(),
    notAfter: dateTime(),
    outcome: RenewalOutcome,
    /** Time at which the successor became valid. */
    renewedAt: dateTime().optional(),
  })
  .meta({ id: 'EndedCertificate' });
export type EndedCertificate = z.output<typeof EndedCertificate>;

export const EndedCertificates = z
  .object({ countedAt: dateTime(), certificates: z.array(EndedCertificate), hasMore: z.boolean() })
  .meta({ id: 'EndedCertificates' });
export type EndedCertificates = z.output<typeof EndedCertificates>;

/** Uses the same access rules as the certificate list: counts only certificates that the caller can list. */
const access = {
  resource: 'certificates',
  action: 'list',
  filtered: true,
  parent: { resource: 'raProfiles', action: 'members', filtered: true },
} as const;
const archive = { includeArchived: queryBoolean().default(false) };

export const inventoryStatisticsOperations = operations(
  { tag: 'Certificate Statistics', resource: 'dashboard', module: 'core', errors: plainErrors },
  {
    getCertificateComposition: {
      route: 'GET /x/v1/statistics/certificates/composition',
      summary: 'Get active certificates by key, validity period, issuer, owner and group',
      query: z.object(archive),
      answer: CertificateComposition,
      access,
    },
    getRenewalHealth: {
      route: 'GET /x/v1/statistics/certificates/renewals',
      summary: 'Get how many of the certificates that expired in the last 90 days were renewed in time',
      query: z.object(archive),
      answer: RenewalHealth,
      access,
    },
    /** Latest expiry first. */
    listEndedCertificates: {
      route: 'GET /x/v1/statistics/certificates/renewals/ended',
      summary: 'List certificates that expired in the last 90 days, by renewal outcome',
      query: z.object({
        ...archive,
        outcome: RenewalOutcome.optional(),
        /** Only certificates that expire at or after this time. */
        from: dateTime().optional(),
        /** Only certificates that expire before this time. */
        until: dateTime().optional(),
        itemsPerPage: queryInt32(int32().min(1).max(MAX_ENDED_PER_PAGE)).default(25),
        pageNumber: queryInt32(int32().min(1)).default(1),
      }),
      answer: EndedCertificates,
      access,
    },
  },
);
