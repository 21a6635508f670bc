// What an inventory is made of, and how what ended was renewed. Not part of the published interface. Counted one by
// one among the certificates that the caller may list; what takes long to count is remembered, and says when it was
// counted. Days and years are in UTC.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { dateTime, int32, int64, uuid } from '../primitives.ts';
import { queryBoolean, queryInt32 } from '../shared/query.ts';

/** Days that renewals are looked back on, in steps. */
export const RENEWAL_DAYS = 90;
export const RENEWAL_STEP_DAYS = 10;
/** Issuers, owners and groups that are named, those with the most certificates first. */
export const MAX_NAMED_SHARES = 1_000;
export const MAX_ENDED_PER_PAGE = 100;

/** Ends in this year or later are counted together. */
export const LAST_COUNTED_YEAR = 2100;

/** Certificates with this key and signature algorithm that end in this year. */
export const CertificateKeyShare = z
  .object({
    publicKeyAlgorithm: z.string(),
    keySize: int32(),
    /** Absent where it is not known. */
    signatureAlgorithm: z.string().optional(),
    /** Year of the end. */
    year: int32(),
    certificates: int64(),
  })
  .meta({ id: 'CertificateKeyShare' });
export type CertificateKeyShare = z.output<typeof CertificateKeyShare>;

/** An issuer, by its distinguished name, with the certificate of it that is in the inventory. */
export const CertificateIssuerShare = z
  .object({
    issuerDn: z.string(),
    issuerCommonName: z.string().optional(),
    certificates: int64(),
    /** Absent when the inventory has no certificate of the issuer that the caller may see. */
    issuerUuid: uuid().optional(),
    /** Whether it was marked as trusted. */
    trusted: z.boolean().optional(),
    /** Distinguished name of who certified the issuer; absent for a root, and where `issuerUuid` is. */
    certifiedBy: z.string().optional(),
  })
  .meta({ id: 'CertificateIssuerShare' });
export type CertificateIssuerShare = z.output<typeof CertificateIssuerShare>;

/**
 * Days that the lifetimes of certificates are counted by, the shortest first: seven make a short-lived certificate, 47
 * to 398 are what public TLS certificates may have (CA/Browser Forum BR §6.3.2), the others are years. A lifetime of a
 * second more than a number of days counts as a day more, and both ends of the validity belong to it.
 */
export const LIFETIME_LIMITS = [7, 47, 100, 200, 398, 825, 1_827, 3_653] as const;

/** Certificates whose lifetime is longer than some days, and not longer than others. */
export const CertificateLifetimeShare = z
  .object({
    /** Absent for the shortest ones. */
    moreThanDays: int32().optional(),
    /** Absent for the longest ones. */
    atMostDays: int32().optional(),
    certificates: int64(),
  })
  .meta({ id: 'CertificateLifetimeShare' });
export type CertificateLifetimeShare = z.output<typeof CertificateLifetimeShare>;

export const NamedShare = z.object({ name: z.string(), certificates: int64() }).meta({ id: 'NamedShare' });
export type NamedShare = z.output<typeof NamedShare>;

/** Certificates in use: in state issued, and not over at `countedAt`. */
export const CertificateComposition = z
  .object({
    countedAt: dateTime(),
    certificates: int64(),
    keys: z.array(CertificateKeyShare),
    /** The shortest first, those of no certificate too. */
    lifetimes: z.array(CertificateLifetimeShare),
    issuers: z.array(CertificateIssuerShare),
    /** Of issuers that are not named. */
    byOtherIssuers: int64(),
    owners: z.array(NamedShare),
    /** Certificates of owners that are not named. */
    byOtherOwners: int64(),
    /** A certificate counts in each of its groups. Groups that the caller may not list are left out. */
    groups: z.array(NamedShare),
    withoutOwner: int64(),
    withoutGroup: int64(),
    /** With neither an owner nor a group. */
    ofNobody: int64(),
  })
  .meta({ id: 'CertificateComposition' });
export type CertificateComposition = z.output<typeof CertificateComposition>;

/**
 * Whether a certificate was renewed when it ended: by a certificate that was issued to renew, rekey or replace it, or
 * by a later one with the same subject and alternative names that ends later. `inTime`: the first of these was valid
 * before the certificate ended. `late`: after that. `never`: there is none.
 */
export const RenewalOutcome = z.enum(['inTime', 'late', 'never']).meta({ id: 'RenewalOutcome' });
export type RenewalOutcome = z.output<typeof RenewalOutcome>;

const outcomes = { inTime: int64(), late: int64(), never: int64() };

/** Certificates in state issued that ended from `from` until `countedAt`, by what became of them. */
export const RenewalHealth = z
  .object({
    countedAt: dateTime(),
    from: dateTime(),
    ...outcomes,
    /** In steps of ten days, the earliest first. */
    steps: z.array(z.object({ from: dateTime(), until: dateTime(), ...outcomes })),
  })
  .meta({ id: 'RenewalHealth' });
export type RenewalHealth = z.output<typeof RenewalHealth>;

export const EndedCertificate = z
  .object({
    uuid: uuid(),
    commonName: z.string(),
    /** The first alternative name, where there is no common name. */
    alternativeName: z.string().optional(),
    subjectDn: z.string(),
    notAfter: dateTime(),
    outcome: RenewalOutcome,
    /** When the certificate that renewed it became valid. */
    renewedAt: dateTime().optional(),
  })
  .meta({ id: 'EndedCertificate' });
export type EndedCertificate = z.output<typeof EndedCertificate>;

export const EndedCertificates = z
  .object({ countedAt: dateTime(), certificates: z.array(EndedCertificate), hasMore: z.boolean() })
  .meta({ id: 'EndedCertificates' });
export type EndedCertificates = z.output<typeof EndedCertificates>;

/** As for the list of certificates: only what the caller may list is counted. */
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
      summary: 'Get certificates in use by key, lifetime, issuer, owner and group',
      query: z.object(archive),
      answer: CertificateComposition,
      access,
    },
    getRenewalHealth: {
      route: 'GET /x/v1/statistics/certificates/renewals',
      summary: 'Get how many of the certificates that ended in the last 90 days were renewed in time',
      query: z.object(archive),
      answer: RenewalHealth,
      access,
    },
    /** The latest end first. */
    listEndedCertificates: {
      route: 'GET /x/v1/statistics/certificates/renewals/ended',
      summary: 'List certificates that ended in the last 90 days, by whether they were renewed',
      query: z.object({
        ...archive,
        outcome: RenewalOutcome.optional(),
        /** The end is not before it. */
        from: dateTime().optional(),
        /** The end is before it. */
        until: dateTime().optional(),
        itemsPerPage: queryInt32(int32().min(1).max(MAX_ENDED_PER_PAGE)).default(25),
        pageNumber: queryInt32(int32().min(1)).default(1),
      }),
      answer: EndedCertificates,
      access,
    },
  },
);
