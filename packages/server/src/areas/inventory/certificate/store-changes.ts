// Changes of the inventory: certificates that come in, and what is assigned to them.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import {
  certificateTables,
  type CertificateRow,
  type ReadCertificate,
  type RequestFacts,
} from '../../certificates/index.ts';

/**
 * Stores the bytes of a certificate that comes in. Unlike the insert of issuing this locks a row that is there already,
 * so that deleting another object with the same content waits until this one is in.
 */
export async function keepContent(tx: Executor, { certificate, facts }: ReadCertificate): Promise<void> {
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
  /** Its issuer has another certificate with its serial number. */
  readonly repeatsSerial?: boolean;
}

/**
 * The state that a certificate came in with: a trigger takes over what its issuer's revocations say
 * (issued_certificate).
 */
export type IncomingState = Pick<CertificateRow, 'state' | 'revoked_at' | 'revocation_reason'>;

/** Undefined when a unique key says that it, or another one with its issuer and serial number, exists already. */
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
      subject_alternative_names: JSON.stringify(subject_alternative_names) as never, // jsonb takes text
      state: 'issued',
      issuer_certificate_uuid: issuer?.uuid ?? null,
      issuer_serial_number: issuer?.serial_number ?? null,
      repeats_serial: repeatsSerial ? true : null,
      ra_profile_uuid: raProfileUuid,
      created_at: at,
      updated_at: at,
    } as never) // the other columns have defaults
    .onConflict((conflict) => conflict.doNothing())
    .returning(['state', 'revoked_at', 'revocation_reason'])
    .executeTakeFirst();
}

/** Keeps a request and says that it is the one of the certificate, which came in without. */
export async function giveRequest(executor: Executor, certificateUuid: string, request: RequestFacts): Promise<void> {
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

/** The row for a change of what people assign to it; waits for others that change it. */
export const lockRow = (tx: Executor, uuid: string): Promise<CertificateRow | undefined> =>
  certificateTables(tx).selectFrom('certificate').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();

/** Rows for a change of many, in the order in which all who change many lock them. Unknown ones are left out. */
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

/** The same to each of them. */
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

/** Certificates of removed RA profiles stay, without one. Locked in one order, as all who change many do. */
export async function releaseRaProfiles(tx: Executor, raProfileUuids: readonly string[], at: Date): Promise<void> {
  await sql`
    WITH released AS (
      SELECT uuid FROM certificate WHERE ra_profile_uuid = ANY(${raProfileUuids}::uuid[]) ORDER BY uuid FOR NO KEY UPDATE)
    UPDATE certificate SET ra_profile_uuid = NULL, updated_at = ${at} FROM released WHERE certificate.uuid = released.uuid`.execute(
    tx,
  );
}

/** Was the trust in this CA decided by a person? Such a decision is not changed by the platform. */
export async function isTrustDecided(tx: Executor, uuid: string): Promise<boolean> {
  const row = await certificateTables(tx)
    .selectFrom('certificate_history')
    .select('uuid')
    .where('certificate_uuid', '=', uuid)
    .where(sql<boolean>`additional ? 'trustedCa'`)
    .executeTakeFirst();
  return row !== undefined;
}
