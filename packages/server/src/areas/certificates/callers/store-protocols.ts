// Queries of what protocol servers look up in the inventory.
import type { Executor } from '../../../platform/database/database.ts';
import { hasSerialNumber, tables } from '../core/store.ts';

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
