// Deliberately planted ACME faults, as the traces that they would leave in the tables.
import type { Planted } from '../planted.ts';

const VALID = `(SELECT uuid FROM acme_order WHERE status = 'valid' LIMIT 1)`;
const FAILED = `(SELECT o.uuid FROM acme_order o JOIN acme_authorization z ON z.order_uuid = o.uuid WHERE o.status = 'invalid' AND z.status = 'invalid' LIMIT 1)`;
const PROVEN = `(SELECT uuid FROM acme_authorization WHERE status = 'valid' LIMIT 1)`;
const recordOf = (operation: string): string =>
  `(SELECT id FROM audit_record WHERE resource = 'acmeAccounts' AND operation = '${operation}' AND operation_result = 'success' AND (operation_data IS NOT NULL OR operation = 'create') LIMIT 1)`;

export const plantedAcmeFaults: readonly Planted[] = [
  {
    name: 'an order is finalized after its certificate was issued',
    finds: 'I4',
    sql: `UPDATE acme_order SET status = 'pending', certificate_uuid = NULL WHERE uuid = ${VALID}`,
  },
  {
    name: 'an order gets a second certificate',
    finds: 'I3',
    sql: `WITH two AS (SELECT uuid, public_key_fingerprint AS key, row_number() OVER () AS n FROM certificate WHERE protocol = 'acme' LIMIT 2)
          UPDATE certificate SET public_key_fingerprint = (SELECT key FROM two WHERE n = 1) WHERE uuid = (SELECT uuid FROM two WHERE n = 2)`,
  },
  {
    name: 'two orders share one certificate',
    finds: 'I3',
    sql: `UPDATE acme_order SET certificate_uuid = (SELECT certificate_uuid FROM acme_order WHERE uuid = ${VALID})
          WHERE uuid = (SELECT uuid FROM acme_order WHERE status = 'valid' AND uuid <> ${VALID} LIMIT 1)`,
  },
  {
    name: 'an order is valid before its certificate exists',
    finds: 'I11',
    sql: `UPDATE certificate SET state = 'requested' WHERE uuid = (SELECT certificate_uuid FROM acme_order WHERE uuid = ${VALID})`,
  },
  {
    name: 'an order fails while its certificate is issued',
    finds: 'I11',
    sql: `UPDATE acme_order SET status = 'invalid' WHERE uuid = ${VALID}`,
  },
  {
    name: 'the names of a certificate differ from its order',
    finds: 'I11',
    sql: `UPDATE acme_order SET names = names || ARRAY['dns:other.faults.test'] WHERE uuid = ${VALID}`,
  },
  {
    name: 'a challenge is completed without its order',
    finds: 'I11',
    sql: `UPDATE acme_order SET status = 'pending', error = NULL WHERE uuid = ${FAILED}`,
  },
  {
    name: 'an order is finalized without a valid challenge',
    finds: 'I11',
    sql: `UPDATE acme_authorization SET status = 'pending', validated_at = NULL, challenge_status = NULL WHERE order_uuid = ${VALID}`,
  },
  {
    name: 'an order is created without its authorizations',
    finds: 'I11',
    sql: `DELETE FROM acme_authorization WHERE uuid = ${PROVEN}`,
  },
  {
    name: 'authorizations are created without their order',
    finds: 'I11',
    sql: `DELETE FROM acme_order WHERE uuid = ${VALID}`,
  },
  {
    name: 'a challenge result is partially stored',
    finds: 'I11',
    sql: `UPDATE acme_authorization SET validated_at = NULL WHERE uuid = ${PROVEN}`,
  },
  {
    name: 'an order is created without its audit record',
    finds: 'I7',
    sql: `DELETE FROM audit_record WHERE id = ${recordOf('request')}`,
  },
  {
    name: 'a challenge is completed without its audit record',
    finds: 'I7',
    sql: `DELETE FROM audit_record WHERE id = ${recordOf('acmeValidate')}`,
  },
  {
    name: 'an audit record reports a result that was rolled back',
    finds: 'I7',
    sql: `UPDATE acme_authorization SET status = 'pending', validated_at = NULL, challenge_status = NULL WHERE uuid = ${PROVEN}`,
  },
  {
    name: 'an account is created without its audit record',
    finds: 'I7',
    sql: `DELETE FROM audit_record WHERE id = ${recordOf('create')}`,
  },
  {
    name: 'a certificate is requested without its audit record',
    finds: 'I7',
    sql: `DELETE FROM audit_record WHERE id = (SELECT id FROM audit_record WHERE resource = 'certificates' AND operation = 'request' AND affiliated_resource = 'acmeAccounts' LIMIT 1)`,
  },
  {
    name: 'the use of a nonce is not recorded',
    finds: 'I8',
    sql: `DELETE FROM acme_used_nonce`,
  },
];
