// Invariants of enrollments in the tables, and planted faults that prove that the checks detect them.
import type { Check } from '../check-database.ts';
import type { Planted } from '../planted.ts';

export const enrollmentChecks: readonly Check[] = [
  {
    invariant: 'I1',
    what: 'completed enrollment whose certificate is not issued',
    sql: `SELECT e.uuid::text AS it FROM enrollment e LEFT JOIN certificate c ON c.uuid = e.certificate_uuid
          WHERE e.state IN ('issued', 'confirmed') AND coalesce(c.state, '') <> 'issued'`,
  },
  {
    invariant: 'I2',
    what: 'SCEP or EST request with more than one certificate',
    sql: `SELECT min(subject_dn) AS it FROM certificate WHERE protocol IN ('scep', 'est') GROUP BY subject_dn HAVING count(*) > 1`,
  },
  {
    invariant: 'I4',
    what: 'one-time secret used without an enrollment',
    sql: `SELECT s.uuid::text AS it FROM enrollment_secret s LEFT JOIN enrollment e ON e.uuid = s.enrollment_uuid
          WHERE s.used_at IS NOT NULL AND e.uuid IS NULL`,
  },
  {
    invariant: 'I4',
    what: 'SCEP request without a one-time secret',
    sql: `SELECT e.uuid::text AS it FROM enrollment e WHERE e.protocol = 'scep' AND e.certificate_uuid IS NOT NULL
          AND NOT EXISTS (SELECT FROM enrollment_secret s WHERE s.enrollment_uuid = e.uuid)`,
  },
];

const ISSUED_BY_SCEP = `(SELECT uuid FROM enrollment WHERE protocol = 'scep' AND state = 'issued' LIMIT 1)`;

export const plantedEnrollmentFaults: readonly Planted[] = [
  {
    name: 'the certificate of an enrollment is lost',
    finds: 'I1',
    sql: `UPDATE certificate SET state = 'failed' WHERE uuid = (SELECT certificate_uuid FROM enrollment WHERE state = 'confirmed' LIMIT 1)`,
  },
  {
    name: 'two certificates are issued for one request',
    finds: 'I2',
    sql: `UPDATE certificate SET subject_dn = (SELECT subject_dn FROM certificate WHERE protocol = 'est' AND state = 'issued' LIMIT 1) WHERE protocol = 'est'`,
  },
  {
    name: 'a one-time secret is used without an enrollment',
    finds: 'I4',
    sql: `UPDATE enrollment_secret SET enrollment_uuid = gen_random_uuid() WHERE enrollment_uuid = ${ISSUED_BY_SCEP}`,
  },
  {
    name: 'a one-time secret can be used again',
    finds: 'I4',
    sql: `UPDATE enrollment_secret SET used_at = NULL, enrollment_uuid = NULL WHERE enrollment_uuid = ${ISSUED_BY_SCEP}`,
  },
];
