// Queries for CA certificates by name, for their issuers, and for the RA profiles that issue under them.
import { KEY_USAGES } from '@signetry/pki';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { joinedTables } from './store.ts';
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
> & {
  readonly der: Buffer;
  /** Number of certificates with this subject, including those beyond the limit. */
  readonly of_subject: number;
};

interface CaSearch {
  readonly subjectDnNormalized: string;
  /** Encoded subject key identifier. Certificates that contain it come first. */
  readonly keyIdentifier: Uint8Array | undefined;
  /**
   * Applies separately to certificates with the key identifier and to those without it, so that neither group can
   * displace the other.
   */
  readonly limit: number;
}

/**
 * Returns the CA certificates with this subject: trusted ones first, then newest first. The order is the same on every
 * node.
 */
export async function findCaCertificatesBySubject(
  executor: Executor,
  { subjectDnNormalized, keyIdentifier, limit }: CaSearch,
): Promise<CaCertificateRow[]> {
  const octets = keyIdentifier === undefined ? null : Buffer.from(keyIdentifier);
  const { rows } = await sql<CaCertificateRow>`
    WITH found AS (
      SELECT c.uuid, c.trusted_ca, c.not_before, coalesce(position(${octets}::bytea IN content.der) > 0, false) AS has_key
      FROM certificate c JOIN certificate_content content ON content.fingerprint = c.fingerprint
      WHERE c.subject_dn_normalized = ${subjectDnNormalized} AND c.trusted_ca IS NOT NULL
        AND c.state IN ('issued', 'revoked') AND NOT c.archived
    ), ranked AS (
      SELECT uuid, has_key, count(*) OVER () AS of_subject,
        row_number() OVER (PARTITION BY has_key ORDER BY trusted_ca DESC, not_before DESC, uuid) AS place
      FROM found
    )
    SELECT c.uuid, c.serial_number, c.trusted_ca, c.validation_status, c.state, c.not_before, c.not_after, c.subject_dn,
      c.issuer_certificate_uuid, content.der, ranked.of_subject
    FROM ranked JOIN certificate c ON c.uuid = ranked.uuid
    JOIN certificate_content content ON content.fingerprint = c.fingerprint
    WHERE ranked.place <= ${limit} ORDER BY ranked.has_key DESC, ranked.place`.execute(executor);
  return rows;
}

export interface CrlIssuerSearch {
  readonly commonName: string;
  readonly subjectDnNormalized: string;
  readonly limit: number;
}

export type CrlIssuerRow = Pick<CertificateRow, 'uuid' | 'state'> & { readonly der: Buffer };

/** Bit of cRLSign in `key_usage`. */
const CRL_SIGN = 1 << KEY_USAGES.indexOf('cRLSign');
/** Maximum number of certificates with the common name that are searched. */
const MAX_OF_COMMON_NAME = 10_000;

/**
 * Returns certificates with this subject that may sign CRLs and are not CA certificates, newest first. There is an
 * index on the common name, but not on the subject.
 */
export async function findCrlIssuers(
  executor: Executor,
  { commonName, subjectDnNormalized, limit }: CrlIssuerSearch,
): Promise<CrlIssuerRow[]> {
  const { rows } = await sql<CrlIssuerRow>`
    WITH named AS MATERIALIZED (
      SELECT uuid, state, fingerprint, trusted_ca, key_usage, subject_dn_normalized, not_before FROM certificate
      WHERE lower(common_name COLLATE "C") = lower(${commonName} COLLATE "C") AND NOT archived AND common_name <> ''
      LIMIT ${MAX_OF_COMMON_NAME}
    )
    SELECT named.uuid, named.state, content.der
    FROM named JOIN certificate_content content ON content.fingerprint = named.fingerprint
    WHERE named.subject_dn_normalized = ${subjectDnNormalized} AND named.trusted_ca IS NULL
      AND named.state = 'issued' AND named.key_usage & ${CRL_SIGN} <> 0
    ORDER BY named.not_before DESC, named.uuid LIMIT ${limit}`.execute(executor);
  return rows;
}

export type CaPathRow = Pick<
  CertificateRow,
  'uuid' | 'common_name' | 'state' | 'revoked_at' | 'revocation_reason' | 'not_after'
>;

/** Paths contain up to five certificates. */
const MAX_PATH = 8;

/** Returns a CA certificate, followed by the CA certificates above it, as far as they are linked. */
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

/** Returns the RA profiles that issue under one of these CA certificates. */
export const findProfilesOfCaCertificates = (executor: Executor, caCertificateUuids: readonly string[]) =>
  joinedTables(executor)
    .selectFrom('ra_profile')
    .select(['name', 'ca_certificate_uuid', 'internal'])
    .where('ca_certificate_uuid', '=', sql<string>`ANY(${caCertificateUuids}::uuid[])`)
    .orderBy('name')
    .execute();

/** Returns the RA profiles that issue with this key, regardless of which of the key's certificates they use. */
export async function findProfilesOfCaKey(executor: Executor, publicKeyFingerprint: string): Promise<string[]> {
  const rows = await joinedTables(executor)
    .selectFrom('ra_profile as p')
    .innerJoin('certificate as c', 'c.uuid', 'p.ca_certificate_uuid')
    .select('p.uuid')
    .where('c.public_key_fingerprint', '=', publicKeyFingerprint)
    .execute();
  return rows.map(({ uuid }) => uuid);
}
