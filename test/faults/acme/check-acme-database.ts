// ACME invariants checked in the tables, partly against the responses that clients received.
import { runChecks, type Check, type Queryable, type Violation } from '../check-database.ts';
import { nonceUuid, type NonceLedger } from './nonce-ledger.ts';

/** CTE of an operation's audit records by the object they refer to, read once. */
const reportedCte = (operation: string, fact: string): string => `told AS (
  SELECT (operation_data ->> '${fact}')::uuid AS uuid, operation_result AS result, count(*) AS times FROM audit_record
  WHERE resource = 'acmeAccounts' AND operation = '${operation}' AND operation_data ->> '${fact}' IS NOT NULL GROUP BY 1, 2)`;

const ENDED_WELL = `('issued', 'revoked')`;

const checks: readonly Check[] = [
  {
    invariant: 'I4',
    what: 'certificate without its order',
    sql: `SELECT c.uuid::text AS it FROM certificate c WHERE c.protocol = 'acme'
          AND NOT EXISTS (SELECT FROM acme_order o WHERE o.certificate_uuid = c.uuid AND o.account_uuid = c.protocol_account_uuid AND o.status IN ('processing', 'valid', 'invalid'))`,
  },
  {
    // Each order of the load uses a different key.
    invariant: 'I3',
    what: 'two certificates for one request',
    sql: `SELECT public_key_fingerprint AS it FROM certificate WHERE protocol = 'acme' GROUP BY public_key_fingerprint HAVING count(*) > 1`,
  },
  {
    invariant: 'I3',
    what: 'certificate with two orders',
    sql: `SELECT certificate_uuid::text AS it FROM acme_order WHERE certificate_uuid IS NOT NULL GROUP BY certificate_uuid HAVING count(*) > 1`,
  },
  {
    invariant: 'I11',
    what: 'valid order without its certificate',
    sql: `SELECT o.uuid::text AS it FROM acme_order o LEFT JOIN certificate c ON c.uuid = o.certificate_uuid
          WHERE o.status = 'valid' AND coalesce(c.state, '') NOT IN ${ENDED_WELL}`,
  },
  {
    invariant: 'I11',
    what: 'failed order with a certificate',
    sql: `SELECT o.uuid::text AS it FROM acme_order o JOIN certificate c ON c.uuid = o.certificate_uuid WHERE o.status = 'invalid' AND c.state IN ${ENDED_WELL}`,
  },
  {
    invariant: 'I11',
    what: 'certificate whose names differ from its order',
    sql: `SELECT o.uuid::text AS it FROM acme_order o JOIN certificate c ON c.uuid = o.certificate_uuid
          WHERE o.names <> ARRAY(SELECT 'dns:' || name FROM jsonb_array_elements_text(coalesce(c.subject_alternative_names -> 'dNSName', '[]')) AS name ORDER BY ('dns:' || name) COLLATE "C")`,
  },
  {
    invariant: 'I11',
    what: 'order that continues although a challenge failed',
    sql: `SELECT o.uuid::text AS it FROM acme_order o JOIN acme_authorization z ON z.order_uuid = o.uuid WHERE z.status = 'invalid' AND o.status <> 'invalid'`,
  },
  {
    invariant: 'I11',
    what: 'order that was finalized before all challenges were valid',
    sql: `SELECT o.uuid::text AS it FROM acme_order o WHERE o.status IN ('processing', 'valid')
          AND EXISTS (SELECT FROM unnest(o.authorization_uuids) AS part (uuid) LEFT JOIN acme_authorization z ON z.uuid = part.uuid WHERE z.status IS DISTINCT FROM 'valid')`,
  },
  {
    invariant: 'I11',
    what: 'order without its authorizations, or authorization without its order',
    sql: `SELECT o.uuid::text AS it FROM acme_order o WHERE cardinality(o.authorization_uuids) <> cardinality(o.names)
          OR (SELECT count(*) FROM unnest(o.authorization_uuids) AS part (uuid) JOIN acme_authorization z USING (uuid)) <> cardinality(o.names)
          UNION ALL SELECT z.uuid::text FROM acme_authorization z WHERE NOT EXISTS (SELECT FROM acme_order o WHERE o.uuid = z.order_uuid)`,
  },
  {
    invariant: 'I11',
    what: 'partially stored challenge result',
    sql: `SELECT uuid::text AS it FROM acme_authorization WHERE (status = 'valid') <> (validated_at IS NOT NULL)
          OR (status IN ('valid', 'invalid') AND challenge_status IS DISTINCT FROM status) OR (status = 'invalid') <> (error IS NOT NULL)`,
  },
  {
    invariant: 'I7',
    what: 'order without exactly one audit record',
    sql: `WITH ${reportedCte('request', 'order')} SELECT coalesce(o.uuid, told.uuid)::text AS it FROM acme_order o FULL JOIN told ON told.uuid = o.uuid
          WHERE o.uuid IS NULL OR coalesce(told.times, 0) <> 1 OR told.result <> 'success'`,
  },
  {
    invariant: 'I7',
    what: 'completed challenge without exactly one audit record',
    sql: `WITH ${reportedCte('acmeValidate', 'authorization')} SELECT coalesce(z.uuid, told.uuid)::text AS it
          FROM (SELECT uuid, CASE status WHEN 'valid' THEN 'success' ELSE 'failure' END AS result FROM acme_authorization WHERE status IN ('valid', 'invalid')) z
          FULL JOIN told ON told.uuid = z.uuid AND told.result = z.result WHERE z.uuid IS NULL OR coalesce(told.times, 0) <> 1`,
  },
  {
    invariant: 'I7',
    what: 'requested certificate without exactly one audit record that names its account',
    sql: `WITH told AS (
            SELECT a.resource_objects -> 0 ->> 'uuid' AS uuid, a.affiliated_objects -> 0 ->> 'uuid' AS account, count(*) AS times FROM audit_record a
            WHERE a.resource = 'certificates' AND a.operation = 'request' AND a.affiliated_resource = 'acmeAccounts' GROUP BY 1, 2)
          SELECT c.uuid::text AS it FROM certificate c LEFT JOIN told ON told.uuid = c.uuid::text AND told.account = c.protocol_account_uuid::text
          WHERE c.protocol = 'acme' AND coalesce(told.times, 0) <> 1`,
  },
  {
    invariant: 'I7',
    what: 'account without exactly one audit record',
    sql: `WITH told AS (
            SELECT resource_objects -> 0 ->> 'uuid' AS uuid, count(*) AS times FROM audit_record
            WHERE resource = 'acmeAccounts' AND operation = 'create' AND operation_result = 'success' GROUP BY 1)
          SELECT coalesce(a.uuid::text, told.uuid) AS it FROM acme_account a FULL JOIN told ON told.uuid = a.uuid::text
          WHERE a.uuid IS NULL OR coalesce(told.times, 0) <> 1`,
  },
];

export async function checkAcmeDatabase(database: Queryable, nonces: NonceLedger): Promise<Violation[]> {
  return [...(await runChecks(database, checks)), ...(await checkUses(database, nonces))];
}

/** Checks that every nonce that was accepted in a response is recorded as used. */
async function checkUses(database: Queryable, nonces: NonceLedger): Promise<Violation[]> {
  const judged = nonces.all.filter((use) => use.judged > 0).map(({ nonce }) => nonceUuid(nonce));
  const rows = await database.query<{ it: string }>(
    `SELECT uuid::text AS it FROM unnest($1::uuid[]) AS judged (uuid) WHERE NOT EXISTS (SELECT FROM acme_used_nonce n WHERE n.uuid = judged.uuid)`,
    [judged],
  );
  return rows.map(({ it }) => ({ invariant: 'I8', what: `unrecorded use of a nonce: ${it}` }));
}
