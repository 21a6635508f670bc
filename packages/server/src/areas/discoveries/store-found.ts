// Discovery results, and results that could not be imported.
import { sql } from 'kysely';
import { MAX_STORED_FINDINGS, type DiscoveryChange } from '@signetry/contract';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { tables } from './store.ts';
import type { DiscoveryFindingRow, DiscoveryTables } from './tables.ts';

/** A certificate in a set of pages. It is listed once, and its digest is the sum over all of its results. */
export interface FoundCertificate {
  readonly fingerprint: string;
  readonly uuid: string;
  readonly place: number;
  readonly isNew: boolean;
  readonly digest: bigint;
}

/**
 * Returns the certificates that are new to this discovery; for the others, adds the digests to those already stored.
 */
export async function insertFound(
  tx: Executor,
  discoveryUuid: string,
  found: readonly FoundCertificate[],
): Promise<ReadonlySet<string>> {
  if (found.length === 0) return new Set();
  const { rows } = await sql<{ fingerprint: string; is_new: boolean }>`
    INSERT INTO discovery_certificate AS known (discovery_uuid, fingerprint, uuid, place, newly_found, metadata_digest,
      common_name, serial_number, issuer_common_name, not_before, not_after)
    SELECT ${discoveryUuid}, given.fingerprint, given.uuid, given.place, given.is_new, given.digest,
      c.common_name, c.serial_number, c.issuer_common_name, c.not_before, c.not_after
    FROM unnest(${found.map(({ fingerprint }) => fingerprint)}::text[], ${found.map(({ uuid }) => uuid)}::uuid[],
      ${found.map(({ place }) => place)}::integer[], ${found.map(({ isNew }) => isNew)}::boolean[],
      ${found.map(({ digest }) => String(digest))}::bigint[]) AS given (fingerprint, uuid, place, is_new, digest)
    JOIN certificate c ON c.fingerprint = given.fingerprint AND c.state <> 'failed'
    ON CONFLICT (discovery_uuid, fingerprint) DO UPDATE SET metadata_digest = known.metadata_digest + excluded.metadata_digest
    RETURNING fingerprint, known.uuid = ANY(${found.map(({ uuid }) => uuid)}::uuid[]) AS is_new`.execute(tx);
  return new Set(rows.filter((row) => row.is_new).map(({ fingerprint }) => fingerprint));
}

/** Stores findings only up to a limit, because a provider may return millions. */
export async function insertFindings(tx: Executor, findings: readonly DiscoveryFindingRow[], before: number) {
  const kept = findings.slice(0, Math.max(0, MAX_STORED_FINDINGS - before));
  if (kept.length > 0) await tables(tx).insertInto('discovery_finding').values(kept).execute();
}

/** A result with its current inventory certificate and that certificate's content. */
export interface ShownRow extends Omit<DiscoveryTables['discovery_certificate'], 'metadata_digest' | 'discovery_uuid'> {
  readonly inventory_uuid: string | null;
  readonly der: Buffer | null;
}

const SHOWN = sql.raw(`
  d.uuid, d.fingerprint, d.place, d.newly_found, d.common_name, d.serial_number, d.issuer_common_name, d.not_before,
  d.not_after, c.uuid AS inventory_uuid, content.der`);
const JOINED = sql.raw(`
  LEFT JOIN certificate c ON c.fingerprint = d.fingerprint AND c.state <> 'failed'
  LEFT JOIN certificate_content content ON content.fingerprint = d.fingerprint`);

/** Returns the results in the order in which they were found. */
export async function findFound(
  executor: Executor,
  { discoveryUuid, newlyFound, page }: {
    readonly discoveryUuid: string;
    readonly newlyFound: boolean | undefined;
    readonly page: PageRequest;
  }, // prettier-ignore
): Promise<ShownRow[]> {
  const narrowed = newlyFound === undefined ? sql`` : sql`AND newly_found = ${newlyFound}`;
  const { rows } = await sql<ShownRow>`
    SELECT ${SHOWN} FROM (
      SELECT * FROM discovery_certificate WHERE discovery_uuid = ${discoveryUuid} ${narrowed}
      ORDER BY place LIMIT ${page.itemsPerPage} OFFSET ${pageOffset(page)}) d ${JOINED}
    ORDER BY d.place`.execute(executor);
  return rows;
}

