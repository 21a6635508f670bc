// Deleting certificates: what stands against it, and what goes with them.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { tables } from './store.ts';

/** Rows to be deleted, locked in one order, so that two deletions at once cannot block each other. */
export const lockForDeletion = (tx: Executor, uuids: readonly string[]) =>
  tables(tx)
    .selectFrom('certificate')
    .select(['uuid', 'common_name', 'serial_number', 'fingerprint', 'trusted_ca'])
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('uuid')
    .forUpdate()
    .execute();

export type DeletableRow = Awaited<ReturnType<typeof lockForDeletion>>[number];

/** Certificates that an authority is being asked about at this moment, as their own or as what they succeed. */
export async function findUnderWork(tx: Executor, uuids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT certificate_uuid AS uuid FROM certificate_operation
    WHERE state = 'pending' AND certificate_uuid = ANY(${uuids}::uuid[])
    UNION
    SELECT predecessor_uuid FROM certificate_operation
    WHERE state = 'pending' AND predecessor_uuid = ANY(${uuids}::uuid[])`.execute(tx);
  return new Set(rows.map((row) => row.uuid));
}

/** Removes the rows with histories, relations and ended operations (which the keys cascade to), and content that nobody else has. */
export async function deleteCertificates(tx: Executor, rows: readonly DeletableRow[]): Promise<void> {
  const uuids = rows.map(({ uuid }) => uuid);
  const authorities = rows.filter(({ trusted_ca }) => trusted_ca !== null).map(({ uuid }) => uuid);
  const fingerprints = rows.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint])).sort();
  if (authorities.length > 0) {
    await sql`UPDATE certificate SET issuer_certificate_uuid = NULL, issuer_serial_number = NULL
      WHERE issuer_certificate_uuid = ANY(${authorities}::uuid[])`.execute(tx);
  }
  await sql`DELETE FROM certificate WHERE uuid = ANY(${uuids}::uuid[])`.execute(tx);
  if (fingerprints.length === 0) return;
  // Locked by a statement before the one that decides: the decision then sees a certificate that came in meanwhile.
  await sql`SELECT FROM certificate_content WHERE fingerprint = ANY(${fingerprints}::text[]) ORDER BY fingerprint FOR UPDATE`.execute(
    tx,
  );
  await sql`
    DELETE FROM certificate_content content
    WHERE content.fingerprint = ANY(${fingerprints}::text[])
      AND NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint AND c.state <> 'failed')
      AND NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint AND c.state = 'failed')`.execute(
    tx,
  );
}
