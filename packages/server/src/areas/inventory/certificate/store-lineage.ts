// Lineage of a certificate: certificates with the same names, found through the index from migration
// 0052-certificates-by-names, and certificates connected by renewals regardless of their names.
import { sql, type RawBuilder } from 'kysely';
import { isUnlimited } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import {
  certificateTables,
  isVisibleCertificate,
  type CertificateFilter,
  type HistoryRow,
} from '../../certificates/index.ts';
import { listed } from './store.ts';

export interface LineageQuery {
  readonly uuid: string;
  readonly visible: CertificateFilter;
  readonly limit: number;
}

const namesOf = (table: 'c' | 'o'): RawBuilder<string> =>
  sql`hashtextextended(${sql.ref(`${table}.subject_dn_normalized`)} || ' ' || ${sql.ref(`${table}.subject_alternative_names`)}::text, 0)`;

/** Returns the newest certificates first. */
export async function findLineage(
  executor: Executor,
  { uuid, visible, limit }: LineageQuery,
): Promise<readonly string[]> {
  const isVisible = isUnlimited(visible.raProfiles) ? sql`true` : isVisibleCertificate(visible);
  const { rows } = await sql<{ uuid: string }>`
    WITH RECURSIVE connected AS (
      SELECT ${uuid}::uuid AS uuid
      UNION
      SELECT CASE WHEN r.successor_uuid = connected.uuid THEN r.predecessor_uuid ELSE r.successor_uuid END
      FROM connected JOIN certificate_relation r
        ON r.successor_uuid = connected.uuid OR r.predecessor_uuid = connected.uuid)
    SELECT uuid FROM (
      (SELECT c.uuid, c.not_before FROM certificate c
        WHERE c.uuid IN (SELECT uuid FROM connected LIMIT ${limit})
          AND (c.uuid = ${uuid} OR ${isVisible}))
      UNION (
        SELECT c.uuid, c.not_before FROM certificate o JOIN certificate c ON ${namesOf('c')} = ${namesOf('o')}
        WHERE o.uuid = ${uuid} AND c.subject_dn_normalized = o.subject_dn_normalized
          AND c.subject_alternative_names = o.subject_alternative_names
          AND (o.subject_dn_normalized <> '' OR o.subject_alternative_names <> '{}')
          AND c.not_before IS NOT NULL AND c.state <> 'failed' AND ${isVisible}
        ORDER BY c.not_before DESC, c.uuid DESC LIMIT ${limit})) AS lineage
    ORDER BY not_before DESC NULLS FIRST, uuid DESC LIMIT ${limit}`.execute(executor);
  return rows.map((row) => row.uuid);
}

export const findLineageRows = (executor: Executor, uuids: readonly string[]) =>
  listed(executor)
    .select('c.public_key_fingerprint')
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

/** Finds the relations of these certificates to their predecessors. */
export const findPredecessors = (executor: Executor, uuids: readonly string[]) =>
  certificateTables(executor)
    .selectFrom('certificate_relation')
    .select(['successor_uuid', 'predecessor_uuid', 'relation_type'])
    .where('successor_uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .orderBy('created_at', 'desc')
    .execute();

type Origin = Pick<HistoryRow, 'certificate_uuid' | 'event' | 'created_by'>;

/** Returns the first history entry of each certificate. */
export async function findOrigins(executor: Executor, uuids: readonly string[]): Promise<readonly Origin[]> {
  const { rows } = await sql<Origin>`
    SELECT DISTINCT ON (certificate_uuid) certificate_uuid, event, created_by FROM certificate_history
    WHERE certificate_uuid = ANY(${uuids}::uuid[]) ORDER BY certificate_uuid, created_at, uuid`.execute(executor);
  return rows;
}
