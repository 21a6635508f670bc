// Statements for revocations that are waiting for their CRL, based on the database clock.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';

/** Also updates an existing row, so that a retry that was postponed is due immediately. */
export async function insertAwaited(
  executor: Executor,
  { authorityUuid, certificateUuid }: { readonly authorityUuid: string; readonly certificateUuid: string },
): Promise<void> {
  // If the authority was removed in the meantime, there is no CRL to wait for.
  await sql`
    INSERT INTO awaited_revocation (authority_uuid, certificate_uuid)
    SELECT uuid, ${certificateUuid}::uuid FROM authority WHERE uuid = ${authorityUuid} FOR KEY SHARE
    ON CONFLICT (authority_uuid, certificate_uuid) DO UPDATE SET attempts = 0, due_at = clock_timestamp()`.execute(
    executor,
  );
}

/** Returns the authorities that have awaited revocations that are due. */
export async function findAwaitingAuthorities(executor: Executor): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT authority_uuid AS uuid FROM awaited_revocation WHERE due_at <= clock_timestamp()
    GROUP BY authority_uuid ORDER BY min(due_at)`.execute(executor);
  return rows.map(({ uuid }) => uuid);
}

export interface AwaitedRow {
  readonly certificateUuid: string;
  readonly attempts: number;
}

/** Returns the revocations that have waited the longest. */
export async function findAwaited(
  executor: Executor,
  { authorityUuid, limit }: { readonly authorityUuid: string; readonly limit: number },
): Promise<AwaitedRow[]> {
  const { rows } = await sql<AwaitedRow>`
    SELECT certificate_uuid AS "certificateUuid", attempts FROM awaited_revocation
    WHERE authority_uuid = ${authorityUuid} AND due_at <= clock_timestamp() ORDER BY due_at LIMIT ${limit}`.execute(
    executor,
  );
  return rows;
}

export async function removeAwaited(
  executor: Executor,
  { authorityUuid, certificateUuids }: { readonly authorityUuid: string; readonly certificateUuids: readonly string[] },
): Promise<void> {
  if (certificateUuids.length === 0) return;
  await sql`
    DELETE FROM awaited_revocation
    WHERE authority_uuid = ${authorityUuid} AND certificate_uuid = ANY(${certificateUuids}::uuid[])`.execute(executor);
}

/** Postpones revocations after an attempt that fetched CRLs without them. */
export async function postponeAwaited(
  executor: Executor,
  facts: {
    readonly authorityUuid: string;
    readonly certificateUuids: readonly string[];
    readonly pauseMs: number;
  },
): Promise<void> {
  await sql`
    UPDATE awaited_revocation
    SET attempts = attempts + 1, due_at = clock_timestamp() + ${facts.pauseMs} * interval '1 millisecond'
    WHERE authority_uuid = ${facts.authorityUuid} AND certificate_uuid = ANY(${facts.certificateUuids}::uuid[])`.execute(
    executor,
  );
}
