// Certificates and the keys in tokens that have the same public key. Nothing is kept of it: whichever comes first, the
// fingerprint of the public key is on both (ADR 0052).
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';

/** The private half of the key of certificate `c`, while it is active. */
export const privateHalf = {
  from: sql`key_item i`,
  where: sql`i.public_key_fingerprint = c.public_key_fingerprint AND i.type = 'Private' AND i.state = 'active'`,
};

/** One look into an index for each certificate of a page; without the offset, all keys would be read for a long one. */
export const hasPrivateKey = sql<boolean>`EXISTS (SELECT FROM ${privateHalf.from} WHERE ${privateHalf.where} OFFSET 0)`;

/** Certificates of the public keys of these keys; those that came to nothing do not count. */
const ofKeys = (keyUuids: readonly string[]) => sql`
  FROM (SELECT DISTINCT key_uuid, public_key_fingerprint FROM key_item
        WHERE key_uuid = ANY(${keyUuids}::uuid[]) AND public_key_fingerprint IS NOT NULL) AS k
  JOIN certificate c ON c.public_key_fingerprint = k.public_key_fingerprint AND c.state NOT IN ('failed', 'rejected')`;

/** The newest first. */
export async function findCertificatesOfKeys(
  executor: Executor,
  keyUuids: readonly string[],
  limit: number,
): Promise<{ keyUuid: string; uuid: string; name: string }[]> {
  const { rows } = await sql<{ key_uuid: string; uuid: string; common_name: string }>`
    SELECT k.key_uuid, c.uuid, c.common_name ${ofKeys(keyUuids)} ORDER BY c.uuid DESC LIMIT ${limit}::int`.execute(
    executor,
  );
  return rows.map((row) => ({ keyUuid: row.key_uuid, uuid: row.uuid, name: row.common_name }));
}

/** Certificates of the public keys of these keys that an authority may have been asked for, and may have issued. */
export async function findAwaitedCertificatesOfKeys(
  executor: Executor,
  keyUuids: readonly string[],
  limit: number,
): Promise<{ keyUuid: string; uuid: string; name: string }[]> {
  const { rows } = await sql<{ key_uuid: string; uuid: string; common_name: string }>`
    SELECT k.key_uuid, c.uuid, c.common_name ${ofKeys(keyUuids)}
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
    SELECT k.key_uuid, count(*)::int AS certificates ${ofKeys(keyUuids)} GROUP BY k.key_uuid`.execute(executor);
  return new Map(rows.map((row) => [row.key_uuid, row.certificates]));
}
