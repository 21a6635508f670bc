// Which reads leave an audit record. The settings of logging have no word for it: what they choose holds for changes,
// and for those reads that these settings ask for. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';

export const AuditReadsSettings = z
  .object({
    /** Reads of every resource. */
    allResources: z.boolean(),
    /** Reads of these resources. */
    resources: z.array(Resource).max(Resource.options.length).default([]),
  })
  .meta({ id: 'AuditReadsSettings' });
export type AuditReadsSettings = z.output<typeof AuditReadsSettings>;

export const auditReadsSettingsOperations = operations(
  { tag: 'Settings', resource: 'settings', module: 'core', errors: plainErrors },
  {
    getAuditReadsSettings: {
      route: 'GET /x/v1/settings/auditReads',
      summary: 'Get which reads are recorded in the audit log',
      answer: AuditReadsSettings,
      access: { action: 'detail' },
    },
    updateAuditReadsSettings: {
      route: 'PUT /x/v1/settings/auditReads',
      summary: 'Set which reads are recorded in the audit log',
      body: AuditReadsSettings,
      access: { action: 'update' },
      audit: 'update',
    },
  },
);
