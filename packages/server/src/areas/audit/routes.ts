// Audit operations of the interface, and the verification, which is ours.
import { auditLogOperations, auditVerificationOperations } from '@signetry/contract';
import { answer, routes, type Route } from '../../platform/http/routes.ts';
import { presentReport } from './present.ts';
import type { AuditService } from './service.ts';

const NOTHING = new Uint8Array();

export const auditRoutes = (service: AuditService): readonly Route[] => [
  ...routes(auditLogOperations, {
    listAuditLogs: ({ body }) => service.list(body),
    getAuditLogSearchFields: () => service.searchFields(),
    exportAuditLogs: async ({ body, context }) => {
      const result = await service.exportRecords(body, context);
      if (!result) return NOTHING;
      return answer(result.archive, { 'content-disposition': `attachment; filename="${result.fileName}"` });
    },
    purgeAuditLogs: async ({ body, context }) => {
      await service.purge(body, context);
    },
  }),
  ...routes(auditVerificationOperations, {
    verifyAuditLog: async ({ body }) => presentReport(await service.verifyWithEnds(body?.ends ?? [])),
  }),
];
