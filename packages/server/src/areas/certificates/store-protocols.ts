// Inventory queries for protocol servers.
import { hotStatement, runHot, type Executor, type HotExecutor } from '../../platform/database/database.ts';
import { hasSerialNumber, certificateTables } from './store.ts';
import type { CertificateRow } from './tables.ts';

/** A serial number may coincide for two issuers, but not for many more. */
const MAX_SAME_SERIAL = 20;

const selectFound = (executor: Executor) =>
  certificateTables(executor)
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
      'c.protocol_profile_uuid',
      'c.protocol_account_uuid',
      'c.not_before',
      'c.not_after',
      'c.revoked_at',
      'c.revocation_reason',
      'content.der',
    ])
    .where('c.state', '<>', 'failed');

/** Certificate with the facts that a protocol server needs. */
export type FoundCertificate = NonNullable<Awaited<ReturnType<typeof findCertificatesByUuids>>[number]>;

const FIND_BY_FINGERPRINT = hotStatement(
  'find_certificate_by_content',
  `SELECT c.uuid, c.state, c.archived, c.common_name, c.ra_profile_uuid, c.owner_uuid, c.public_key_fingerprint,
     c.issuer_certificate_uuid, c.protocol, c.protocol_profile_uuid, c.protocol_account_uuid, c.not_before,
     c.not_after, c.revoked_at, c.revocation_reason, content.der
   FROM certificate c JOIN certificate_content content ON content.fingerprint = c.fingerprint
   WHERE c.fingerprint = $1 AND c.state <> 'failed'`,
);

export async function findCertificateByFingerprint(
  executor: HotExecutor,
  fingerprint: string,
): Promise<FoundCertificate | undefined> {
  const [row] = await runHot<FoundCertificate>(executor, FIND_BY_FINGERPRINT, [fingerprint]);
  return row;
}

const FIND_ISSUERS = hotStatement(
  'find_issuers_of_certificates',
  'SELECT uuid, issuer_certificate_uuid AS issuer FROM certificate WHERE uuid = ANY ($1::uuid[])',
);

/**
 * Returns the identifiers of these certificates' issuer certificates, in the same order. An identifier is undefined
 * unless both certificates are in the inventory.
 */
export async function findIssuerUuids(
  executor: HotExecutor,
  uuids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const rows = await runHot<{ uuid: string; issuer: string | null }>(executor, FIND_ISSUERS, [uuids]);
  const byUuid = new Map(rows.map(({ uuid, issuer }) => [uuid, issuer ?? undefined]));
  return uuids.map((uuid) => byUuid.get(uuid));
}

export const findCertificatesBySerialNumber = (executor: Executor, serialNumber: string) =>
  selectFound(executor).where(hasSerialNumber('c.serial_number', serialNumber)).limit(MAX_SAME_SERIAL).execute();

/** Returns the normalized names of issuers that issued certificates under a protocol's profiles. */
export async function findIssuerNamesUnder(executor: Executor, profileUuids: readonly string[]): Promise<string[]> {
  const rows = await certificateTables(executor)
    .selectFrom('certificate')
    .select('issuer_dn_normalized as name')
    .distinct()
    .where('protocol_profile_uuid', 'in', [...profileUuids])
    .execute();
  return rows.flatMap(({ name }) => (name === null ? [] : [name]));
}

export const findCertificatesByUuids = (executor: Executor, uuids: readonly string[]) =>
  selectFound(executor)
    .where('c.uuid', 'in', [...uuids])
    .execute();

/** A requested certificate in any state, with the message from the last failure in its history. */
export interface RequestedCertificateRow {
  readonly state: CertificateRow['state'];
  readonly der: Uint8Array | null;
  readonly problem: string | null;
}

const FIND_ASKED_FOR = hotStatement(
  'find_certificates_asked_for',
  `SELECT c.uuid, c.state, content.der, told.message AS problem
   FROM certificate c
   LEFT JOIN certificate_content content ON content.fingerprint = c.fingerprint
   LEFT JOIN LATERAL (
     SELECT h.message FROM certificate_history h
     WHERE h.certificate_uuid = c.uuid AND h.status = 'FAILED' AND c.state IN ('failed', 'rejected')
     ORDER BY h.created_at DESC, h.uuid DESC LIMIT 1) told ON true
   WHERE c.uuid = ANY ($1::uuid[])`,
);

/** Returns the certificates in the order of the identifiers. */
export async function findRequestedCertificates(
  executor: HotExecutor,
  uuids: readonly string[],
): Promise<readonly (RequestedCertificateRow | undefined)[]> {
  const rows = await runHot<RequestedCertificateRow & { readonly uuid: string }>(executor, FIND_ASKED_FOR, [uuids]);
  const byUuid = new Map(rows.map((row) => [row.uuid, row]));
  return uuids.map((uuid) => byUuid.get(uuid));
}
