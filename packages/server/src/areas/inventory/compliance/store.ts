// Queries for certificates and CSRs that compliance checks need, and for the resulting status.
import type { ComplianceStatus } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { compileFilters, type SqlCondition } from '../../../platform/database/filter/compile.ts';
import { certificateTables, joinedTables } from '../../certificates/index.ts';

/** Columns needed to check a certificate; a certificate without content is checked by its CSR. */
export interface CheckedRow {
  readonly uuid: string;
  readonly common_name: string;
  readonly ra_profile_uuid: string | null;
  readonly request_uuid: string | null;
  readonly request_format: 'pkcs10' | 'crmf' | null;
  readonly certificate_der: Buffer | null;
  readonly request_der: Buffer | null;
}

const checkedRows = (executor: Executor) =>
  certificateTables(executor)
    .selectFrom('certificate as c')
    .leftJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .leftJoin('certificate_request as q', 'q.uuid', 'c.request_uuid')
    .select(['c.uuid', 'c.common_name', 'c.ra_profile_uuid', 'c.request_uuid', 'q.format as request_format'])
    .select(['content.der as certificate_der', 'q.der as request_der'])
    .where('c.archived', '=', false);

export const findChecked = (executor: Executor, uuids: readonly string[]): Promise<CheckedRow[]> =>
  checkedRows(executor)
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

/** Finds the certificates that belong to these CSRs. */
export const findByRequests = (executor: Executor, requestUuids: readonly string[]): Promise<CheckedRow[]> =>
  checkedRows(executor)
    .where('c.request_uuid', '=', sql<string>`ANY(${requestUuids}::uuid[])`)
    .orderBy('c.created_at', 'desc')
    .execute();

/** Returns the next identifiers, in order, of unarchived certificates under these RA profiles. */
export async function findNextByProfiles(
  executor: Executor,
  { raProfileUuids, after, limit }: { raProfileUuids: readonly string[]; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await certificateTables(executor)
    .selectFrom('certificate')
    .select('uuid')
    .where('ra_profile_uuid', '=', sql<string>`ANY(${raProfileUuids}::uuid[])`)
    .where('archived', '=', false)
    .$if(after !== null, (query) => query.where('uuid', '>', after ?? ''))
    .orderBy('uuid')
    .limit(limit)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export async function countByProfiles(executor: Executor, raProfileUuids: readonly string[]): Promise<number> {
  const { total } = await certificateTables(executor)
    .selectFrom('certificate')
    .select((build) => build.fn.countAll<number>().as('total'))
    .where('ra_profile_uuid', '=', sql<string>`ANY(${raProfileUuids}::uuid[])`)
    .where('archived', '=', false)
    .executeTakeFirstOrThrow();
  return total;
}

/** Returns the given certificates that exist, archived or not. */
export async function findExisting(executor: Executor, uuids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await certificateTables(executor)
    .selectFrom('certificate')
    .select('uuid')
    .where('uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Returns the given certificates that match the conditions. */
export async function findFulfilling(
  executor: Executor,
  conditions: readonly SqlCondition[],
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await joinedTables(executor)
    .selectFrom('certificate as c')
    .select('c.uuid')
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where(compileFilters(conditions))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export interface ScopeRow {
  readonly uuid: string;
  readonly ra_profile_uuid: string | null;
  readonly group_uuids: readonly string[];
}

export async function findScopes(executor: Executor, uuids: readonly string[]): Promise<readonly ScopeRow[]> {
  const { rows } = await sql<ScopeRow>`
    SELECT c.uuid, c.ra_profile_uuid, ARRAY (
      SELECT m.group_uuid FROM group_membership m
      WHERE m.object_resource = 'certificates' AND m.object_uuid = c.uuid ORDER BY m.group_uuid
    ) AS group_uuids
    FROM certificate c WHERE c.uuid = ANY (${uuids}::uuid[])`.execute(executor);
  return rows;
}

/** Returns the given CSRs that match the conditions. */
export async function findFulfillingRequests(
  executor: Executor,
  conditions: readonly SqlCondition[],
  uuids: readonly string[],
): Promise<string[]> {
  const rows = await certificateTables(executor)
    .selectFrom('certificate_request as q')
    .select('q.uuid')
    .where('q.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .where(compileFilters(conditions))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

interface StatusChange {
  readonly table: 'certificate' | 'certificate_request';
  readonly uuids: readonly string[];
  readonly status: ComplianceStatus;
}

/** Skips rows that already have the status; locks rows in the order that all bulk changes use. */
export async function setStatus(tx: Executor, { table, uuids, status }: StatusChange): Promise<void> {
  await sql`
    WITH changed AS (
      SELECT uuid FROM ${sql.table(table)}
      WHERE uuid = ANY(${uuids}::uuid[]) AND compliance_status <> ${status} ORDER BY uuid FOR NO KEY UPDATE)
    UPDATE ${sql.table(table)} t SET compliance_status = ${status} FROM changed WHERE t.uuid = changed.uuid`.execute(
    tx,
  );
}

/** Returns the newest certificate for a CSR. */
export async function findCertificateOfRequest(executor: Executor, requestUuid: string): Promise<string | undefined> {
  const row = await certificateTables(executor)
    .selectFrom('certificate')
    .select('uuid')
    .where('request_uuid', '=', requestUuid)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.uuid;
}
