// Selects which reads are recorded in the audit log. The published logging settings have no option for this; they apply
// to changes and to the reads selected here. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';

export const AuditReadsSettings = z
  .object({
    /** Whether reads of all resources are recorded. */
    allResources: z.boolean(),
    /** Resources whose reads are recorded. */
    resources: z.array(Resource).max(Resource.options.length).default([]),
  })
  .meta({ id: 'AuditReadsSettings' });
export type AuditReadsSettings = z.output<typeof AuditReadsSettings>;

export const auditReadsSettingsOperations = operations(
  { tag: 'Settings', resource: 'settings', module: 'core', errors: plainErrors },
  {
    getAuditReadsSettings: {
      route: 'GET /x/v1/settings/auditReads',
      summary: 'Get the settings for recording reads in the audit log',
      answer: AuditReadsSettings,
      access: { action: 'detail' },
    },
    updateAuditReadsSettings: {
      route: 'PUT /x/v1/settings/auditReads',
      summary: 'Update the settings for recording reads in the audit log',
      body: AuditReadsSettings,
      access: { action: 'update' },
      audit: 'update',
    },
  },
);
