// Audit operations of the API and their settings, and verification, which is Signetry's own extension.
import {
  auditLinesOperations,
  auditLogOperations,
  auditReadsSettingsOperations,
  auditVerificationOperations,
  loggingSettingsOperations,
} from '@signetry/contract';
import { respondWith, routes, type Route } from '../../platform/http/routes.ts';
import type { AuditExport } from './export-audit-log.ts';
import type { LoggingSettings } from './logging-settings.ts';
import { presentReport } from './present.ts';
import type { AuditService } from './service.ts';

const NOTHING = new Uint8Array();

const asAttachment = ({ fileName }: AuditExport) => ({
  'content-disposition': `attachment; filename="${fileName}"`,
});

export const auditRoutes = (service: AuditService, { logging, reads }: LoggingSettings): readonly Route[] => [
  ...routes(auditLogOperations, {
    listAuditLogs: ({ body }) => service.list(body),
    getAuditLogSearchFields: () => service.searchFields(),
    exportAuditLogs: async ({ body, context }) => {
      const result = await service.exportArchive(body, context);
      return result ? respondWith(result.file, asAttachment(result)) : NOTHING;
    },
    purgeAuditLogs: async ({ body, context }) => {
      await service.purge(body, context);
    },
  }),
  ...routes(loggingSettingsOperations, {
    getLoggingSettings: () => logging.current(),
    updateLoggingSettings: ({ body, context }) => logging.change(body, context),
  }),
  ...routes(auditReadsSettingsOperations, {
    getAuditReadsSettings: () => reads.current(),
    updateAuditReadsSettings: ({ body, context }) => reads.change(body, context),
  }),
  ...routes(auditLinesOperations, {
    exportAuditLogLines: async ({ body, context }) => {
      const result = await service.exportLines(body, context);
      return respondWith(result.file, asAttachment(result));
    },
  }),
  ...routes(auditVerificationOperations, {
    verifyAuditLog: async ({ body }) => presentReport(await service.verifyWithHeads(body?.ends ?? [])),
  }),
];
