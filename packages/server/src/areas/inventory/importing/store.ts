// Bulk inserts into the inventory: a few statements per batch.
import type { CertificateEvent } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { problemOfValue } from '../../../platform/database/database-errors.ts';
import { certificateTables } from '../../certificates/index.ts';
import type { PreparedSet } from './prepare-sets.ts';

/** Columns of an imported certificate, as in the rows of a batch. */
const FACTS = sql.raw(`
  common_name text, subject_dn text, subject_dn_normalized text, issuer_common_name text, issuer_dn text, issuer_dn_normalized text,
  serial_number text, fingerprint text, not_before timestamptz, not_after timestamptz, public_key_algorithm text,
  public_key_fingerprint text, key_size integer, signature_algorithm text, key_usage integer, extended_key_usage text[],
  subject_type text, trusted_ca boolean, subject_alternative_names jsonb, hybrid_certificate boolean,
  alt_public_key_algorithm text, alt_key_size integer, alt_signature_algorithm text`);
const COLUMNS = sql.raw(`
  common_name, subject_dn, subject_dn_normalized, issuer_common_name, issuer_dn, issuer_dn_normalized, serial_number, fingerprint,
  not_before, not_after, public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm, key_usage, extended_key_usage,
  subject_type, trusted_ca, subject_alternative_names, hybrid_certificate, alt_public_key_algorithm, alt_key_size,
  alt_signature_algorithm`);

/** Wraps the bytes in a buffer: the driver sends buffers unmodified, and PostgreSQL accepts JSON in that form. */
const bufferOf = (octets: Uint8Array): Buffer => Buffer.from(octets.buffer, octets.byteOffset, octets.length);

/** Whether no object has this content yet, except as evidence of a failed issuance. */
const isUnknown = sql`NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = given.fingerprint AND c.state <> 'failed')`;

/**
 * Stores the contents and locks them in a fixed order, so that a concurrent import of the same certificates waits here
 * and then sees them. Existing rows are updated only to lock them, as in `storeContent`.
 */
export async function stageContents(tx: Executor, { octets, fingerprints, places, sizes }: PreparedSet): Promise<void> {
  await sql`
    INSERT INTO certificate_content AS content (fingerprint, der)
    SELECT given.fingerprint, substring(${bufferOf(octets)}::bytea FROM given.place FOR given.size)
    FROM unnest(${fingerprints}::text[], ${places}::integer[], ${sizes}::integer[]) AS given (fingerprint, place, size)
    WHERE ${isUnknown} ORDER BY given.fingerprint
    ON CONFLICT (fingerprint) DO UPDATE SET fingerprint = content.fingerprint`.execute(tx);
}

export interface ImportedRow {
  readonly uuid: string;
  readonly fingerprint: string;
  readonly common_name: string;
}

