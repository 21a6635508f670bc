// A large inventory written into the database: rows of a mixed population, counters kept by the triggers as in
// operation.
import type { Database } from '@signetry/server';

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
  for (let first = 0; first < certificates; first += CHUNK) {
    const last = Math.min(first + CHUNK, certificates) - 1;
    await database.query(FILL, [first, last, PROFILES]);
    await database.query(FILL_GROUPS, [first, last, GROUPS]);
  }
}

/** A fifth over, a few revoked and failed, validities of 90 and 398 days, three kinds of keys. */
const FILL = `
  INSERT INTO certificate (uuid, state, validation_status, common_name, subject_dn, subject_dn_normalized, public_key_algorithm,
    public_key_fingerprint, key_size, signature_algorithm, subject_type, fingerprint, serial_number, not_before, not_after, ra_profile_uuid,
    protocol, archived, issued_at, created_at, updated_at)
  SELECT ('00000000-0000-0000-0002-' || lpad(n::text, 12, '0'))::uuid,
    CASE WHEN n % 50 = 0 THEN 'revoked' WHEN n % 97 = 0 THEN 'failed' ELSE 'issued' END,
    CASE WHEN n % 50 = 0 THEN 'revoked' WHEN n % 5 = 0 THEN 'expired' WHEN n % 31 = 0 THEN 'expiring' ELSE 'valid' END,
    'host-' || n || '.example', 'CN=host-' || n || '.example', '2.5.4.3=host-' || n || '.example',
    CASE n % 3 WHEN 0 THEN 'RSA' ELSE 'ECDSA' END, md5(n::text), CASE n % 3 WHEN 0 THEN 2048 WHEN 1 THEN 256 ELSE 384 END,
    CASE n % 3 WHEN 0 THEN 'SHA256withRSA' ELSE 'SHA256withECDSA' END, 'endEntity', md5(n::text), md5(n::text),
    now() - (n % 90000) * interval '7 minutes', now() - interval '100 days' + (n % 100000) * interval '7 minutes',
    ('00000000-0000-0000-0000-' || lpad((1 + n % $3::int)::text, 12, '0'))::uuid, CASE WHEN n % 2 = 0 THEN 'acme' END, n % 20 = 0,
    now() - (n % 90000) * interval '7 minutes', now(), now()
  FROM generate_series($1::int, $2::int) AS n`;

/** Every fourth certificate is in a group, some are in two. */
const FILL_GROUPS = `
  INSERT INTO group_membership (object_resource, object_uuid, group_uuid)
  SELECT DISTINCT 'certificates', ('00000000-0000-0000-0002-' || lpad(n::text, 12, '0'))::uuid,
    ('00000000-0000-0000-0001-' || lpad((1 + (n / 4 * (1 + turn * (n / 16 % 2))) % $3::int)::text, 12, '0'))::uuid
  FROM generate_series($1::int, $2::int) AS n, generate_series(0, 1) AS turn WHERE n % 4 = 0`;
