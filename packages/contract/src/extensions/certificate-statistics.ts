// Further statistics of certificates: algorithms, protocols, and series of days. Not part of the published interface. Days are
// those of UTC.
import { z } from 'zod';
import { operation } from '../operation.ts';
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

const tag = 'Certificate Statistics';
/** As the list of certificates: what is counted is what the caller may list. */
const access = {
  resource: 'certificates',
  action: 'list',
  parent: { resource: 'raProfiles', action: 'members', filtered: true },
} as const;
const archive = { includeArchived: queryBoolean().default(false) };

export const certificateStatisticsOperations = {
  getCertificateBreakdown: operation({
    id: 'getCertificateBreakdown',
    summary: 'Get certificates by algorithms and protocol',
    tag,
    method: 'GET',
    path: '/x/v1/statistics/certificates',
    query: z.object(archive),
    success: { status: 200, body: CertificateBreakdown },
    errors: [400, 401, 403, 500],
    access,
  }),
  listIssuedCertificateCounts: operation({
    id: 'listIssuedCertificateCounts',
    summary: 'List how many certificates the platform issued on each of the last 90 days',
    tag,
    method: 'GET',
    path: '/x/v1/statistics/certificates/issued',
    query: z.object(archive),
    success: { status: 200, body: z.array(CertificateSeriesEntry) },
    errors: [400, 401, 403, 500],
    access,
  }),
  /** Certificates in state issued. Today is counted as a whole, the last week may reach beyond the year. */
  listExpiringCertificateCounts: operation({
    id: 'listExpiringCertificateCounts',
    summary: 'List how many certificates expire on each day or week of the coming year',
    tag,
    method: 'GET',
    path: '/x/v1/statistics/certificates/expiring',
    query: z.object({ ...archive, step: CertificateSeriesStep.default('day') }),
    success: { status: 200, body: z.array(CertificateSeriesEntry) },
    errors: [400, 401, 403, 500],
    access,
  }),
  /** A repair: counters are exact by themselves. */
  rebuildStatistics: operation({
    id: 'rebuildStatistics',
    summary: 'Count all certificates anew',
    tag,
    method: 'POST',
    path: '/x/v1/statistics/rebuild',
    success: { status: 200, body: StatisticsRebuildReport },
    errors: [401, 403, 500],
    access: { resource: 'settings', action: 'update' },
    audit: { module: 'core', resource: 'dashboard', operation: 'update' },
  }),
};
