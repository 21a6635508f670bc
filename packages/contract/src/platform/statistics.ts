// Dashboard statistics: counts of objects, and of certificates by property.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int64 } from '../primitives.ts';
import { queryBoolean } from '../shared/query.ts';

/** Counts by value; values that do not occur are omitted. Objects without a value count as `Unassigned`. */
export const Counts = z.record(z.string(), int64());
export type Counts = z.output<typeof Counts>;

/**
 * For objects that the caller cannot list, counts are 0 and maps are empty. Enumeration values are identified by code,
 * groups and RA profiles by name. Keys of the expiry map: `Expired`, then days from now (`10`, `20`, `30`, `60`, `90`,
 * `More`), each excluding the previous ones, and `Not Issued` for certificates that have no expiry yet. Members for
 * connectors, credentials, authorities, users and object states are part of the interface but never present.
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
