// Deleting certificates: what prevents it, and what is deleted with them.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { certificateTables } from '../../certificates/index.ts';

/** Rows to be deleted, locked in one order, so that two deletions at once cannot block each other. */
export const lockForDeletion = (tx: Executor, uuids: readonly string[]) =>
  certificateTables(tx)
    .selectFrom('certificate')
    .select(['uuid', 'common_name', 'serial_number', 'fingerprint', 'trusted_ca'])
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('uuid')
    .forUpdate()
    .execute();

export type DeletableRow = Awaited<ReturnType<typeof lockForDeletion>>[number];

/** Operations that keep certificates from being deleted, as their own or as what they succeed. */
export type OpenWork = 'awaiting_approval' | 'pending';

/** Certificates that an authority is being asked about at this moment, or will be once somebody approves it. */
export async function findUnderWork(tx: Executor, uuids: readonly string[]): Promise<ReadonlyMap<string, OpenWork>> {
  const { rows } = await sql<{ uuid: string; state: OpenWork }>`
    SELECT certificate_uuid AS uuid, state FROM certificate_operation
    WHERE state IN ('awaiting_approval', 'pending') AND certificate_uuid = ANY(${uuids}::uuid[])
    UNION
    SELECT predecessor_uuid, state FROM certificate_operation
    WHERE state IN ('awaiting_approval', 'pending') AND predecessor_uuid = ANY(${uuids}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.uuid, row.state]));
}

/**
 * Removes the rows with histories, relations and ended operations (which the keys cascade to), and content that nobody
 * else has. What is known by issuer and serial number stays: a trigger keeps it for rows that go, `keepIssuedBy` for
 * those whose issuer goes.
 */
export async function deleteCertificates(tx: Executor, rows: readonly DeletableRow[]): Promise<void> {
  const uuids = rows.map(({ uuid }) => uuid);
  const authorities = rows.filter(({ trusted_ca }) => trusted_ca !== null).map(({ uuid }) => uuid);
  const fingerprints = rows.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint])).sort();
  if (authorities.length > 0) {
    await keepIssuedBy(tx, authorities);
    await sql`UPDATE certificate SET issuer_certificate_uuid = NULL, issuer_serial_number = NULL
      WHERE issuer_certificate_uuid = ANY(${authorities}::uuid[])`.execute(tx);
  }
  await sql`DELETE FROM certificate WHERE uuid = ANY(${uuids}::uuid[])`.execute(tx);
  await deleteUnusedContents(tx, fingerprints);
}

/** Deletes the contents that no certificate and no discovery has; the fingerprints are in order. */
export async function deleteUnusedContents(tx: Executor, fingerprints: readonly string[]): Promise<void> {
  if (fingerprints.length === 0) return;
  // Locked by a statement before the one that decides: the decision then sees a certificate that came in meanwhile.
  await sql`SELECT FROM certificate_content WHERE fingerprint = ANY(${fingerprints}::text[]) ORDER BY fingerprint FOR UPDATE`.execute(
    tx,
  );
  await sql`
    DELETE FROM certificate_content content
    WHERE content.fingerprint = ANY(${fingerprints}::text[])
      AND NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint AND c.state <> 'failed')
      AND NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint AND c.state = 'failed')
      AND NOT EXISTS (SELECT FROM discovery_certificate d WHERE d.fingerprint = content.fingerprint)`.execute(tx);
}

/**
 * Notes what these CA certificates issued for the platform by their keys, since the rows lose the tie to their issuer.
 */
const keepIssuedBy = (tx: Executor, authorities: readonly string[]) =>
  sql`INSERT INTO issued_certificate (issuer_key, serial_number, not_after, revoked_at, revocation_reason, revocation_source, revocation_stated_at)
    SELECT DISTINCT ON (1, 2) issuer.public_key_fingerprint, c.serial_number, c.not_after, c.revoked_at, c.revocation_reason,
      c.revocation_source, c.revocation_stated_at
    FROM certificate issuer JOIN certificate c ON c.issuer_certificate_uuid = issuer.uuid
    WHERE issuer.uuid = ANY(${authorities}::uuid[]) AND c.serial_number IS NOT NULL AND c.issued_at IS NOT NULL
    ORDER BY 1, 2, c.revoked_at
    ON CONFLICT (issuer_key, serial_number) DO NOTHING`.execute(tx);