export async function findFindings(
  executor: Executor,
  discoveryUuid: string,
  page: PageRequest,
): Promise<Page<DiscoveryFindingRow>> {
  const selected = tables(executor).selectFrom('discovery_finding').where('discovery_uuid', '=', discoveryUuid);
  const { count } = await selected.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const items = await selected
    .selectAll()
    .orderBy('page')
    .orderBy('place')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  return { items, totalItems: count };
}

/** The later discovery and the discovery that it is compared with. */
export interface ComparedDiscoveries {
  readonly later: string;
  readonly earlier: string;
}

export interface DifferenceCounts {
  readonly new: number;
  readonly gone: number;
  readonly changed: number;
  readonly unchanged: number;
}

const differenceQuery = ({ later, earlier }: ComparedDiscoveries) => sql`
  SELECT coalesce(l.discovery_uuid, e.discovery_uuid) AS discovery_uuid, fingerprint,
    coalesce(l.common_name, e.common_name) AS common_name,
    CASE WHEN e.fingerprint IS NULL THEN 'new' WHEN l.fingerprint IS NULL THEN 'gone'
      WHEN l.metadata_digest <> e.metadata_digest THEN 'changed' ELSE 'unchanged' END AS change
  FROM (SELECT * FROM discovery_certificate WHERE discovery_uuid = ${later}) l
  FULL JOIN (SELECT * FROM discovery_certificate WHERE discovery_uuid = ${earlier}) e USING (fingerprint)`;

export async function countDifference(executor: Executor, compared: ComparedDiscoveries): Promise<DifferenceCounts> {
  const { rows } = await sql<DifferenceCounts>`
    SELECT count(*) FILTER (WHERE change = 'new')::int AS new, count(*) FILTER (WHERE change = 'gone')::int AS gone,
      count(*) FILTER (WHERE change = 'changed')::int AS changed,
      count(*) FILTER (WHERE change = 'unchanged')::int AS unchanged
    FROM (${differenceQuery(compared)}) difference`.execute(executor);
  return rows[0] ?? { new: 0, gone: 0, changed: 0, unchanged: 0 };
}

export async function findDifference(
  executor: Executor,
  compared: ComparedDiscoveries,
  { changes, page }: { readonly changes: readonly DiscoveryChange[]; readonly page: PageRequest },
): Promise<(ShownRow & { readonly change: DiscoveryChange })[]> {
  const { rows } = await sql<ShownRow & { readonly change: DiscoveryChange }>`
    SELECT ${SHOWN}, listed.change FROM (
      SELECT * FROM (${differenceQuery(compared)}) difference WHERE change = ANY(${changes}::text[])
      ORDER BY common_name, fingerprint LIMIT ${page.itemsPerPage} OFFSET ${pageOffset(page)}) listed
    JOIN discovery_certificate d ON d.discovery_uuid = listed.discovery_uuid AND d.fingerprint = listed.fingerprint
    ${JOINED} ORDER BY listed.common_name, listed.fingerprint`.execute(executor);
  return rows;
}

/** Certificate data in events. */
export interface DiscoveredFacts {
  /** Identifies the certificate in the results of the discovery. */
  readonly record_uuid: string;
  readonly uuid: string;
  readonly fingerprint: string;
  readonly serial_number: string | null;
  readonly subject_dn: string | null;
  readonly issuer_dn: string | null;
  readonly not_before: Date | null;
  readonly not_after: Date | null;
}

export async function findFactsOf(
  tx: Executor,
  discoveryUuid: string,
  uuids: readonly string[],
): Promise<DiscoveredFacts[]> {
  const { rows } = await sql<DiscoveredFacts>`
    SELECT c.uuid, c.fingerprint, c.serial_number, c.subject_dn, c.issuer_dn, c.not_before, c.not_after,
      d.uuid AS record_uuid
    FROM certificate c JOIN discovery_certificate d ON d.fingerprint = c.fingerprint AND d.discovery_uuid = ${discoveryUuid}
    WHERE c.uuid = ANY(${uuids}::uuid[])`.execute(tx);
  return rows;
}
