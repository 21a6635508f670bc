// Determines how each active certificate is renewed, or why it has no automated renewal. `c` is the certificate.
import type { RenewalWay, UnattendedReason } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited } from '../../kernel/actor.ts';
import { pageOffset, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isSucceeded, isVisibleCertificate, type CertificateFilter } from '../certificates/index.ts';
import { isKeyInToken } from './store-candidates.ts';

export interface InUseQuery {
  readonly now: Date;
  /** Certificates that the caller can see. */
  readonly visible: CertificateFilter;
  /** Whether automatic renewal is paused platform-wide. */
  readonly paused: boolean;
  /** Additional condition on the certificates. */
  readonly where?: RawBuilder<SqlBool>;
}

/** Capabilities of the locations that contain the certificate, as a single row. */
const itsLocations = sql`
  SELECT count(*) > 0 AS any, coalesce(bool_or(l.key_management), false) AS makes_keys,
    coalesce(bool_or(l.key_management AND l.enabled), false) AS renews
  FROM location_certificate held JOIN location l ON l.uuid = held.location_uuid
  WHERE held.certificate_uuid = c.uuid AND held.state IN ('installed', 'served')`;

const isFailing = sql<SqlBool>`EXISTS (SELECT FROM renewal r
  WHERE r.certificate_uuid = c.uuid AND r.problem IS NOT NULL AND r.state IN ('planned', 'ended'))`;

const reasonSql = (paused: boolean): RawBuilder<UnattendedReason | null> => sql`CASE
  WHEN c.protocol IS NOT NULL THEN NULL
  WHEN ra.uuid IS NULL THEN 'noRaProfile'
  WHEN NOT ra.enabled THEN 'raProfileDisabled'
  WHEN a.connector_uuid IS NULL THEN 'authorityMissing'
  WHEN held.any AND NOT held.makes_keys THEN 'locationMakesNoKeys'
  WHEN held.any AND NOT held.renews THEN 'locationDisabled'
  WHEN NOT held.any AND NOT token.key THEN 'noLocationNorKey'
  WHEN NOT coalesce(s.automatic AND (held.any OR s.token_keys), false) THEN 'notAutomatic'
  WHEN s.paused OR ${paused}::boolean THEN 'paused'
  WHEN ${isFailing} THEN 'failed' END`;

/** Issued end-entity certificates that have not expired and do not have a successor. */
const ways = ({ now, visible, paused, where }: InUseQuery) => sql`
  SELECT c.uuid, c.common_name, c.not_before, c.not_after, c.ra_profile_uuid, ra.name AS ra_profile_name, ra.authority_uuid,
    a.name AS authority_name, s.days_before, c.protocol, held.any AS held, why.reason
  FROM certificate c
  LEFT JOIN ra_profile ra ON ra.uuid = c.ra_profile_uuid
  LEFT JOIN authority a ON a.uuid = ra.authority_uuid
  LEFT JOIN renewal_setting s ON s.ra_profile_uuid = c.ra_profile_uuid
  CROSS JOIN LATERAL (${itsLocations}) AS held
  CROSS JOIN LATERAL (SELECT NOT held.any AND c.protocol IS NULL AND c.ra_profile_uuid IS NOT NULL AND ${isKeyInToken} AS key) AS token
  CROSS JOIN LATERAL (SELECT ${reasonSql(paused)} AS reason) AS why
  WHERE c.shown_state = 'issued' AND NOT c.archived AND c.not_after > ${now} AND c.not_before IS NOT NULL
    AND (c.subject_type IS NULL OR c.subject_type IN ('endEntity', 'selfSignedEndEntity'))
    AND ${isUnlimited(visible.raProfiles) ? sql`true` : isVisibleCertificate(visible)}
    AND ${where ?? sql`true`} AND NOT ${isSucceeded}`;

export interface UnattendedRow {
  readonly uuid: string;
  readonly common_name: string;
  readonly not_after: Date;
  readonly ra_profile_uuid: string | null;
  readonly ra_profile_name: string | null;
  readonly reason: UnattendedReason;
  /** Reason for the failure of the last attempt. */
  readonly problem: string | null;
}

export interface UnattendedQuery extends InUseQuery {
  /** Latest expiry to include. */
  readonly until: Date;
  readonly reason: UnattendedReason | undefined;
  readonly page: PageRequest;
}

/** OCSP responder certificates, which the platform always replaces in time, regardless of settings. */
const isOfResponder = sql<SqlBool>`EXISTS (SELECT FROM ocsp_responder o WHERE o.certificate_uuid = c.uuid)`;

