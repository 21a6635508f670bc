// Search fields for approvals, used in conditions. `a` is the alias of the approval table.
import { sql } from 'kysely';
import { column } from '../../platform/database/filter/reading.ts';
import { evaluatedObjects } from '../../platform/database/filter/read-values.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

const approvalFields = sqlFields('approvals', {
  APPROVAL_RESOURCE: column('a.resource'),
  APPROVAL_ACTION: column('a.action'),
  APPROVAL_STATUS: column('a.status'),
  APPROVAL_CREATED_AT: column('a.created_at'),
  APPROVAL_EXPIRY_AT: column('a.expiry_at'),
  APPROVAL_CLOSED_AT: column('a.closed_at'),
});

export const evaluatedApprovals = evaluatedObjects(approvalFields.lookup, {
  from: sql`approval AS a`,
  key: sql`a.uuid`,
});
