// Queries for issuers, published CRLs and responders. The statements themselves prevent CRL rollbacks.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { CrlKind } from './publication-times.ts';
import type { CrlFacts, CrlRow, IssuerRow, ResponderRow, RevocationTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<RevocationTables>();

/** Returns the CA certificates of an authority, most recently seen first. */
export const findIssuers = (executor: Executor, authorityUuid: string): Promise<IssuerRow[]> =>
  tables(executor)
    .selectFrom('authority_issuer')
    .selectAll()
    .where('authority_uuid', '=', authorityUuid)
    .orderBy('first_seen_at', 'desc')
    .execute();

export async function insertIssuers(executor: Executor, rows: readonly IssuerRow[]): Promise<void> {
  await tables(executor)
    .insertInto('authority_issuer')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['authority_uuid', 'certificate_uuid']).doNothing())
    .execute();
}

/**
 * Returns the authorities that use the certificate as a CA certificate and are therefore affected by its revocation.
 */
export const findAuthoritiesOfIssuer = async (executor: Executor, certificateUuid: string): Promise<string[]> => {
  const rows = await tables(executor)
    .selectFrom('authority_issuer')
    .select('authority_uuid')
    .where('certificate_uuid', '=', certificateUuid)
    .execute();
  return rows.map((row) => row.authority_uuid);
};

const CRL_FACTS = [
  'authority_uuid',
  'kind',
  'shard',
  'issuer_key',
  'number',
  'base_number',
  'this_update',
  'next_update',
  'sha256',
  'published_at',
] as const;

/** Returns a CRL's metadata without its bytes, which can be several megabytes long. */
export const findCrlFacts = (
  executor: Executor,
  key: { readonly authorityUuid: string; readonly kind: CrlKind },
): Promise<CrlFacts | undefined> =>
  tables(executor)
    .selectFrom('published_crl')
    .select(CRL_FACTS)
    .where('authority_uuid', '=', key.authorityUuid)
    .where('kind', '=', key.kind)
    .executeTakeFirst();

/**
 * Number of CRL bytes per read. If the bytes were read as a single value, they would be transferred as text of twice
 * the length.
 */
const SLICE_BYTES = 1024 * 1024;

/** Returns the bytes of a published CRL; undefined if a different CRL has been published in the meantime. */
export async function readCrl(
  executor: Executor,
  { authority_uuid, kind, sha256 }: Pick<CrlFacts, 'authority_uuid' | 'kind' | 'sha256'>,
): Promise<Buffer | undefined> {
  const slices: Buffer[] = [];
  for (let from = 1; ; from += SLICE_BYTES) {
    const { rows } = await sql<{ slice: Buffer }>`
      SELECT substring(der FROM ${from}::int FOR ${SLICE_BYTES}::int) AS slice FROM published_crl
      WHERE authority_uuid = ${authority_uuid} AND kind = ${kind} AND sha256 = ${sha256}`.execute(executor);
    const [row] = rows;
    if (!row) return undefined;
    slices.push(row.slice);
    if (row.slice.length < SLICE_BYTES) return slices.length === 1 ? row.slice : Buffer.concat(slices);
  }
}

export const listCrlFacts = (executor: Executor): Promise<CrlFacts[]> =>
  tables(executor).selectFrom('published_crl').select(CRL_FACTS).execute();

/**
 * Publishes a CRL. Returns false if the published CRL of the same CA is as new or newer. CRL numbers strictly increase
 * and thisUpdate never decreases (RFC 5280 §5.2.3), even if two nodes publish concurrently.
 */
export async function publishCrl(executor: Executor, row: CrlRow): Promise<boolean> {
  const { authority_uuid: _authority, kind: _kind, ...changes } = row;
  const result = await tables(executor)
    .insertInto('published_crl')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['authority_uuid', 'kind'])
        .doUpdateSet(changes)
        .where(
          sql<boolean>`published_crl.issuer_key <> excluded.issuer_key
            OR (excluded.number > published_crl.number AND (excluded.this_update >= published_crl.this_update
              OR published_crl.this_update > excluded.published_at + interval '5 minutes'))`,
        ),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Returns an authority's responders: those that expire last first, and unfinished ones at the end. */
export const findResponders = (executor: Executor, authorityUuid: string): Promise<ResponderRow[]> =>
  tables(executor)
    .selectFrom('ocsp_responder')
    .selectAll()
    .where('authority_uuid', '=', authorityUuid)
    .orderBy(sql`not_after DESC NULLS LAST`)
    .orderBy('created_at', 'desc')
    .execute();

export const findAuthoritiesWithResponder = async (executor: Executor): Promise<string[]> => {
  const rows = await tables(executor).selectFrom('ocsp_responder').select('authority_uuid').distinct().execute();
  return rows.map((row) => row.authority_uuid);
};

export async function insertResponder(executor: Executor, row: ResponderRow): Promise<void> {
  await tables(executor).insertInto('ocsp_responder').values(row).execute();
}

export async function updateResponder(
  executor: Executor,
  uuid: string,
  changes: Partial<Pick<ResponderRow, 'certificate_uuid' | 'issuer_key' | 'certificate' | 'not_before' | 'not_after'>>,
): Promise<void> {
  await tables(executor).updateTable('ocsp_responder').set(changes).where('uuid', '=', uuid).execute();
}

export async function removeResponder(executor: Executor, uuid: string): Promise<void> {
  await tables(executor).deleteFrom('ocsp_responder').where('uuid', '=', uuid).execute();
}

/** Removes the responder with this certificate. Returns its authority, or undefined if there was no such responder. */
export const removeResponderByCertificate = async (
  executor: Executor,
  certificateUuid: string,
): Promise<string | undefined> => {
  const row = await tables(executor)
    .deleteFrom('ocsp_responder')
    .where('certificate_uuid', '=', certificateUuid)
    .returning('authority_uuid')
    .executeTakeFirst();
  return row?.authority_uuid;
};

/** Keys of expired certificates are useful only to attackers. */
export async function removeExpiredResponders(executor: Executor, before: Date): Promise<void> {
  await tables(executor).deleteFrom('ocsp_responder').where('not_after', '<', before).execute();
}
