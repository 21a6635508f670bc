// Certificate queries and guarded changes. The guards are part of the statements: if no row was changed, the caller
// decides what this means.
import { isKeyCompromise, type RevocationReason } from '@signetry/pki';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { ReadCertificate } from './read-certificate.ts';
import type { CertificateRow, CertificateTables, JoinedTables, RequestRow } from './tables.ts';

export const certificateTables = (executor: Executor) => executor.withTables<CertificateTables>();

export const joinedTables = (executor: Executor) => executor.withTables<CertificateTables & JoinedTables>();

export const findCertificate = (executor: Executor, uuid: string): Promise<CertificateRow | undefined> =>
  certificateTables(executor).selectFrom('certificate').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findCertificateRequest = (executor: Executor, uuid: string): Promise<RequestRow | undefined> =>
  certificateTables(executor).selectFrom('certificate_request').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/**
 * Condition for a serial number in lowercase hex without leading zeros. Includes its length, which is the first column
 * of the index.
 */
export const hasSerialNumber = (column: string, serialNumber: string) =>
  sql<boolean>`(length(${sql.ref(column)}) = ${serialNumber.length}::int AND ${sql.ref(column)} = ${serialNumber}::text)`;

/** Returns the facts that determine who can see the certificates. */
export const findHoldersOf = (executor: Executor, uuids: readonly string[]) =>
  certificateTables(executor)
    .selectFrom('certificate as c')
    .select([
      'c.uuid',
      'c.ra_profile_uuid',
      'c.owner_uuid',
      sql<string[]>`ARRAY(SELECT m.group_uuid FROM group_membership m
        WHERE m.object_resource = 'certificates' AND m.object_uuid = c.uuid)`.as('group_uuids'),
    ])
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

export const ownsCertificates = async (executor: Executor, userUuid: string): Promise<boolean> =>
  (
    await certificateTables(executor)
      .selectFrom('certificate')
      .select('uuid')
      .where('owner_uuid', '=', userUuid)
      .limit(1)
      .execute()
  ).length > 0;

/** Returns the DER of a certificate that has content. */
export async function findContent(
  executor: Executor,
  { uuid, fingerprint }: Pick<CertificateRow, 'uuid' | 'fingerprint'>,
): Promise<Buffer> {
  const content =
    fingerprint === null
      ? undefined
      : await certificateTables(executor)
          .selectFrom('certificate_content')
          .select('der')
          .where('fingerprint', '=', fingerprint)
          .executeTakeFirst();
  if (!content) throw new Error(`Certificate ${uuid} has no content.`);
  return content.der;
}

export type CertificateWithContent = CertificateRow & { readonly der: Uint8Array };

export const withContent = async (executor: Executor, row: CertificateRow): Promise<CertificateWithContent> => ({
  ...row,
  der: await findContent(executor, row),
});

/**
 * Changes a certificate's state if it is currently in one of the expected states. Returns false if it is in a different
 * state.
 */
