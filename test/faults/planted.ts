// Deliberately planted faults, each in a transaction that is rolled back. They prove that the checks detect what they
// should.
import type { Database } from '@signetry/server/database';
import type { Queryable, Violation } from './check-database.ts';

export interface Planted {
  readonly name: string;
  readonly finds: Violation['invariant'];
  readonly sql: string;
}

const ISSUED = `(SELECT uuid FROM certificate WHERE state = 'issued' AND request_uuid IS NOT NULL LIMIT 1)`;

export const plantedFaults: readonly Planted[] = [
  { name: 'a signed certificate is lost', finds: 'I1', sql: `DELETE FROM certificate WHERE uuid = ${ISSUED}` },
  {
    name: 'a serial number is used twice',
    finds: 'I3',
    sql: `WITH two AS (SELECT uuid, serial_number, row_number() OVER () AS n FROM certificate WHERE state = 'issued' AND request_uuid IS NOT NULL LIMIT 2)
          UPDATE certificate SET serial_number = (SELECT serial_number FROM two WHERE n = 1), issuer_certificate_uuid = NULL WHERE uuid = (SELECT uuid FROM two WHERE n = 2)`,
  },
  {
    name: 'a signature preceded its intent',
    finds: 'I4',
    sql: `DELETE FROM certificate_operation WHERE certificate_uuid = ${ISSUED}`,
  },
  {
    name: 'a revocation is lost',
    finds: 'I5',
    sql: `UPDATE certificate SET state = 'issued' WHERE uuid = (SELECT uuid FROM certificate WHERE state = 'revoked' LIMIT 1)`,
  },
  {
    name: 'an audit record is missing',
    finds: 'I7',
    sql: `DELETE FROM audit_record WHERE id = (SELECT a.id FROM audit_record a WHERE a.operation = 'issue' AND a.operation_result = 'success' LIMIT 1)`,
  },
  {
    name: 'an audit record reports something that did not happen',
    finds: 'I7',
    sql: `UPDATE certificate SET state = 'failed' WHERE uuid = ${ISSUED}`,
  },
  {
    name: 'content is missing',
    finds: 'I11',
    sql: `DELETE FROM certificate_content WHERE fingerprint = (SELECT fingerprint FROM certificate WHERE uuid = ${ISSUED})`,
  },
  {
    name: 'an operation never ended',
    finds: 'I11',
    sql: `UPDATE certificate_operation SET state = 'pending' WHERE certificate_uuid = ${ISSUED}`,
  },
];

/** Returns the names of planted faults that the check did not detect. */
export async function missedFaults(
  database: Database,
  {
    faults,
    check,
  }: { readonly faults: readonly Planted[]; readonly check: (database: Queryable) => Promise<Violation[]> },
): Promise<string[]> {
  const missed: string[] = [];
  for (const { name, finds, sql } of faults) {
    const connection = await database.connect();
    const queryable: Queryable = {
      query: async <Row>(text: string, values: readonly unknown[] = []) =>
        (await connection.query(text, [...values])).rows as Row[], // The SELECT list determines the shape.
    };
    try {
      await connection.query('BEGIN');
      const { rowCount } = await connection.query(sql);
      const found = await check(queryable);
      if (rowCount === 0 || !found.some(({ invariant }) => invariant === finds)) missed.push(name);
    } finally {
      await connection.query('ROLLBACK');
      connection.release();
    }
  }
  return missed;
}
