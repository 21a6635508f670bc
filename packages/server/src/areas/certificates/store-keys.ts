// Matches certificates with token keys that have the same public key. The link is not stored: either can arrive first,
// and they are matched by the public key fingerprint (ADR 0052).
import { sql } from 'kysely';
import { type Executor, hotStatement, runHot, type HotExecutor } from '../../platform/database/database.ts';

/** Active private key of certificate `c`. */
export const privateKeyQuery = {
  from: sql`key_item i`,
  where: sql`i.public_key_fingerprint = c.public_key_fingerprint AND i.type = 'Private' AND i.state = 'active'`,
};

/** Requires one index lookup per certificate on a page. Without the offset, a long page would read all keys. */
export const hasPrivateKey = sql<boolean>`EXISTS (SELECT FROM ${privateKeyQuery.from} WHERE ${privateKeyQuery.where} OFFSET 0)`;

/** Certificates for these keys' public keys, except failed and rejected ones. */
const certificatesOfKeys = (keyUuids: readonly string[]) => sql`
  FROM (SELECT DISTINCT key_uuid, public_key_fingerprint FROM key_item
        WHERE key_uuid = ANY(${keyUuids}::uuid[]) AND public_key_fingerprint IS NOT NULL) AS k
  JOIN certificate c ON c.public_key_fingerprint = k.public_key_fingerprint AND c.state NOT IN ('failed', 'rejected')`;

/** Returns the newest first. */
export async function findCertificatesOfKeys(
  executor: Executor,
  keyUuids: readonly string[],
  limit: number,
): Promise<{ keyUuid: string; uuid: string; name: string }[]> {
  const { rows } = await sql<{ key_uuid: string; uuid: string; common_name: string }>`
    SELECT k.key_uuid, c.uuid, c.common_name ${certificatesOfKeys(keyUuids)} ORDER BY c.uuid DESC LIMIT ${limit}::int`.execute(
    executor,
  );
  return rows.map((row) => ({ keyUuid: row.key_uuid, uuid: row.uuid, name: row.common_name }));
}

/**
 * Returns certificates for these keys' public keys that may have been requested from an authority, which may have
 * issued them.
 */
export async function findAwaitedCertificatesOfKeys(
  executor: Executor,
  keyUuids: readonly string[],
  limit: number,
): Promise<{ keyUuid: string; uuid: string; name: string }[]> {
  const { rows } = await sql<{ key_uuid: string; uuid: string; common_name: string }>`
    SELECT k.key_uuid, c.uuid, c.common_name ${certificatesOfKeys(keyUuids)}
    JOIN certificate_operation o ON o.certificate_uuid = c.uuid AND o.kind <> 'revoke'
      AND o.state IN ('pending', 'undecided')
    ORDER BY c.uuid DESC LIMIT ${limit}::int`.execute(executor);
  return rows.map((row) => ({ keyUuid: row.key_uuid, uuid: row.uuid, name: row.common_name }));
}

export async function countCertificatesOfKeys(
  executor: Executor,
  keyUuids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_uuid: string; certificates: number }>`
    SELECT k.key_uuid, count(*)::int AS certificates ${certificatesOfKeys(keyUuids)} GROUP BY k.key_uuid`.execute(
    executor,
  );
  return new Map(rows.map((row) => [row.key_uuid, row.certificates]));
}

/**
 * Keys revoked as compromised, for which no certificate is ever issued again. This rule is shared by statements that
 * start issuance and by protocols that reject such keys early. Triggers fill compromised_key.
 *
 * Returns the SQL condition that the key with this fingerprint (an expression) is compromised. Relies on the primary
 * key of compromised_key.
 */
export const isCompromisedSql = (fingerprint: string): string =>
  `EXISTS (SELECT FROM compromised_key k WHERE k.public_key_fingerprint = ${fingerprint})`;

const IS_COMPROMISED = hotStatement('is_compromised_key', `SELECT ${isCompromisedSql('$1::text')} AS compromised`);

export async function isCompromised(executor: HotExecutor, publicKeyFingerprint: string): Promise<boolean> {
  const [row] = await runHot<{ compromised: boolean }>(executor, IS_COMPROMISED, [publicKeyFingerprint]);
  return row?.compromised ?? false;
}
