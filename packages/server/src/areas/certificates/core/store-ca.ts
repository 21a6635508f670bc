// Reads of CA certificates: by name, with those above them, and the RA profiles that issue under them.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { joinedTables, tables } from './store.ts';
import type { CertificateRow } from './tables.ts';

export type CaCertificateRow = Pick<
  CertificateRow,
  | 'uuid'
  | 'serial_number'
  | 'trusted_ca'
  | 'validation_status'
  | 'state'
  | 'not_before'
  | 'not_after'
  | 'subject_dn'
  | 'issuer_certificate_uuid'
> & { readonly der: Buffer };

/** CA certificates with this subject, trusted ones first, then the newest; in the same order on every node. */
export const findCaCertificatesBySubject = (
  executor: Executor,
  { subjectDnNormalized, limit }: { readonly subjectDnNormalized: string; readonly limit: number },
): Promise<CaCertificateRow[]> =>
  tables(executor)
    .selectFrom('certificate as c')
    .innerJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .select([
      'c.uuid',
      'c.serial_number',
      'c.trusted_ca',
      'c.validation_status',
      'c.state',
      'c.not_before',
      'c.not_after',
      'c.subject_dn',
      'c.issuer_certificate_uuid',
      'content.der',
    ])
    .where('c.subject_dn_normalized', '=', subjectDnNormalized)
    .where('c.trusted_ca', 'is not', null)
    .where('c.state', 'in', ['issued', 'revoked'])
    .where('c.archived', '=', false)
    .orderBy('c.trusted_ca', 'desc')
    .orderBy('c.not_before', 'desc')
    .orderBy('c.uuid')
    .limit(limit)
    .execute();

export type CaPathRow = Pick<
  CertificateRow,
  'uuid' | 'common_name' | 'state' | 'revoked_at' | 'revocation_reason' | 'not_after'
>;

/** Paths have up to five certificates. */
const MAX_PATH = 8;

/** A CA certificate and those above it, as far as they are linked, in this order. */
export async function findCaPath(executor: Executor, uuid: string): Promise<CaPathRow[]> {
  const { rows } = await sql<CaPathRow>`
    WITH RECURSIVE path AS (
      SELECT uuid, issuer_certificate_uuid, 1 AS depth FROM certificate WHERE uuid = ${uuid}
      UNION
      SELECT above.uuid, above.issuer_certificate_uuid, path.depth + 1
      FROM path JOIN certificate above ON above.uuid = path.issuer_certificate_uuid
      WHERE above.uuid <> path.uuid AND path.depth < ${MAX_PATH}
    )
    SELECT c.uuid, c.common_name, c.state, c.revoked_at, c.revocation_reason, c.not_after
    FROM path JOIN certificate c ON c.uuid = path.uuid ORDER BY path.depth`.execute(executor);
  return rows;
}

/** RA profiles that issue under one of these CA certificates. */
export const findProfilesOfCaCertificates = (executor: Executor, caCertificateUuids: readonly string[]) =>
  joinedTables(executor)
    .selectFrom('ra_profile')
    .select(['name', 'ca_certificate_uuid'])
    .where('ca_certificate_uuid', '=', sql<string>`ANY(${caCertificateUuids}::uuid[])`)
    .orderBy('name')
    .execute();

/** RA profiles that issue with this key, whatever certificate it has. */
export async function findProfilesOfCaKey(executor: Executor, publicKeyFingerprint: string): Promise<string[]> {
  const rows = await joinedTables(executor)
    .selectFrom('ra_profile as p')
    .innerJoin('certificate as c', 'c.uuid', 'p.ca_certificate_uuid')
    .select('p.uuid')
    .where('c.public_key_fingerprint', '=', publicKeyFingerprint)
    .execute();
  return rows.map(({ uuid }) => uuid);
}
