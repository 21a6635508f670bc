// The audit log as JSON lines, for log collectors. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { SearchFilterRequestDto } from '../shared/search.ts';

export const auditLinesOperations = operations(
  { tag: 'Audit Log', resource: 'auditLogs', module: 'core', errors: plainErrors },
  {
    /** One record per line, in the format used by the list operation, in descending order of id. */
    exportAuditLogLines: {
      route: 'POST /x/v1/auditLogs/exportLines',
      summary: 'Export the audit log as JSON lines',
      body: z.array(SearchFilterRequestDto),
      success: { status: 200, media: 'application/jsonl' },
      access: { action: 'export' },
      audit: 'export',
    },
  },
);
