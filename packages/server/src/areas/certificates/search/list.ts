// The list of certificates: filtered, paged, newest first.
import type { CertificateResponseDto, CertificateSearchRequestDto } from '@signetry/contract';
import { isUnlimited, type RequestContext } from '../../../kernel/actor.ts';
import { readSearch } from '../../../kernel/filter/read-filters.ts';
import { pageFacts, pageOffset } from '../../../kernel/page.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import { presentGroup } from '../../groups/index.ts';
import { visibleCertificates } from '../core/access.ts';
import { presentAll } from '../inventory/present-with-groups.ts';
import { presentCertificate } from '../inventory/present.ts';
import { findInOrder } from '../inventory/store.ts';
import { findPage } from './find-page.ts';
import { createNewest } from './store-newest.ts';
import type { RememberedTotals } from './store-totals.ts';
import type { CertificateFields } from './search-fields.ts';
import { completeSort } from './sort-fields.ts';

export interface CertificateListParts {
  readonly fields: CertificateFields;
  readonly totals: RememberedTotals;
}

/** Deeper ones are quicker from the end. */
const NEWEST_REACH = 100_000;

export function createCertificateList({ database, clock }: Platform, { fields, totals }: CertificateListParts) {
  const findNewest = createNewest(database);

  return async function list(
    request: CertificateSearchRequestDto,
    context: RequestContext,
  ): Promise<CertificateResponseDto> {
    const { page, conditions } = readSearch(request, { lookup: fields(context).lookup, now: clock.now() });
    const query = {
      conditions,
      visible: visibleCertificates(context, 'list'),
      includeArchived: request.includeArchived ?? false,
      sort: completeSort([]),
    };
    const stretch = { offset: pageOffset(page), limit: page.itemsPerPage };
    const isPlain = conditions.length === 0 && !query.includeArchived && isUnlimited(query.visible.raProfiles);
    if (isPlain && stretch.offset < NEWEST_REACH) {
      const { rows, total } = await findNewest(stretch);
      const certificates = rows.map((row) => presentCertificate(row, (row.groups ?? []).map(presentGroup)));
      return { ...pageFacts(page, total), certificates };
    }
    const { keys, total } = await runSearch({ database, conditions }, async (executor) => {
      const found = await findPage(executor, query, { ...stretch, totals });
      return { keys: found.keys, total: found.total ?? (await totals.count(executor, query)) };
    });
    const rows = await findInOrder(database.executor, keys);
    return { ...pageFacts(page, total), certificates: await presentAll(database.executor, rows) };
  };
}