export async function changeCertificateState(
  executor: Executor,
  uuid: string,
  change: {
    readonly from: readonly CertificateRow['state'][];
    readonly to: CertificateRow['state'];
    readonly at: Date;
  },
): Promise<boolean> {
  const result = await certificateTables(executor)
    .updateTable('certificate')
    .set({ state: change.to, updated_at: change.at })
    .where('uuid', '=', uuid)
    .where('state', 'in', change.from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Marks a requested certificate as failed. Received content is stored as evidence, but is excluded from the unique keys
 * for valid certificates.
 */
export async function failCertificate(
  executor: Executor,
  uuid: string,
  facts: { readonly received: ReadCertificate | undefined; readonly at: Date },
): Promise<void> {
  const { received, at } = facts;
  if (received) await insertContent(executor, received);
  await certificateTables(executor)
    .updateTable('certificate')
    .set({
      state: 'failed',
      updated_at: at,
      ...(received
        ? {
            fingerprint: received.facts.fingerprint,
            serial_number: received.facts.serial_number,
            issuer_dn: received.facts.issuer_dn,
            issuer_dn_normalized: received.facts.issuer_dn_normalized,
            issuer_common_name: received.facts.issuer_common_name,
            not_before: received.facts.not_before,
            not_after: received.facts.not_after,
          }
        : {}),
    })
    .where('uuid', '=', uuid)
    .where('state', 'in', ['requested', 'pending_issue'])
    .execute();
  await deletePendingRelations(executor, uuid);
}

/** Marks a requested certificate as rejected, without calling its authority. */
export async function rejectCertificate(
  executor: Executor,
  uuid: string,
  { at }: { readonly at: Date },
): Promise<void> {
  await changeCertificateState(executor, uuid, { from: ['requested'], to: 'rejected', at });
  await deletePendingRelations(executor, uuid);
}

/** Deletes the relations of a successor that will never be issued. */
export async function deletePendingRelations(executor: Executor, successorUuid: string): Promise<void> {
  await certificateTables(executor)
    .deleteFrom('certificate_relation')
    .where('successor_uuid', '=', successorUuid)
    .where('relation_type', '=', 'pending')
    .execute();
}

async function insertContent(executor: Executor, { certificate, facts }: ReadCertificate): Promise<void> {
  await certificateTables(executor)
    .insertInto('certificate_content')
    .values({ fingerprint: facts.fingerprint, der: Buffer.from(certificate.der) })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .execute();
}

/** Marks an issued certificate as revoked. Returns the row, or undefined if the certificate was not issued. */
export const markRevoked = (
  executor: Executor,
  uuid: string,
  facts: { readonly reason: NonNullable<CertificateRow['revocation_reason']>; readonly at: Date },
): Promise<CertificateRow | undefined> =>
  certificateTables(executor)
    .updateTable('certificate')
    .set({
      state: 'revoked',
      validation_status: 'revoked',
      revoked_at: facts.at,
      revocation_reason: facts.reason,
      updated_at: facts.at,
    })
    .where('uuid', '=', uuid)
    .where('state', '=', 'issued')
    .returningAll()
    .executeTakeFirst();

/**
 * A certificate's state as displayed. A certificate whose revocation is awaiting approval is as valid as any other
 * issued certificate, so it is stored as issued, and everything that relies on it continues to work. Lists and details
 * show that its revocation is awaiting approval.
 */
export const shownState = (
  row: Pick<CertificateRow, 'state' | 'revocation_awaits_approval'>,
): CertificateRow['state'] =>
  row.state === 'issued' && row.revocation_awaits_approval ? 'pending_approval' : row.state;

/** `shownState` in SQL, as a column that the database computes. `c` is the alias of the certificate table. */
export const shownStateSql = sql<CertificateRow['state']>`c.shown_state`;

const isOnHold = sql<boolean>`(state = 'revoked' AND revocation_reason = 'certificateHold')`;

/**
 * Returns the condition for a certificate that is revoked for a reason that this one can replace (see
 * `mayReplaceReason`), or on hold if it is to be released.
 */
export function hasReplaceableReason(reason: RevocationReason) {
  if (reason === 'certificateHold') return sql<boolean>`false`;
  if (!isKeyCompromise(reason)) return isOnHold;
  return sql<boolean>`(state = 'revoked'
    AND coalesce(revocation_reason, 'unspecified') NOT IN ('keyCompromise', 'cACompromise'))`;
}

/**
 * Releases a certificate on hold; the next validation determines its status. Returns undefined if it was not on hold.
 */
export const markReleased = (executor: Executor, uuid: string, at: Date): Promise<CertificateRow | undefined> =>
  certificateTables(executor)
    .updateTable('certificate')
    .set({
      state: 'issued',
      validation_status: 'not_checked',
      revoked_at: null,
      revocation_reason: null,
      revocation_source: null,
      revocation_stated_at: null,
      updated_at: at,
    })
    .where('uuid', '=', uuid)
    .where(isOnHold)
    .returningAll()
    .executeTakeFirst();

/**
 * Replaces the revocation reason: key compromise replaces any other reason, and any final reason replaces a hold. The
 * date is unchanged. Returns the row; undefined if the reason is already recorded.
 */
export const replaceRevocationReason = (
  executor: Executor,
  uuid: string,
  facts: { readonly reason: NonNullable<CertificateRow['revocation_reason']>; readonly at: Date },
): Promise<CertificateRow | undefined> =>
  certificateTables(executor)
    .updateTable('certificate')
    .set({
      revocation_reason: facts.reason,
      revocation_source: null,
      revocation_stated_at: null,
      updated_at: facts.at,
    })
    .where('uuid', '=', uuid)
    .where(hasReplaceableReason(facts.reason))
    .returningAll()
    .executeTakeFirst();

/**
 * Validity period of certificate `c` in days, counted as in the Baseline Requirements (CA/Browser Forum BR §6.3.2) and
 * indexed by migration 0056-certificates-by-lifetime.
 */
export const lifetimeDays: RawBuilder<number> = sql`(ceil((extract(epoch FROM c.not_after - c.not_before) + 1) / 86400)::int)`;

/**
 * Condition that certificate `c` has been replaced: a successor was issued. Clients of protocols that do not state
 * which certificate they renew request the same names again. The expression must match the index created by migration
 * 0052-certificates-by-names.
 */
export const isSucceeded: RawBuilder<SqlBool> = sql`(
  EXISTS (SELECT FROM certificate_relation r JOIN certificate s ON s.uuid = r.successor_uuid
    WHERE r.predecessor_uuid = c.uuid AND s.state = 'issued')
  OR c.protocol_account_uuid IS NOT NULL AND EXISTS (SELECT FROM certificate s
    WHERE hashtextextended(s.subject_dn_normalized || ' ' || s.subject_alternative_names::text, 0)
        = hashtextextended(c.subject_dn_normalized || ' ' || c.subject_alternative_names::text, 0)
      AND s.not_before > c.not_before AND s.not_after > c.not_after AND s.state = 'issued'
      AND s.protocol_account_uuid = c.protocol_account_uuid
      AND s.subject_alternative_names = c.subject_alternative_names))`;

type RelationType = CertificateTables['certificate_relation']['relation_type'];

type ComparedColumns = Pick<
  CertificateRow,
  'issuer_dn_normalized' | 'subject_dn_normalized' | 'issuer_serial_number' | 'public_key_fingerprint'
>;

/**
 * Determines the relation between a certificate and its successor. If the issuer and subject are the same, the
 * successor is a renewal (same key) or a rekey (different key). Otherwise, it is a replacement.
 */
export function relationTypeOf(predecessor: ComparedColumns, successor: ComparedColumns): RelationType {
  const sameNames =
    predecessor.issuer_dn_normalized === successor.issuer_dn_normalized &&
    predecessor.subject_dn_normalized === successor.subject_dn_normalized;
  const sameIssuer = predecessor.issuer_serial_number === successor.issuer_serial_number;
  if (!sameNames || !sameIssuer) return 'replacement';
  return predecessor.public_key_fingerprint === successor.public_key_fingerprint ? 'renewal' : 'rekey';
}
