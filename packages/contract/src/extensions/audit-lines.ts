// The audit log as JSON lines, for programs that collect logs. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { SearchFilterRequestDto } from '../shared/search.ts';

export const auditLinesOperations = operations(
  { tag: 'Audit Log', resource: 'auditLogs', module: 'core', errors: plainErrors },
  {
    /** One record a line, as the list has it, by falling id. */
    exportAuditLogLines: {
      route: 'POST /x/v1/auditLogs/exportLines',
      summary: 'Export Audit logs as JSON lines',
      body: z.array(SearchFilterRequestDto),
      success: { status: 200, media: 'application/jsonl' },
      access: { action: 'export' },
      audit: 'export',
    },
  },
);
