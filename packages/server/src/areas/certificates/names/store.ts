// Stored distinguished names that contain given attribute types, with their encodings, in pieces of bounded size. The
// types in a name are read from its normalized form.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { RequestRow } from '../tables.ts';

/** Number of rows that one statement examines. Matching rows are decoded, which takes about 25 ms if all rows match. */
export const WINDOW = 500;

export interface Batch<Row> {
  readonly rows: readonly Row[];
  /** Start of the next piece; undefined after the last. */
  readonly next: string | undefined;
}

export interface BatchQuery {
  /** Dotted OIDs of attribute types. */
  readonly types: readonly string[];
  readonly after: string | undefined;
}

export interface CertificateNames {
  readonly uuid: string;
  readonly subject_dn: string;
  readonly issuer_dn: string | null;
  /** Null until it is issued. */
  readonly certificate: Buffer | null;
  readonly request: Buffer | null;
  readonly request_format: RequestRow['format'] | null;
}

export async function findCertificates(executor: Executor, query: BatchQuery): Promise<Batch<CertificateNames>> {
  const { rows } = await sql<BatchRow & CertificateNames>`
    WITH piece AS MATERIALIZED (
      SELECT uuid, subject_dn, issuer_dn, subject_dn_normalized, issuer_dn_normalized, fingerprint, request_uuid
      FROM certificate WHERE uuid > ${startOf(query)}::uuid ORDER BY uuid LIMIT ${WINDOW}),
    bounds AS (SELECT count(*)::int AS size, (SELECT uuid FROM piece ORDER BY uuid DESC LIMIT 1) AS last FROM piece)
    SELECT bounds.size, bounds.last, found.uuid, found.subject_dn, found.issuer_dn, content.der AS certificate,
      request.der AS request, request.format AS request_format
    FROM bounds
    LEFT JOIN piece found ON ${hasType('found.subject_dn_normalized', query)} OR ${hasType('found.issuer_dn_normalized', query)}
    LEFT JOIN certificate_content content ON content.fingerprint = found.fingerprint
    LEFT JOIN certificate_request request ON content.fingerprint IS NULL AND request.uuid = found.request_uuid`.execute(
    executor,
  );
  return toBatch(rows);
}

export interface RequestNames {
  readonly uuid: string;
  readonly subject_dn: string;
  readonly request: Buffer;
  readonly format: RequestRow['format'];
}

export async function findRequests(executor: Executor, query: BatchQuery): Promise<Batch<RequestNames>> {
  const { rows } = await sql<BatchRow & RequestNames>`
    WITH piece AS MATERIALIZED (
      SELECT uuid, subject_dn, subject_dn_normalized, der, format FROM certificate_request
      WHERE uuid > ${startOf(query)}::uuid ORDER BY uuid LIMIT ${WINDOW}),
    bounds AS (SELECT count(*)::int AS size, (SELECT uuid FROM piece ORDER BY uuid DESC LIMIT 1) AS last FROM piece)
    SELECT bounds.size, bounds.last, found.uuid, found.subject_dn, found.der AS request, found.format
    FROM bounds LEFT JOIN piece found ON ${hasType('found.subject_dn_normalized', query)}`.execute(executor);
  return toBatch(rows);
}

interface BatchRow {
  readonly size: number;
  readonly last: string | null;
}

/** If nothing matches, the outer join returns one row without a certificate. */
const toBatch = <Row extends BatchRow & { readonly uuid: string | null }>(rows: readonly Row[]): Batch<Row> => ({
  rows: rows.filter(({ uuid }) => uuid !== null),
  next: rows[0]?.size === WINDOW ? (rows[0].last ?? undefined) : undefined,
});

const startOf = ({ after }: BatchQuery): string => after ?? '00000000-0000-0000-0000-000000000000';

/**
 * Matches a normalized name, which consists of `OID=value` parts joined by commas. Commas in values are escaped, so too
 * many rows may match, but never too few.
 */
const hasType = (column: string, { types }: BatchQuery): RawBuilder<SqlBool> =>
  sql`',' || ${sql.ref(column)} LIKE ANY(${types.map((type) => `%,${type}=%`)}::text[])`;

export interface CertificateRenaming {
  readonly uuid: string;
  readonly subjectBefore: string;
  readonly subject: string;
  readonly issuerBefore: string | null;
  readonly issuer: string | null;
}

/** Names that were modified in the meantime are left unchanged. Rows are locked in a fixed order, as everywhere. */
export async function renameCertificates(executor: Executor, renamings: readonly CertificateRenaming[]): Promise<void> {
  if (renamings.length === 0) return;
  await sql`
    WITH held AS MATERIALIZED (
      SELECT given.* FROM jsonb_to_recordset(${JSON.stringify(renamings)}::jsonb) AS given (uuid uuid,
        "subjectBefore" text, subject text, "issuerBefore" text, issuer text)
      JOIN certificate c ON c.uuid = given.uuid ORDER BY c.uuid FOR NO KEY UPDATE OF c)
    UPDATE certificate c SET subject_dn = held.subject, issuer_dn = held.issuer
    FROM held
    WHERE c.uuid = held.uuid AND c.subject_dn = held."subjectBefore"
      AND c.issuer_dn IS NOT DISTINCT FROM held."issuerBefore"`.execute(executor);
}

export interface RequestRenaming {
  readonly uuid: string;
  readonly subject: string;
}

/** A request's encoding never changes. */
export async function renameRequests(executor: Executor, renamings: readonly RequestRenaming[]): Promise<void> {
  if (renamings.length === 0) return;
  await sql`
    UPDATE certificate_request r SET subject_dn = given.subject
    FROM jsonb_to_recordset(${JSON.stringify(renamings)}::jsonb) AS given (uuid uuid, subject text)
    WHERE r.uuid = given.uuid`.execute(executor);
}
