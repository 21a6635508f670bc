// API representation of listed certificates, with their groups.
import type { CertificateDto, GroupDto } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import { findMemberships, presentGroup } from '../../groups/index.ts';
import { presentCertificate } from './present.ts';
import type { ListedRow } from './store.ts';

/** Returns listed certificates with their groups, in the same order. */
export async function presentAll(executor: Executor, rows: readonly ListedRow[]): Promise<CertificateDto[]> {
  const groups = await groupsOf(
    executor,
    rows.map((row) => row.uuid),
  );
  return rows.map((row) => presentCertificate(row, groups.get(row.uuid) ?? []));
}

export async function groupsOf(
  executor: Executor,
  certificateUuids: readonly string[],
): Promise<Map<string, GroupDto[]>> {
  const groups = new Map<string, GroupDto[]>();
  if (certificateUuids.length === 0) return groups;
  for (const { object_uuid, ...group } of await findMemberships(executor, 'certificates', certificateUuids)) {
    groups.set(object_uuid, [...(groups.get(object_uuid) ?? []), presentGroup(group)]);
  }
  return groups;
}
