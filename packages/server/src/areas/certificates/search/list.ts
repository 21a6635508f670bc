// The list of certificates: filtered, paged, newest first.
import type { CertificateDto, CertificateResponseDto, CertificateSearchRequestDto, GroupDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { readSearch } from '../../../kernel/filter/read-filters.ts';
import { pageFacts } from '../../../kernel/page.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findMemberships, presentGroup } from '../../groups/index.ts';
import { visibleRaProfiles } from '../core/access.ts';
import { presentCertificate } from '../inventory/present.ts';
import { certificateFields } from './search-fields.ts';
import { findPage, type ListedRow } from '../inventory/store.ts';

export function createCertificateList({ database, clock }: Platform) {
  return async function list(
    request: CertificateSearchRequestDto,
    context: RequestContext,
  ): Promise<CertificateResponseDto> {
    const { page, conditions } = readSearch(request, { lookup: certificateFields.lookup, now: clock.now() });
    const raProfiles = visibleRaProfiles(context);
    const query = { conditions, page, raProfiles, includeArchived: request.includeArchived ?? false };
    const { items, totalItems } = await runSearch({ database, conditions }, (executor) => findPage(executor, query));
    return { ...pageFacts(page, totalItems), certificates: await presentAll(database.executor, items) };
  };
}

/** Listed certificates with their groups, in the same order. */
export async function presentAll(executor: Executor, rows: readonly ListedRow[]): Promise<CertificateDto[]> {
  const groups = await groupsOf(executor, rows.map((row) => row.uuid)); // prettier-ignore
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
