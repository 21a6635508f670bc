// Additional certificate statistics: by algorithm, by protocol, and over time. Not part of the published interface.
// Days are in UTC.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { date, dateTime, int64 } from '../primitives.ts';
import { Counts } from '../platform/statistics.ts';
import { queryBoolean } from '../shared/query.ts';

/** Certificate counts by algorithm name and protocol code. Certificates without a value count as `Unassigned`. */
export const CertificateBreakdown = z
  .object({
    certificates: int64(),
    publicKeyAlgorithms: Counts,
    signatureAlgorithms: Counts,
    protocols: Counts,
  })
  .meta({ id: 'CertificateBreakdown' });
export type CertificateBreakdown = z.output<typeof CertificateBreakdown>;

/** Number of certificates for a single day, or for the days from `from` until the next entry. */
export const CertificateSeriesEntry = z
  .object({ from: date(), certificates: int64() })
  .meta({ id: 'CertificateSeriesEntry' });
export type CertificateSeriesEntry = z.output<typeof CertificateSeriesEntry>;

export const CertificateSeriesStep = z.enum(['day', 'week']).meta({ id: 'CertificateSeriesStep' });
export type CertificateSeriesStep = z.output<typeof CertificateSeriesStep>;

/** A counter that did not match the actual number of certificates. */
export const WrongCounter = z
  .object({ dimension: z.string(), value: z.string(), archived: z.boolean(), kept: int64(), counted: int64() })
  .meta({ id: 'WrongCounter' });
export type WrongCounter = z.output<typeof WrongCounter>;

export const StatisticsRebuildReport = z
  .object({
    rebuiltAt: dateTime(),
    /** Number of counters that were wrong before the rebuild. */
    wrongCounters: int64(),
    /** The first few wrong counters. */
    examples: z.array(WrongCounter),
  })
  .meta({ id: 'StatisticsRebuildReport' });
export type StatisticsRebuildReport = z.output<typeof StatisticsRebuildReport>;

/** Uses the same access rules as the certificate list: counts only certificates that the caller can list. */
const access = {
  resource: 'certificates',
  action: 'list',
  parent: { resource: 'raProfiles', action: 'members', filtered: true },
} as const;
const archive = { includeArchived: queryBoolean().default(false) };

export const certificateStatisticsOperations = operations(
  { tag: 'Certificate Statistics', resource: 'dashboard', module: 'core', errors: plainErrors },
  {
    getCertificateBreakdown: {
      route: 'GET /x/v1/statistics/certificates',
      summary: 'Get certificate counts by algorithm and protocol',
      query: z.object(archive),
      answer: CertificateBreakdown,
      access,
    },
    listIssuedCertificateCounts: {
      route: 'GET /x/v1/statistics/certificates/issued',
      summary: 'List the number of certificates that the platform issued on each of the last 90 days',
      query: z.object(archive),
      answer: z.array(CertificateSeriesEntry),
      access,
    },
    /**
     * Counts certificates in the state `issued`. The current day is included in full; the last week may extend beyond
     * the year.
     */
    listExpiringCertificateCounts: {
      route: 'GET /x/v1/statistics/certificates/expiring',
      summary: 'List the number of certificates that expire on each day or in each week of the coming year',
      query: z.object({ ...archive, step: CertificateSeriesStep.default('day') }),
      answer: z.array(CertificateSeriesEntry),
      access,
    },
    /** Intended for repair only: counters are normally exact. */
    rebuildStatistics: {
      route: 'POST /x/v1/statistics/rebuild',
      summary: 'Recount all certificates',
      answer: StatisticsRebuildReport,
      errors: [401, 403, 500],
      access: { resource: 'settings', action: 'update' },
      audit: 'update',
    },
  },
);
