// The dashboard by its definition, counted one by one from the rows: the reference for the counters.
import type { Counts, StatisticsDto } from '@signetry/contract';
import { CompiledQuery } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { isVisible, type ObjectFilter } from '../../../kernel/actor.ts';
import type { CertificateRow } from '../../certificates/tables.ts';

const DAY_MS = 86_400_000;

export const everyObject: ObjectFilter = { kind: 'all', except: new Set() };

const rowsOf = async <Row>(executor: Executor, text: string): Promise<Row[]> =>
  (await executor.executeQuery<Row>(CompiledQuery.raw(text))).rows;

export async function recount(
  executor: Executor,
  facts: { readonly includeArchived: boolean; readonly now: Date; readonly raProfiles?: ObjectFilter },
): Promise<StatisticsDto> {
  const all = await rowsOf<CertificateRow>(executor, 'SELECT * FROM certificate');
  const { includeArchived, now, raProfiles = everyObject } = facts;
  const isListed = ({ ra_profile_uuid: uuid }: CertificateRow) =>
    uuid === null ? raProfiles.kind === 'all' : isVisible(raProfiles, uuid);
  const shown = all.filter((row) => (includeArchived || !row.archived) && isListed(row));
  const names = async (table: string) =>
    new Map(
      (await rowsOf<{ uuid: string; name: string }>(executor, `SELECT uuid, name FROM ${table}`)).map(
        ({ uuid, name }) => [uuid, name],
      ),
    );
  const profiles = await names('ra_profile');
  const groups = await names('object_group');
  const memberships = await rowsOf<{ object_uuid: string; group_uuid: string }>(
    executor,
    `SELECT object_uuid, group_uuid FROM group_membership WHERE object_resource = 'certificates'`,
  );
  const groupsOf = (uuid: string) =>
    memberships.filter(({ object_uuid }) => object_uuid === uuid).map(({ group_uuid }) => groups.get(group_uuid) ?? '');
  const by = (valuesOf: (row: CertificateRow) => readonly (string | number | null)[]): Counts => {
    const counts: Counts = {};
    for (const row of shown)
      for (const value of valuesOf(row)) counts[value ?? 'Unassigned'] = (counts[value ?? 'Unassigned'] ?? 0) + 1;
    return counts;
  };
  const statuses = async (table: string, status: string): Promise<Record<string, number>> => {
    const rows = await rowsOf<{ status: string }>(executor, `SELECT ${status} AS status FROM ${table}`);
    return Object.fromEntries(
      Object.entries(Object.groupBy(rows, (row) => row.status)).map(([key, some = []]) => [key, some.length]),
    );
  };
  return {
    totalCertificates: shown.length,
    totalConnectors: (await names('connector')).size,
    totalCredentials: (await names('credential')).size,
    totalAuthorities: (await names('authority')).size,
    connectorStatByStatus: await statuses('connector', 'status'),
    raProfileStatByStatus: await statuses(
      'ra_profile WHERE NOT internal',
      `CASE WHEN enabled THEN 'enabled' ELSE 'disabled' END`,
    ),
    totalGroups: groups.size,
    totalDiscoveries: 0,
    totalRaProfiles: (await names('ra_profile WHERE NOT internal')).size,
    groupStatByCertificateCount: by(({ uuid }) => (groupsOf(uuid).length > 0 ? groupsOf(uuid) : [null])),
    raProfileStatByCertificateCount: by((row) => [profiles.get(row.ra_profile_uuid ?? '') ?? null]),
    certificateStatByType: by((row) => [row.certificate_type]),
    certificateStatByExpiry: by((row) => [bucketOf(row.not_after, now)]),
    certificateStatByKeySize: by((row) => [row.key_size]),
    certificateStatBySubjectType: by((row) => [row.subject_type]),
    certificateStatByState: by((row) => [row.state]),
    certificateStatByValidationStatus: by((row) => [row.validation_status]),
    certificateStatByComplianceStatus: by((row) => [row.compliance_status]),
  };
}

function bucketOf(end: Date | null, now: Date): string {
  if (end === null) return 'Not Issued';
  if (end < now) return 'Expired';
  const bucket = [10, 20, 30, 60, 90].find((days) => end.getTime() <= now.getTime() + days * DAY_MS);
  return bucket === undefined ? 'More' : String(bucket);
}
