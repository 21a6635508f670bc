// Changes to the inventory: imports certificates and changes their assignments.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import {
  certificateTables,
  type CertificateRow,
  type ReadCertificate,
  type RequestFacts,
} from '../../certificates/index.ts';

/**
 * Stores the content of an imported certificate. Unlike the insert during issuance, it locks an existing row, so that a
 * concurrent deletion of another object with the same content waits for this import.
 */
export async function storeContent(tx: Executor, { certificate, facts }: ReadCertificate): Promise<void> {
  await certificateTables(tx)
    .insertInto('certificate_content')
    .values({ fingerprint: facts.fingerprint, der: Buffer.from(certificate.der) })
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ fingerprint: facts.fingerprint }))
    .execute();
}

export interface NewCertificate {
  readonly uuid: string;
  readonly read: ReadCertificate;
  readonly issuer: { readonly uuid: string; readonly serial_number: string | null } | undefined;
  readonly raProfileUuid: string | null;
  readonly at: Date;
  /** Whether its issuer has issued another certificate with the same serial number. */
  readonly repeatsSerial?: boolean;
}

/**
 * State of an imported certificate. A trigger applies the revocation recorded for its issuer and serial number
 * (issued_certificate).
 */
export type IncomingState = Pick<CertificateRow, 'state' | 'revoked_at' | 'revocation_reason'>;

/**
 * Inserts a certificate. Returns undefined if a unique key shows that it already exists, or that another certificate
 * has the same issuer and serial number.
 */
export async function insertIssued(
  tx: Executor,
  { uuid, read, issuer, raProfileUuid, at, repeatsSerial }: NewCertificate,
): Promise<IncomingState | undefined> {
  const { subject_alternative_names, ...facts } = read.facts;
  return certificateTables(tx)
    .insertInto('certificate')
    .values({
      ...facts,
      uuid,
      subject_alternative_names: JSON.stringify(subject_alternative_names) as never, // A jsonb column accepts text.
      state: 'issued',
      issuer_certificate_uuid: issuer?.uuid ?? null,
      issuer_serial_number: issuer?.serial_number ?? null,
      repeats_serial: repeatsSerial ? true : null,
      ra_profile_uuid: raProfileUuid,
      created_at: at,
      updated_at: at,
    } as never) // The other columns have default values.
    .onConflict((conflict) => conflict.doNothing())
    .returning(['state', 'revoked_at', 'revocation_reason'])
    .executeTakeFirst();
}

/** Stores a CSR and links it to a certificate that was imported without one. */
export async function storeRequest(executor: Executor, certificateUuid: string, request: RequestFacts): Promise<void> {
  const { subject_alternative_names, ...facts } = request;
  await sql`
    WITH kept AS (
      INSERT INTO certificate_request (uuid, fingerprint, format, der, common_name, subject_dn, subject_dn_normalized,
        public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm, alt_public_key_algorithm, alt_key_size,
        alt_signature_algorithm, subject_alternative_names, created_at)
      SELECT ${facts.uuid}::uuid, ${facts.fingerprint}, ${facts.format}, ${Buffer.from(facts.der)}, ${facts.common_name}, ${facts.subject_dn},
        ${facts.subject_dn_normalized}, ${facts.public_key_algorithm}, ${facts.public_key_fingerprint}, ${facts.key_size}::integer,
        ${facts.signature_algorithm}, ${facts.alt_public_key_algorithm}, ${facts.alt_key_size}::integer,
        ${facts.alt_signature_algorithm}, ${JSON.stringify(subject_alternative_names)}::jsonb, updated_at
      FROM certificate WHERE uuid = ${certificateUuid}
      ON CONFLICT (fingerprint) DO UPDATE SET fingerprint = EXCLUDED.fingerprint RETURNING uuid)
    UPDATE certificate SET request_uuid = kept.uuid FROM kept WHERE certificate.uuid = ${certificateUuid}`.execute(
    executor,
  );
}

/** Locks the row for a change of its assignments; waits for concurrent changes. */
export const lockRow = (tx: Executor, uuid: string): Promise<CertificateRow | undefined> =>
  certificateTables(tx).selectFrom('certificate').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();

/** Locks the rows for a bulk change in the order that all bulk changes use. Unknown certificates are omitted. */
export const lockRows = (tx: Executor, uuids: readonly string[]): Promise<CertificateRow[]> =>
  rowsOf(tx, uuids).forUpdate().execute();

export const findRows = (executor: Executor, uuids: readonly string[]): Promise<CertificateRow[]> =>
  rowsOf(executor, uuids).execute();

const rowsOf = (executor: Executor, uuids: readonly string[]) =>
  certificateTables(executor)
    .selectFrom('certificate')
    .selectAll()
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('uuid');

export type Assignment = Partial<
  Pick<CertificateRow, 'ra_profile_uuid' | 'owner_uuid' | 'owner_username' | 'trusted_ca'>
>;

export const assign = (
  tx: Executor,
  uuid: string,
  change: { readonly assignment: Assignment; readonly at: Date },
): Promise<void> => assignToMany(tx, [uuid], change);

/** Applies the same assignment to all certificates. */
export async function assignToMany(
  tx: Executor,
  uuids: readonly string[],
  { assignment, at }: { readonly assignment: Assignment; readonly at: Date },
): Promise<void> {
  await certificateTables(tx)
    .updateTable('certificate')
    .set({ ...assignment, updated_at: at })
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
}

export async function setArchived(
  tx: Executor,
  uuids: readonly string[],
  { archived, at }: { readonly archived: boolean; readonly at: Date },
): Promise<void> {
  await certificateTables(tx)
    .updateTable('certificate')
    .set({ archived, updated_at: at })
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
}

/**
 * Removes the RA profile from certificates whose RA profile is removed. Locks them in the order that all bulk changes
 * use.
 */
export async function releaseRaProfiles(tx: Executor, raProfileUuids: readonly string[], at: Date): Promise<void> {
  await sql`
    WITH released AS (
      SELECT uuid FROM certificate WHERE ra_profile_uuid = ANY(${raProfileUuids}::uuid[]) ORDER BY uuid FOR NO KEY UPDATE)
    UPDATE certificate SET ra_profile_uuid = NULL, updated_at = ${at} FROM released WHERE certificate.uuid = released.uuid`.execute(
    tx,
  );
}

/** Returns whether a user has decided whether to trust this CA. The platform does not override such a decision. */
export async function isTrustDecided(tx: Executor, uuid: string): Promise<boolean> {
  const row = await certificateTables(tx)
    .selectFrom('certificate_history')
    .select('uuid')
    .where('certificate_uuid', '=', uuid)
    .where(sql<boolean>`additional ? 'trustedCa'`)
    .executeTakeFirst();
  return row !== undefined;
}
