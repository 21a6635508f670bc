// Composition of the active certificates. They are counted individually in a single statement, so that all figures are
// from the same snapshot. `c` is the certificate.
import { LAST_COUNTED_YEAR, LIFETIME_LIMITS, MAX_NAMED_SHARES } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited, type ObjectFilter } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import { isVisibleCertificate, lifetimeDays, type CertificateFilter } from '../certificates/index.ts';

/** Certificates to count. */
export interface Counted {
  readonly visible: CertificateFilter;
  readonly includeArchived: boolean;
}

/** Returns the condition for the certificates that the caller can list. */
export function isCounted({ visible, includeArchived }: Counted): RawBuilder<SqlBool> {
  const archive = includeArchived ? sql`true` : sql`NOT c.archived`;
  return isUnlimited(visible.raProfiles) ? sql`${archive}` : sql`(${archive} AND ${isVisibleCertificate(visible)})`;
}

interface Share {
  readonly certificates: number;
}

export type CompositionRow =
  | (Share & {
      readonly kind: 'key';
      readonly algorithm: string;
      readonly key_size: number;
      readonly signature: string | null;
      readonly year: number;
    })
  | (Share & {
      readonly kind: 'issuer';
      readonly issuer_dn: string | null;
      readonly issuer_name: string | null;
      readonly authority_uuid: string | null;
      readonly trusted: boolean | null;
      readonly certified_by: string | null;
    })
  /** `lifetime` is the index of the smallest limit that the validity period does not exceed; null if it is unknown. */
  | (Share & { readonly kind: 'lifetime'; readonly lifetime: number | null })
  | (Share & { readonly kind: 'owner'; readonly name: string | null })
  | (Share & { readonly kind: 'group'; readonly name: string })
  | (Share & { readonly kind: 'holder'; readonly owned: boolean; readonly grouped: boolean });

export interface CompositionQuery extends Counted {
  readonly now: Date;
  readonly groups: ObjectFilter;
}

/** Returns the composition. For issuers, owners and groups, only those with the most certificates are included. */
export async function composition(executor: Executor, query: CompositionQuery): Promise<readonly CompositionRow[]> {
  const { rows } = await sql<CompositionRow>`
    WITH shares AS (${shares(query)}),
      ranked AS (
        SELECT *, row_number() OVER (PARTITION BY kind ORDER BY certificates DESC, issuer_dn, name) AS place FROM shares)
    SELECT ranked.*, authority.uuid AS authority_uuid, authority.trusted_ca AS trusted,
      CASE WHEN authority.issuer_dn_normalized <> authority.subject_dn_normalized THEN authority.issuer_dn END AS certified_by
    FROM ranked LEFT JOIN LATERAL (${certificateOfIssuer(query)}) AS authority ON kind = 'issuer'
    WHERE kind IN ('key', 'lifetime', 'holder') OR place <= ${MAX_NAMED_SHARES}
    ORDER BY kind, place`.execute(executor);
  return rows;
}

const inUse = ({ now, ...counted }: CompositionQuery): RawBuilder<SqlBool> =>
  sql`c.shown_state = 'issued' AND c.not_after >= ${now} AND ${isCounted(counted)}`;

const limits = sql.lit(`{${LIFETIME_LIMITS.map((days) => days + 1).join(',')}}`);

/** Grouping does not need a locale-aware sort order, which would be many times slower. */
const shares = (query: CompositionQuery) => sql`
  SELECT CASE WHEN grouping(year) = 0 THEN 'key' WHEN grouping(lifetime) = 0 THEN 'lifetime' WHEN grouping(issuer_dn) = 0 THEN 'issuer' WHEN grouping(name) = 0 THEN 'owner'
      ELSE 'holder' END AS kind,
    algorithm, key_size, signature, year, lifetime, issuer_dn, issuer_dn_normalized, issuer_name, name, owned, grouped,
    count(*) AS certificates
  FROM (
    SELECT c.public_key_algorithm COLLATE "C" AS algorithm, c.key_size, c.signature_algorithm COLLATE "C" AS signature,
      least(extract(year FROM c.not_after AT TIME ZONE 'UTC')::int, ${LAST_COUNTED_YEAR}) AS year,
      width_bucket(${lifetimeDays}, ${limits}::int[]) AS lifetime,
      c.issuer_dn COLLATE "C" AS issuer_dn, c.issuer_dn_normalized COLLATE "C" AS issuer_dn_normalized,
      c.issuer_common_name COLLATE "C" AS issuer_name, c.owner_username COLLATE "C" AS name,
      c.owner_username IS NOT NULL AS owned, m.object_uuid IS NOT NULL AS grouped
    FROM certificate c
    LEFT JOIN (SELECT DISTINCT object_uuid FROM group_membership WHERE object_resource = 'certificates') AS m
      ON m.object_uuid = c.uuid
    WHERE ${inUse(query)}) AS used
  GROUP BY GROUPING SETS (
    (algorithm, key_size, signature, year), (lifetime), (issuer_dn, issuer_dn_normalized, issuer_name), (name), (owned, grouped))
  UNION ALL
  SELECT 'group', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, g.name COLLATE "C", NULL, NULL, count(*)
  FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid JOIN object_group g ON g.uuid = m.group_uuid
  WHERE m.object_resource = 'certificates' AND ${isShown(sql`g.uuid`, query.groups)} AND ${inUse(query)}
  GROUP BY g.uuid`;

/** Prefers trusted CA certificates, and among them the one that expires last. */
const certificateOfIssuer = (query: CompositionQuery) => sql`
  SELECT c.uuid, c.trusted_ca, c.subject_dn_normalized, c.issuer_dn_normalized, c.issuer_dn FROM certificate c
  WHERE c.trusted_ca IS NOT NULL AND c.state <> 'failed' AND c.subject_dn_normalized = ranked.issuer_dn_normalized
    AND ${isCounted({ ...query, includeArchived: true })}
  ORDER BY c.trusted_ca DESC, c.not_after DESC LIMIT 1`;
