// Reads certificates below an authority: the subordinate authorities, and all certificates in batches of limited size.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { certificateTables, type CertificateRow } from '../certificates/index.ts';

/** Number of rows that one statement examines. */
const WINDOW = 2_000;

export type AuthorityRow = Pick<CertificateRow, 'subject_dn_normalized' | 'validation_status'>;

export const findAuthority = (executor: Executor, uuid: string): Promise<AuthorityRow | undefined> =>
  certificateTables(executor)
    .selectFrom('certificate')
    .select(['subject_dn_normalized', 'validation_status'])
    .where('uuid', '=', uuid)
    .where('trusted_ca', 'is not', null)
    .executeTakeFirst();

/**
 * Result of one statement: the certificates with a requested status, and the start of the next batch, or undefined
 * after the last.
 */
/** Sorts before every other UUID. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

export interface CursorPage<Cursor> {
  readonly uuids: readonly string[];
  readonly next: Cursor | undefined;
}

export interface BelowQuery<Cursor> {
  readonly subjectDnNormalized: string;
  readonly statuses: readonly string[];
  readonly after: Cursor | undefined;
}

export interface LinkedCursor {
  readonly issuerUuid: string;
  readonly serialNumber: string;
  readonly uuid: string;
}

/**
 * Returns certificates that are linked to any CA certificate with this name, ordered by certificate_issuer_serial_key.
 */
export async function findLinkedBelow(
  executor: Executor,
  { subjectDnNormalized, statuses, after }: BelowQuery<LinkedCursor>,
): Promise<CursorPage<LinkedCursor>> {
  const { rows } = await sql<{ uuid: string; issuer: string; serial: string; matches: boolean }>`
    SELECT uuid, issuer_certificate_uuid AS issuer, serial_number AS serial,
      validation_status = ANY(${statuses}) AND state = 'issued' AND NOT archived AS matches
    FROM certificate
    WHERE issuer_certificate_uuid IS NOT NULL AND state <> 'failed' AND serial_number IS NOT NULL
      AND issuer_certificate_uuid = ANY(ARRAY(
        SELECT uuid FROM certificate WHERE subject_dn_normalized = ${subjectDnNormalized} AND trusted_ca IS NOT NULL))
      AND (issuer_certificate_uuid, serial_number, uuid) >
        (${after?.issuerUuid ?? NO_UUID}::uuid, ${after?.serialNumber ?? ''}, ${after?.uuid ?? NO_UUID}::uuid)
    ORDER BY issuer_certificate_uuid, serial_number, uuid LIMIT ${WINDOW}`.execute(executor);
  const last = rows.length === WINDOW ? rows.at(-1) : undefined;
  return {
    uuids: rows.filter(({ matches }) => matches).map(({ uuid }) => uuid),
    next: last && { issuerUuid: last.issuer, serialNumber: last.serial, uuid: last.uuid },
  };
}

/**
 * Returns certificates that name this issuer but are not linked to a CA certificate because they were imported before
 * it. Scans the whole inventory by primary key.
 */
export async function findUnlinkedBelow(
  executor: Executor,
  { subjectDnNormalized, statuses, after }: BelowQuery<string>,
): Promise<CursorPage<string>> {
  const { rows } = await sql<{ uuids: string[]; size: number; last: string | null }>`
    WITH piece AS (
      SELECT uuid, state, validation_status, issuer_certificate_uuid, issuer_dn_normalized FROM certificate
      WHERE NOT archived AND uuid > ${after ?? NO_UUID}::uuid ORDER BY uuid LIMIT ${WINDOW})
    SELECT coalesce(array_agg(uuid) FILTER (
        WHERE issuer_certificate_uuid IS NULL AND state = 'issued' AND issuer_dn_normalized = ${subjectDnNormalized}
          AND validation_status = ANY(${statuses})), '{}') AS uuids,
      count(*)::int AS size, (SELECT uuid FROM piece ORDER BY uuid DESC LIMIT 1) AS last
    FROM piece`.execute(executor);
  const [row] = rows;
  return { uuids: row?.uuids ?? [], next: row?.size === WINDOW ? (row.last ?? undefined) : undefined };
}

/** Returns linked CA certificates below this one, starting with itself: these are affected by a change of trust. */
export async function findAuthoritiesBelow(executor: Executor, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    WITH RECURSIVE below AS (
      SELECT uuid, 0 AS depth FROM certificate WHERE uuid = ${uuid}
      UNION
      SELECT c.uuid, below.depth + 1 FROM certificate c JOIN below ON c.issuer_certificate_uuid = below.uuid
      WHERE c.trusted_ca IS NOT NULL AND c.state IN ('issued', 'revoked') AND below.depth < ${MAX_DEPTH_BELOW}
    )
    SELECT uuid FROM below ORDER BY depth LIMIT ${MAX_AUTHORITIES_BELOW}`.execute(executor);
  return rows.map((row) => row.uuid);
}

/** Real chains contain up to five certificates. */
const MAX_DEPTH_BELOW = 8;
/** Maximum number of authorities that are returned. The remaining ones are left to periodic validation. */
const MAX_AUTHORITIES_BELOW = 100;
