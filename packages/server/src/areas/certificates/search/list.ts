// The list of certificates: filtered, paged, newest first.
import type { CertificateResponseDto, CertificateSearchRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { readSearch } from '../../../kernel/filter/read-filters.ts';
import { pageFacts } from '../../../kernel/page.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import { visibleRaProfiles } from '../core/access.ts';
import type { CertificateFields } from './search-fields.ts';
import { presentAll } from '../inventory/present-with-groups.ts';
import { findPage } from '../inventory/store.ts';

export function createCertificateList(
  { database, clock }: Platform,
  { fields }: { readonly fields: CertificateFields },
) {
  return async function list(
    request: CertificateSearchRequestDto,
    context: RequestContext,
  ): Promise<CertificateResponseDto> {
    const { page, conditions } = readSearch(request, { lookup: fields(context).lookup, now: clock.now() });
    const raProfiles = visibleRaProfiles(context);
    const query = { conditions, page, raProfiles, includeArchived: request.includeArchived ?? false };
    const { items, totalItems } = await runSearch({ database, conditions }, (executor) => findPage(executor, query));
    return { ...pageFacts(page, totalItems), certificates: await presentAll(database.executor, items) };
  };
}
