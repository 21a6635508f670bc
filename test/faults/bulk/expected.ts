// Expected state of the tables after an import and operations on all of its certificates. Each expectation is a
// counting query.
import type { Queryable, Violation } from '../check-database.ts';

interface Expected {
  readonly invariant: Violation['invariant'];
  readonly what: string;
  /** Returns one row `{ n }`; `$1` is the name of the imported file, `$2` the assigned group. */
  readonly sql: string;
  readonly count: number;
}

const OURS = `certificate_uuid IN (SELECT uuid FROM certificate WHERE common_name LIKE 'host%.example.com')`;

/**
 * An audit record covers many certificates. The total number of objects in all records shows whether each was recorded
 * once.
 */
const reportedCount = (operation: string): string =>
  `SELECT count(*)::int AS n FROM audit_record a, jsonb_array_elements(a.resource_objects) AS object
   WHERE a.operation = '${operation}' AND a.operation_result = 'success' AND object ->> 'name' LIKE 'host%.example.com'`;

export const expectedAfterImport = (count: number): readonly Expected[] => [
  {
    invariant: 'I11',
    what: 'certificates',
    sql: `SELECT count(DISTINCT fingerprint)::int AS n FROM certificate WHERE common_name LIKE 'host%.example.com'`,
    count,
  },
  {
    invariant: 'I11',
    what: 'contents of the certificates',
    sql: `SELECT count(*)::int AS n FROM certificate_content content
      WHERE EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint AND c.common_name LIKE 'host%.example.com')`,
    count,
  },
  {
    invariant: 'I11',
    what: 'history entries of the import',
    sql: `SELECT count(*)::int AS n FROM certificate_history WHERE message = 'Certificate imported from ' || $1::text`,
    count,
  },
];

/** In addition to the import. `before`: objects in audit records of earlier updates. */
export const expectedAfterGrouping = (count: number, before: number): readonly Expected[] => [
  {
    invariant: 'I11',
    what: 'members of the group',
    sql: `SELECT count(*)::int AS n FROM group_membership WHERE group_uuid = $2::uuid`,
    count,
  },
  {
    invariant: 'I11',
    what: 'history entries of the group change',
    sql: `SELECT count(*)::int AS n FROM certificate_history WHERE event = 'Update Group' AND ${OURS}`,
    count,
  },
  { invariant: 'I7', what: 'changes in the audit log', sql: reportedCount('update'), count: before + count },
];

/** `kept`: number of certificates that could not be deleted. */
export const expectedAfterDeletion = (
  count: number,
  { kept, before }: { readonly kept: number; readonly before: number },
) =>
  [
    {
      invariant: 'I11',
      what: 'remaining certificates',
      sql: `SELECT count(*)::int AS n FROM certificate WHERE common_name LIKE 'host%.example.com'`,
      count: kept,
    },
    {
      invariant: 'I11',
      what: 'contents without a certificate',
      sql: `SELECT count(*)::int AS n FROM certificate_content content
        WHERE NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint)`,
      count: 0,
    },
    {
      invariant: 'I11',
      what: 'remaining members of the group',
      sql: `SELECT count(*)::int AS n FROM group_membership WHERE group_uuid = $2::uuid`,
      count: kept,
    },
    { invariant: 'I7', what: 'deletions in the audit log', sql: reportedCount('delete'), count: before + count - kept },
  ] as const satisfies readonly Expected[];

export interface Facts {
  readonly file: string;
  readonly groupUuid: string;
}

export async function findDifferences(
  database: Queryable,
  expected: readonly Expected[],
  { file, groupUuid }: Facts,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { invariant, what, sql, count } of expected) {
    // The WHERE clause gives both parameters a type even if the query does not use them.
    const text = `SELECT n FROM (${sql}) AS found WHERE $1::text IS NOT NULL AND $2::uuid IS NOT NULL`;
    const [row] = await database.query<{ n: number }>(text, [file, groupUuid]);
    if (row?.n !== count) violations.push({ invariant, what: `${what}: ${row?.n} instead of ${count}` });
  }
  return violations;
}

/** Deliberately planted faults, after an import and an update. */
export const plantedAfterUpdate = [
  {
    name: 'an imported certificate is lost',
    finds: 'I11',
    sql: `DELETE FROM certificate WHERE uuid = (SELECT uuid FROM certificate WHERE common_name LIKE 'host%.example.com' LIMIT 1)`,
  },
  {
    name: 'a certificate was changed without a history entry',
    finds: 'I11',
    sql: `DELETE FROM certificate_history WHERE uuid = (SELECT uuid FROM certificate_history WHERE event = 'Update Group' LIMIT 1)`,
  },
  {
    name: 'the audit record of a batch is missing',
    finds: 'I7',
    sql: `DELETE FROM audit_record WHERE id = (SELECT id FROM audit_record WHERE operation = 'update' AND resource_objects @> '[{}]'
      AND resource_objects -> 0 ->> 'name' LIKE 'host%' LIMIT 1)`,
  },
] as const;