const expiringBefore = (query: UnattendedQuery) =>
  ways({ ...query, where: sql`c.not_after <= ${query.until} AND NOT ${isOfResponder}` });

export async function countUnattended(
  executor: Executor,
  query: UnattendedQuery,
): Promise<{ reason: UnattendedReason; certificates: number }[]> {
  const { rows } = await sql<{ reason: UnattendedReason; certificates: number }>`
    SELECT reason, count(*)::int AS certificates FROM (${expiringBefore(query)}) AS w
    WHERE reason IS NOT NULL GROUP BY reason ORDER BY certificates DESC, reason`.execute(executor);
  return rows;
}

/** Returns the certificates that expire soonest first. */
export async function findUnattended(executor: Executor, query: UnattendedQuery): Promise<readonly UnattendedRow[]> {
  const { reason, page } = query;
  const { rows } = await sql<UnattendedRow>`
    SELECT w.uuid, w.common_name, w.not_after, w.ra_profile_uuid, w.ra_profile_name, w.reason,
      (SELECT r.problem FROM renewal r WHERE w.reason = 'failed' AND r.certificate_uuid = w.uuid AND r.problem IS NOT NULL LIMIT 1) AS problem
    FROM (${expiringBefore(query)}) AS w
    WHERE ${reason === undefined ? sql`reason IS NOT NULL` : sql`reason = ${reason}`}
    ORDER BY not_after, uuid LIMIT ${page.itemsPerPage} OFFSET ${pageOffset(page)}`.execute(executor);
  return rows;
}

/** Returns the reason why a certificate has no automated renewal; undefined if it has one or needs none. */
export async function findReason(
  executor: Executor,
  { certificateUuid, ...query }: InUseQuery & { readonly certificateUuid: string },
): Promise<UnattendedReason | undefined> {
  const one = ways({ ...query, where: sql`c.uuid = ${certificateUuid}::uuid AND NOT ${isOfResponder}` });
  const { rows } = await sql<{ reason: UnattendedReason | null }>`SELECT reason FROM (${one}) AS w`.execute(executor);
  return rows[0]?.reason ?? undefined;
}

export interface ReplayedRow {
  readonly uuid: string;
  /** Unix time. */
  readonly not_before: number;
  readonly not_after: number;
  readonly days_before: number | null;
  readonly ra_profile_uuid: string | null;
  readonly authority_uuid: string | null;
  readonly authority_name: string | null;
  readonly group_uuids: string[] | null;
  readonly way: RenewalWay;
  readonly reason: UnattendedReason | null;
}

/**
 * Whether the certificate was issued as the successor of a different certificate, at the request of a user or an API
 * client.
 */
const isRenewedOnRequest = sql<SqlBool>`EXISTS (SELECT FROM certificate_relation r WHERE r.successor_uuid = w.uuid)`;

/**
 * Returns one page of certificates from the whole inventory, sorted by identifier; it starts after the given
 * identifier.
 */
export async function findReplayed(
  executor: Executor,
  query: InUseQuery & { readonly after: string; readonly limit: number },
): Promise<readonly ReplayedRow[]> {
  const { after, limit } = query;
  const page = sql`SELECT * FROM (${ways({ ...query, where: sql`c.uuid > ${after}::uuid` })}) AS page ORDER BY uuid LIMIT ${limit}`;
  const { rows } = await sql<ReplayedRow>`
    SELECT w.uuid, extract(epoch FROM w.not_before)::float8 AS not_before, extract(epoch FROM w.not_after)::float8 AS not_after,
      w.days_before, w.ra_profile_uuid, w.authority_uuid, w.authority_name, w.reason,
      (SELECT array_agg(m.group_uuid ORDER BY m.group_uuid) FROM group_membership m
        WHERE m.object_resource = 'certificates' AND m.object_uuid = w.uuid) AS group_uuids,
      CASE WHEN w.protocol IS NOT NULL THEN 'protocol'
        WHEN w.reason IS NULL OR w.reason IN ('paused', 'failed') THEN CASE WHEN w.held THEN 'location' ELSE 'token' END
        WHEN w.reason = 'noRaProfile' THEN 'none'
        WHEN ${isRenewedOnRequest} THEN 'request' ELSE 'hand' END AS way
    FROM (${page}) AS w ORDER BY w.uuid`.execute(executor);
  return rows;
}
