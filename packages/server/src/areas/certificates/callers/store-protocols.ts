// Queries of what protocol servers look up in the inventory.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { hasSerialNumber, tables } from '../core/store.ts';
import type { CertificateRow } from '../core/tables.ts';

/** Two issuers may use the same number; more than a few would be no accident. */
const MAX_SAME_SERIAL = 20;

const found = (executor: Executor) =>
  tables(executor)
    .selectFrom('certificate as c')
    .innerJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .select([
      'c.uuid',
      'c.state',
      'c.archived',
      'c.common_name',
      'c.ra_profile_uuid',
      'c.owner_uuid',
      'c.public_key_fingerprint',
      'c.issuer_certificate_uuid',
      'c.protocol',
      'c.protocol_account_uuid',
      'c.not_before',
      'c.not_after',
      'c.revoked_at',
      'c.revocation_reason',
      'content.der',
    ])
    .where('c.state', '<>', 'failed');

/** A certificate with what a protocol server asks about it. */
export type FoundCertificate = NonNullable<Awaited<ReturnType<typeof findByFingerprint>>>;

export const findByFingerprint = (executor: Executor, fingerprint: string) =>
  found(executor).where('c.fingerprint', '=', fingerprint).executeTakeFirst();

export const findBySerialNumber = (executor: Executor, serialNumber: string) =>
  found(executor).where(hasSerialNumber('c.serial_number', serialNumber)).limit(MAX_SAME_SERIAL).execute();

export const findByUuids = (executor: Executor, uuids: readonly string[]) =>
  found(executor)
    .where('c.uuid', 'in', [...uuids])
    .execute();

/** A certificate that was asked for, whatever became of it; the words of the last failure that its history tells. */
export interface AskedFor {
  readonly state: CertificateRow['state'];
  readonly der: Uint8Array | null;
  readonly problem: string | null;
}

export async function findAskedFor(executor: Executor, uuid: string): Promise<AskedFor | undefined> {
  const { rows } = await sql<AskedFor>`
    SELECT c.state, content.der, told.message AS problem
    FROM certificate c
    LEFT JOIN certificate_content content ON content.fingerprint = c.fingerprint
    LEFT JOIN LATERAL (
      SELECT h.message FROM certificate_history h
      WHERE h.certificate_uuid = c.uuid AND h.status = 'FAILED' AND c.state IN ('failed', 'rejected')
      ORDER BY h.created_at DESC, h.uuid DESC LIMIT 1) told ON true
    WHERE c.uuid = ${uuid}::uuid`.execute(executor);
  return rows[0];
}
