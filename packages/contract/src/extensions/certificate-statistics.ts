// Further statistics of certificates: algorithms, protocols, and series of days. Not part of the published interface.
// Days are those of UTC.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { date, dateTime, int64 } from '../primitives.ts';
import { Counts } from '../platform/statistics.ts';
import { queryBoolean } from '../shared/query.ts';

/** Names of algorithms and codes of protocols mapped to certificates; what has none stands under `Unassigned`. */
export const CertificateBreakdown = z
  .object({
    certificates: int64(),
    publicKeyAlgorithms: Counts,
    signatureAlgorithms: Counts,
    protocols: Counts,
  })
  .meta({ id: 'CertificateBreakdown' });
export type CertificateBreakdown = z.output<typeof CertificateBreakdown>;

/** Certificates of a day, or of the days from `from` until the next entry. */
export const CertificateSeriesEntry = z
  .object({ from: date(), certificates: int64() })
  .meta({ id: 'CertificateSeriesEntry' });
export type CertificateSeriesEntry = z.output<typeof CertificateSeriesEntry>;

export const CertificateSeriesStep = z.enum(['day', 'week']).meta({ id: 'CertificateSeriesStep' });
export type CertificateSeriesStep = z.output<typeof CertificateSeriesStep>;

/** A counter that was not what the certificates say. */
export const WrongCounter = z
  .object({ dimension: z.string(), value: z.string(), archived: z.boolean(), kept: int64(), counted: int64() })
  .meta({ id: 'WrongCounter' });
export type WrongCounter = z.output<typeof WrongCounter>;

export const StatisticsRebuildReport = z
  .object({
    rebuiltAt: dateTime(),
    /** Counters that were wrong before. */
    wrongCounters: int64(),
    /** The first of them. */
    examples: z.array(WrongCounter),
  })
  .meta({ id: 'StatisticsRebuildReport' });
export type StatisticsRebuildReport = z.output<typeof StatisticsRebuildReport>;

/** As the list of certificates: what is counted is what the caller may list. */
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
      summary: 'Get certificates by algorithms and protocol',
      query: z.object(archive),
      answer: CertificateBreakdown,
      access,
    },
    listIssuedCertificateCounts: {
      route: 'GET /x/v1/statistics/certificates/issued',
      summary: 'List how many certificates the platform issued on each of the last 90 days',
      query: z.object(archive),
      answer: z.array(CertificateSeriesEntry),
      access,
    },
    /** Certificates in state issued. Today is counted as a whole, the last week may reach beyond the year. */
    listExpiringCertificateCounts: {
      route: 'GET /x/v1/statistics/certificates/expiring',
      summary: 'List how many certificates expire on each day or week of the coming year',
      query: z.object({ ...archive, step: CertificateSeriesStep.default('day') }),
      answer: z.array(CertificateSeriesEntry),
      access,
    },
    /** A repair: counters are exact by themselves. */
    rebuildStatistics: {
      route: 'POST /x/v1/statistics/rebuild',
      summary: 'Count all certificates anew',
      answer: StatisticsRebuildReport,
      errors: [401, 403, 500],
      access: { resource: 'settings', action: 'update' },
      audit: 'update',
    },
  },
);