interface ImportedSet {
  /** The new certificates in the batch. */
  readonly taken: readonly ImportedRow[];
  /** Reasons why certificates cannot be stored, by fingerprint. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Inserts the rows. If a row cannot be written, all rows are written individually, so that the others are not affected.
 */
export async function insertSet(tx: Executor, { rows }: PreparedSet, at: Date): Promise<ImportedSet> {
  const all = await tryInsert(tx, rows, at);
  if ('taken' in all) return { taken: all.taken, refused: new Map() };
  const taken: ImportedRow[] = [];
  const refused = new Map<string, string>();
  for (const row of JSON.parse(Buffer.from(rows).toString()) as { readonly fingerprint: string }[]) {
    const outcome = await tryInsert(tx, Buffer.from(JSON.stringify([row])), at);
    if ('taken' in outcome) taken.push(...outcome.taken);
    else refused.set(row.fingerprint, outcome.problem);
  }
  await sql`
    DELETE FROM certificate_content AS content WHERE fingerprint = ANY(${[...refused.keys()]}::text[])
      AND NOT EXISTS (SELECT FROM certificate c WHERE c.fingerprint = content.fingerprint)`.execute(tx);
  return { taken, refused };
}

/** Writes all rows; if one of them has a problem, writes none and returns that problem. */
async function tryInsert(
  tx: Executor,
  rows: Uint8Array,
  at: Date,
): Promise<{ readonly taken: readonly ImportedRow[] } | { readonly problem: string }> {
  await sql`SAVEPOINT rows`.execute(tx);
  try {
    const taken = await insertRows(tx, rows, at);
    await sql`RELEASE SAVEPOINT rows`.execute(tx);
    return { taken };
  } catch (error) {
    const problem = problemOfValue(error);
    if (problem === undefined) throw error;
    await sql`ROLLBACK TO SAVEPOINT rows`.execute(tx);
    return { problem };
  }
}

async function insertRows(tx: Executor, rows: Uint8Array, at: Date): Promise<ImportedRow[]> {
  const result = await sql<ImportedRow>`
    INSERT INTO certificate (uuid, state, ${COLUMNS}, created_at, updated_at)
    SELECT uuid, 'issued', ${COLUMNS}, ${at}, ${at}
    FROM json_to_recordset(${bufferOf(rows)}::json) AS given (uuid uuid, ${FACTS}) WHERE ${isUnknown} ORDER BY uuid
    ON CONFLICT DO NOTHING RETURNING uuid, fingerprint, common_name`.execute(tx);
  return result.rows;
}

/** Adds a history entry for each certificate. The messages are keyed by certificate identifier. */
export async function appendHistories(
  tx: Executor,
  messages: ReadonlyMap<string, string>,
  { event, at, by }: { readonly event: CertificateEvent; readonly at: Date; readonly by: string },
): Promise<void> {
  await sql`
    INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, created_at, created_by)
    SELECT gen_random_uuid(), told.uuid, ${event}, 'SUCCESS', told.message, ${at}, ${by}
    FROM unnest(${[...messages.keys()]}::uuid[], ${[...messages.values()]}::text[]) AS told (uuid, message)`.execute(
    tx,
  );
}

export interface KnownRow {
  readonly uuid: string;
  readonly fingerprint: string;
}

/** Returns the given fingerprints that are in the inventory. */
export const findKnown = (executor: Executor, fingerprints: readonly string[]): Promise<KnownRow[]> =>
  certificateTables(executor)
    .selectFrom('certificate')
    .select(['uuid', 'fingerprint'])
    .where('fingerprint', '=', sql<string>`ANY(${fingerprints}::text[])`)
    .where('state', '<>', 'failed')
    .$narrowType<{ fingerprint: string }>()
    .execute();

/**
 * Returns the keys of certificates whose outcome at the authority is unknown. A certificate for such a key resolves the
 * outcome.
 */
export async function findAwaitedKeys(executor: Executor): Promise<string[]> {
  const rows = await certificateTables(executor)
    .selectFrom('certificate')
    .select('public_key_fingerprint')
    .where('state', '=', 'pending_issue')
    .execute();
  return rows.map((row) => row.public_key_fingerprint);
}

export interface UnlinkedRow {
  readonly uuid: string;
  readonly issuer_dn_normalized: string;
  readonly trusted_ca: boolean | null;
  readonly der: Buffer;
}

/** Finds certificates that have no issuer yet and are not self-signed, CA certificates first. */
export const findUnlinked = (executor: Executor, uuids: readonly string[]): Promise<UnlinkedRow[]> =>
  certificateTables(executor)
    .selectFrom('certificate as c')
    .innerJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .select(['c.uuid', sql<string>`c.issuer_dn_normalized`.as('issuer_dn_normalized'), 'c.trusted_ca', 'content.der'])
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where('c.issuer_certificate_uuid', 'is', null)
    .where('c.issuer_dn_normalized', 'is not', null)
    .where('c.archived', '=', false)
    .orderBy(sql`c.trusted_ca IS NULL`)
    .orderBy('c.uuid')
    .execute();

export interface Link {
  readonly uuid: string;
  readonly issuer: string;
  readonly serial: string | null;
}

/**
 * Links certificates to their issuers. Some issuers reuse serial numbers, contrary to RFC 5280 §4.1.2.2. The first
 * imported certificate then keeps the serial number, and the others are marked as repeating it.
 */
export async function linkSet(tx: Executor, links: readonly Link[], at: Date): Promise<void> {
  await sql`
    WITH link AS (
      SELECT l.*, c.serial_number FROM jsonb_to_recordset(${JSON.stringify(links)}::jsonb) AS l (uuid uuid, issuer uuid, serial text)
      JOIN certificate c ON c.uuid = l.uuid
      WHERE c.issuer_certificate_uuid IS NULL ORDER BY c.uuid FOR NO KEY UPDATE OF c
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY issuer, serial_number ORDER BY uuid) > 1 OR EXISTS (
        SELECT FROM certificate other WHERE other.issuer_certificate_uuid = link.issuer
          AND other.serial_number = link.serial_number AND other.state <> 'failed') AS repeats
      FROM link
    )
    UPDATE certificate c SET issuer_certificate_uuid = ranked.issuer, issuer_serial_number = ranked.serial,
      repeats_serial = CASE WHEN ranked.repeats THEN true END, updated_at = ${at}
    FROM ranked WHERE c.uuid = ranked.uuid`.execute(tx);
}

/** Returns CA certificates first, because the validation of certificates below them depends on them. */
export async function findToValidate(executor: Executor, uuids: readonly string[]): Promise<string[]> {
  const rows = await certificateTables(executor)
    .selectFrom('certificate')
    .select('uuid')
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where('validated_at', 'is', null)
    .where('archived', '=', false)
    .orderBy(sql`trusted_ca IS NULL`)
    .orderBy('uuid')
    .execute();
  return rows.map(({ uuid }) => uuid);
}
