// Statistics of the dashboard: counts of objects, and of certificates by property.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int64 } from '../primitives.ts';
import { queryBoolean } from '../shared/query.ts';

/** Values mapped to counts; only values that occur. Objects without a value count as `Unassigned`. */
export const Counts = z.record(z.string(), int64());
export type Counts = z.output<typeof Counts>;

/**
 * Figures for objects that the caller may not list are 0 and their maps empty. Enumerations are named by their codes,
 * groups and RA profiles by their names. Ends: `Expired`, then days from now (`10`, `20`, `30`, `60`, `90`, `More`),
 * each without the ones before it; `Not Issued` has no end yet. Members about connectors, credentials, authorities,
 * users and states of objects belong to the interface and are never filled.
 */
export const StatisticsDto = z
  .object({
    totalCertificates: int64().optional(),
    totalGroups: int64().optional(),
    totalDiscoveries: int64().optional(),
    totalConnectors: int64().optional(),
    totalRaProfiles: int64().optional(),
    totalCredentials: int64().optional(),
    totalAuthorities: int64().optional(),
    totalAdministrators: int64().optional(),
    totalClients: int64().optional(),
    groupStatByCertificateCount: Counts.optional(),
    raProfileStatByCertificateCount: Counts.optional(),
    certificateStatByType: Counts.optional(),
    certificateStatByExpiry: Counts.optional(),
    certificateStatByKeySize: Counts.optional(),
    certificateStatBySubjectType: Counts.optional(),
    certificateStatByState: Counts.optional(),
    certificateStatByValidationStatus: Counts.optional(),
    certificateStatByComplianceStatus: Counts.optional(),
    connectorStatByStatus: Counts.optional(),
    raProfileStatByStatus: Counts.optional(),
    administratorStatByStatus: Counts.optional(),
    clientStatByStatus: Counts.optional(),
  })
  .meta({ id: 'StatisticsDto' });
export type StatisticsDto = z.output<typeof StatisticsDto>;

export const statisticsOperations = operations(
  { tag: 'Statistics/Dashboard', resource: 'dashboard', module: 'core', errors: plainErrors },
  {
    getStatistics: {
      route: 'GET /v1/statistics',
      summary: 'Get Dashboard/Statistics Details',
      query: z.object({ includeArchived: queryBoolean().default(false) }),
      answer: StatisticsDto,
      access: 'authenticated',
    },
  },
);
