// Deletes certificates along with dependent data, and finds obstacles to their deletion.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { certificateTables } from '../../certificates/index.ts';

/** Locks the rows to be deleted in a fixed order, so that concurrent deletions do not deadlock. */
export const lockForDeletion = (tx: Executor, uuids: readonly string[]) =>
  certificateTables(tx)
    .selectFrom('certificate')
    .select(['uuid', 'common_name', 'serial_number', 'fingerprint', 'trusted_ca'])
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('uuid')
    .forUpdate()
    .execute();

export type DeletableRow = Awaited<ReturnType<typeof lockForDeletion>>[number];

/** Operations that prevent the deletion of their certificate or of its predecessor. */
export type OpenOperationState = 'awaiting_approval' | 'pending';

/** Finds certificates with an operation that is in progress at an authority or waiting for approval. */
export async function findOpenOperations(
  tx: Executor,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, OpenOperationState>> {
  const { rows } = await sql<{ uuid: string; state: OpenOperationState }>`
    SELECT certificate_uuid AS uuid, state FROM certificate_operation
    WHERE state IN ('awaiting_approval', 'pending') AND certificate_uuid = ANY(${uuids}::uuid[])
    UNION
    SELECT predecessor_uuid, state FROM certificate_operation
    WHERE state IN ('awaiting_approval', 'pending') AND predecessor_uuid = ANY(${uuids}::uuid[])`.execute(tx);
  return new Map(rows.map((row) => [row.uuid, row.state]));
}

/**
 * Deletes certificates with their history, relations and finished operations (by cascade), and contents that nothing
 * else references. Records keyed by issuer and serial number are retained: a trigger keeps them for deleted rows, and
 * `recordIssuedBy` for rows whose issuer is deleted.
 */
export async function deleteCertificates(tx: Executor, rows: readonly DeletableRow[]): Promise<void> {
  const uuids = rows.map(({ uuid }) => uuid);
  const authorities = rows.filter(({ trusted_ca }) => trusted_ca !== null).map(({ uuid }) => uuid);
  const fingerprints = rows.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint])).sort();
  if (authorities.length > 0) {
    await recordIssuedBy(tx, authorities);
    await sql`UPDATE certificate SET issuer_certificate_uuid = NULL, issuer_serial_number = NULL
      WHERE issuer_certificate_uuid = ANY(${authorities}::uuid[])`.execute(tx);
  }
  await sql`DELETE FROM certificate WHERE uuid = ANY(${uuids}::uuid[])`.execute(tx);
  await deleteUnusedContents(tx, fingerprints);
}

/** Deletes contents that are not referenced by any certificate or discovery. The fingerprints must be sorted. */
export async function deleteUnusedContents(tx: Executor, fingerprints: readonly string[]): Promise<void> {
  if (fingerprints.length === 0) return;
  // A separate statement locks the rows first, so that the next one sees certificates added in the meantime.
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
 * Records the certificates that these CAs issued for the platform, by issuer key, because their rows lose the reference
 * to the issuer.
 */
const recordIssuedBy = (tx: Executor, authorities: readonly string[]) =>
  sql`INSERT INTO issued_certificate (issuer_key, serial_number, not_after, revoked_at, revocation_reason, revocation_source, revocation_stated_at)
    SELECT DISTINCT ON (1, 2) issuer.public_key_fingerprint, c.serial_number, c.not_after, c.revoked_at, c.revocation_reason,
      c.revocation_source, c.revocation_stated_at
    FROM certificate issuer JOIN certificate c ON c.issuer_certificate_uuid = issuer.uuid
    WHERE issuer.uuid = ANY(${authorities}::uuid[]) AND c.serial_number IS NOT NULL AND c.issued_at IS NOT NULL
    ORDER BY 1, 2, c.revoked_at
    ON CONFLICT (issuer_key, serial_number) DO NOTHING`.execute(tx);
