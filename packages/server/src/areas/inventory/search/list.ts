// The certificate list: filtered, paged, newest first.
import type { CertificateResponseDto, CertificateSearchRequestDto } from '@signetry/contract';
import { isUnlimited, type RequestContext } from '../../../kernel/actor.ts';
import { readSearch } from '../../../kernel/filter/read-filters.ts';
import { pageFacts, pageOffset } from '../../../kernel/page.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import { presentGroup } from '../../groups/index.ts';
import { visibleCertificates } from '../../certificates/index.ts';
import { presentAll } from '../certificate/present-with-groups.ts';
import { presentCertificate } from '../certificate/present.ts';
import { findInOrder } from '../certificate/store.ts';
import { findPage } from './find-page.ts';
import type { PageRange } from './store-order.ts';
import { createNewest, createNewestOfMember, type Newest } from './store-newest.ts';
import type { Selection } from './store.ts';
import type { RememberedTotals } from './store-totals.ts';
import type { CertificateFields } from './search-fields.ts';
import { completeSort, keyAt } from './sort-fields.ts';

export interface CertificateListParts {
  readonly fields: CertificateFields;
  readonly totals: RememberedTotals;
}

export function createCertificateList({ database, clock }: Platform, { fields, totals }: CertificateListParts) {
  const findNewest = createNewest(database);
  const findNewestOfMember = createNewestOfMember(database);

  async function newestOf(query: Selection, stretch: PageRange): Promise<Newest | undefined> {
    if (isUnlimited(query.visible.raProfiles)) return findNewest(stretch);
    const found = await findNewestOfMember(query.visible, stretch);
    if (!found) return undefined;
    const total = totals.recallAt(found.change, query) ?? (await totals.count(database.executor, query));
    return { rows: found.rows, total };
  }

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
    const newest = conditions.length === 0 && !query.includeArchived ? await newestOf(query, stretch) : undefined;
    if (newest) {
      const certificates = newest.rows.map((row) => presentCertificate(row, (row.groups ?? []).map(presentGroup)));
      return { ...pageFacts(page, newest.total), certificates };
    }
    const { keys, total } = await runSearch({ database, conditions }, async (executor) => {
      const found = await findPage(executor, query, { ...stretch, totals });
      return { keys: found.places.map(keyAt), total: found.total ?? (await totals.count(executor, query)) };
    });
    const rows = await findInOrder(database.executor, keys);
    return { ...pageFacts(page, total), certificates: await presentAll(database.executor, rows) };
  };
}
