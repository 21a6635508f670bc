// Removal of old discoveries and their results, in small batches.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';

/**
 * Locks the discovery that ended first, provided that a later discovery with the same request has ended: the last
 * discovery for a request is always retained.
 */
export async function lockOldest(tx: Executor, before: Date): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT d.uuid FROM discovery d WHERE d.ended_at < ${before} AND EXISTS (
      SELECT FROM discovery later
      WHERE later.asked_for = d.asked_for AND later.started_at > d.started_at AND later.ended_at IS NOT NULL)
    ORDER BY d.ended_at LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0]?.uuid;
}

/** Removes up to `limit` certificates of the discovery; returns their fingerprints, sorted. */
export async function removeFound(tx: Executor, uuid: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`
    WITH taken AS (
      DELETE FROM discovery_certificate d WHERE d.discovery_uuid = ${uuid}::uuid AND d.fingerprint IN (
        SELECT fingerprint FROM discovery_certificate WHERE discovery_uuid = ${uuid}::uuid
        ORDER BY fingerprint LIMIT ${limit}::int)
      RETURNING d.fingerprint)
    SELECT fingerprint FROM taken ORDER BY fingerprint`.execute(tx);
  return rows.map(({ fingerprint }) => fingerprint);
}

/** Removes up to `limit` findings of the discovery. */
export async function removeFindings(tx: Executor, uuid: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM discovery_finding WHERE (discovery_uuid, page, place) IN (
      SELECT discovery_uuid, page, place FROM discovery_finding WHERE discovery_uuid = ${uuid}::uuid
      LIMIT ${limit}::int)`.execute(tx);
  return Number(numAffectedRows);
}
