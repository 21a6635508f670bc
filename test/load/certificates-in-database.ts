// Inserts a large, mixed inventory into the database; triggers maintain the counters, as in production.
import type { Database } from '@signetry/server/database';

const CHUNK = 20_000;
export const PROFILES = 40;
const GROUPS = 20;

export async function fillCertificates(database: Database, certificates: number): Promise<void> {
  await database.query(
    `INSERT INTO ra_profile (uuid, name, enabled, created_at, updated_at)
     SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'profile ' || n, true, now(), now() FROM generate_series(1, $1::int) AS n`,
    [PROFILES],
  );
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at)
     SELECT ('00000000-0000-0000-0001-' || lpad(n::text, 12, '0'))::uuid, 'group ' || n, now(), now() FROM generate_series(1, $1::int) AS n`,
    [GROUPS],
  );
  await database.query(DEFINE_COST_CENTER);
  for (let first = 0; first < certificates; first += CHUNK) {
    const last = Math.min(first + CHUNK, certificates) - 1;
    await database.query(FILL, [first, last, PROFILES]);
    await database.query(FILL_GROUPS, [first, last, GROUPS]);
    await database.query(FILL_COST_CENTERS, [first, last]);
  }
}

/**
 * Hostnames combine one of 20 services with one of 16 places; some certificates have a second name. One of 300 issuers
 * has issued half of the certificates. A fifth has expired; a few are revoked or failed. Validity periods are 90 and
 * 398 days; there are three kinds of keys. Every tenth certificate has an owner, every twentieth is archived.
 */
const FILL = `
  INSERT INTO certificate (uuid, state, validation_status, common_name, subject_dn, subject_dn_normalized, issuer_common_name, issuer_dn,
    issuer_dn_normalized, public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm, subject_type, fingerprint,
    serial_number, not_before, not_after, subject_alternative_names, ra_profile_uuid, owner_uuid, owner_username, protocol, archived,
    issued_at, created_at, updated_at)
  SELECT ('00000000-0000-0000-0002-' || lpad(n::text, 12, '0'))::uuid,
    CASE WHEN n % 50 = 0 THEN 'revoked' WHEN n % 97 = 0 THEN 'failed' ELSE 'issued' END,
    CASE WHEN n % 50 = 0 THEN 'revoked' WHEN n % 5 = 0 THEN 'expired' WHEN n % 31 = 0 THEN 'expiring' ELSE 'valid' END,
    host, 'CN=' || host || ', OU=' || work || ', O=Example Holding, C=CZ',
    '2.5.4.10=example holding,2.5.4.11=' || work || ',2.5.4.3=' || host || ',2.5.4.6=cz',
    issuer, 'CN=' || issuer || ', O=Example Holding, C=CZ', '2.5.4.10=example holding,2.5.4.3=' || lower(issuer) || ',2.5.4.6=cz',
    CASE n % 3 WHEN 0 THEN 'RSA' ELSE 'ECDSA' END, encode(sha256(int8send(-n)), 'hex'),
    CASE n % 3 WHEN 0 THEN 2048 WHEN 1 THEN 256 ELSE 384 END,
    CASE n % 3 WHEN 0 THEN 'SHA256withRSA' ELSE 'SHA256withECDSA' END, 'endEntity', encode(sha256(int8send(n)), 'hex'), md5(n::text),
    now() - (n % 90000) * interval '7 minutes', now() - interval '100 days' + (n % 100000) * interval '7 minutes',
    jsonb_build_object('dNSName', CASE n % 3 WHEN 0 THEN jsonb_build_array(host, 'www.' || host) ELSE jsonb_build_array(host) END),
    ('00000000-0000-0000-0000-' || lpad((1 + n % $3::int)::text, 12, '0'))::uuid,
    CASE WHEN n % 10 = 3 THEN ('00000000-0000-0000-0003-' || lpad((n / 10 % 100)::text, 12, '0'))::uuid END,
    CASE WHEN n % 10 = 3 THEN 'owner-' || n / 10 % 100 END,
    CASE WHEN n % 2 = 0 THEN 'acme' END, n % 20 = 0,
    now() - (n % 90000) * interval '7 minutes', now(), now()
  FROM (
    SELECT n, work, work || '-' || n || '.' || (ARRAY['prague', 'brno', 'berlin', 'paris', 'oslo', 'madrid', 'wien', 'roma', 'lisboa', 'dublin',
        'turku', 'gent', 'malmo', 'porto', 'riga', 'split'])[1 + b % 16] || '.example' AS host,
      'Issuing CA ' || CASE WHEN c % 2 = 0 THEN 1 ELSE 1 + c / 2 % 300 END AS issuer
    FROM (
      SELECT n, (ARRAY['web', 'api', 'mail', 'vpn', 'db', 'auth', 'shop', 'grid', 'node', 'edge', 'build', 'ldap', 'proxy', 'mqtt', 'cam', 'pos',
          'erp', 'crm', 'wiki', 'git'])[1 + (hashint8extended(n, 1) & 1048575) % 20] AS work,
        hashint8extended(n, 2) & 1048575 AS b, hashint8extended(n, 3) & 1048575 AS c
      FROM generate_series($1::bigint, $2::bigint) AS n) AS drawn) AS named`;

/** Custom attribute with a thousand values, set on every fourth certificate. */
const COST_CENTER = '00000000-0000-0000-0004-000000000001';
const DEFINE_COST_CENTER = `
  INSERT INTO attribute_definition (uuid, type, attribute_uuid, name, content_type, label, definition, created_at, updated_at, resources)
  VALUES ('${COST_CENTER}', 'custom', '${COST_CENTER}', 'costCenter', 'string', 'Cost center',
    '{"uuid": "${COST_CENTER}", "name": "costCenter", "type": "custom", "contentType": "string", "properties": {"label": "Cost center"}}',
    now(), now(), '{certificates}')`;
const FILL_COST_CENTERS = `
  INSERT INTO attribute_value (uuid, object_resource, object_uuid, definition_uuid, position, item, value_text)
  SELECT ('00000000-0000-0000-0005-' || lpad(n::text, 12, '0'))::uuid, 'certificates',
    ('00000000-0000-0000-0002-' || lpad(n::text, 12, '0'))::uuid, '${COST_CENTER}', 0, jsonb_build_object('data', center), center
  FROM (SELECT n, 'CC' || lpad((hashint8extended(n, 4) & 1048575) % 1000 || '', 4, '0') AS center
    FROM generate_series($1::bigint, $2::bigint) AS n WHERE n % 4 = 1) AS drawn`;

/** Every fourth certificate is in a group, some in two. */
const FILL_GROUPS = `
  INSERT INTO group_membership (object_resource, object_uuid, group_uuid)
  SELECT DISTINCT 'certificates', ('00000000-0000-0000-0002-' || lpad(n::text, 12, '0'))::uuid,
    ('00000000-0000-0000-0001-' || lpad((1 + (n / 4 * (1 + turn * (n / 16 % 2))) % $3::int)::text, 12, '0'))::uuid
  FROM generate_series($1::int, $2::int) AS n, generate_series(0, 1) AS turn WHERE n % 4 = 0`;
