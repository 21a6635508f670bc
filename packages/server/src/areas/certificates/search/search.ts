// The search of people: free text and filters, sorted, a page at a time. The list of the interface is a plainer one.
import type {
  CertificateSearch,
  CertificateSearchResult,
  CertificateSelection,
  FoundCertificateDto,
} from '@signetry/contract';
import type { ObjectFilter, RequestContext } from '../../../kernel/actor.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import { pageFacts, pageOffset, readPage } from '../../../kernel/page.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { SqlFields } from '../../../platform/database/filter/sql-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { visibleRaProfiles } from '../core/access.ts';
import type { CertificateFields } from './search-fields.ts';
import { groupsOf } from '../inventory/present-with-groups.ts';
import { presentFound } from '../inventory/present.ts';
import { isUnmistakable, readSearchText, type SearchText } from './text.ts';
import { createSearchTotals } from './totals.ts';
import { completeSort } from './sort-fields.ts';
import { findListed, type ListedRow } from '../inventory/store.ts';
import { countSelected, findKeys, findNamed, type SortedSelection, type TextMatch } from './store.ts';

/** A search as it was asked for, its text not looked up yet. */
export interface ReadSelection extends Omit<SortedSelection, 'text'> {
  readonly conditions: readonly SqlCondition[];
  readonly text: SearchText | undefined;
}

export function createCertificateSearch(platform: Platform, { fields }: { readonly fields: CertificateFields }) {
  const { database, clock } = platform;
  const totalOf = createSearchTotals(platform);

  return async function search(request: CertificateSearch, context: RequestContext): Promise<CertificateSearchResult> {
    const page = readPage(request);
    const selection = readSelection(request, { fields: fields(context), now: clock.now(), context });
    const run = searchRunner(platform, selection);
    const offset = pageOffset(page);
    const { query, keys } = await run(async (executor) => {
      const query = await lookUpText(executor, selection);
      return { query, keys: await findKeys(executor, query, { offset, limit: page.itemsPerPage }) };
    });
    const certificates = await presentKeys(database.executor, keys);
    // A page that is not full is the last one, unless it lies beyond the end.
    const isLast = keys.length < page.itemsPerPage && (keys.length > 0 || offset === 0);
    const { filters, text, includeArchived } = request;
    const total = isLast
      ? { totalItems: offset + keys.length, totalIsExact: true }
      : await totalOf({
          key: JSON.stringify([context.actor.userUuid, filters, text, includeArchived]),
          count: (executor, limit) => countSelected(executor, query, limit),
          run,
        });
    const seen = keys.length > 0 ? offset + keys.length : 0;
    const totalItems = Math.max(total.totalItems, seen);
    return { ...pageFacts(page, totalItems), totalIsExact: total.totalIsExact, certificates };
  };
}

/** Refuses bad filters and texts. */
export function readSelection(
  request: CertificateSelection,
  { fields, now, context }: { readonly fields: SqlFields; readonly now: Date; readonly context: RequestContext },
): ReadSelection {
  return {
    raProfiles: visibleRaProfiles(context),
    conditions: readFilters(request.filters ?? [], { lookup: fields.lookup, now }),
    text: readSearchText(request.text),
    sort: completeSort(request.sort ?? []),
    includeArchived: request.includeArchived ?? false,
  };
}

/** Runs a query of this selection with the limits that its filters and its text call for. */
export const searchRunner =
  ({ database }: Pick<Platform, 'database'>, { conditions, text }: ReadSelection) =>
  <Result>(query: (executor: Executor) => Promise<Result>): Promise<Result> =>
    runSearch({ database, conditions, freeText: text !== undefined }, query);

/** Numbers in the text are looked up first, by their indexes. */
export async function lookUpText(executor: Executor, { text, ...selection }: ReadSelection): Promise<SortedSelection> {
  return text ? { ...selection, text: await matchOf(executor, text, selection.raProfiles) } : selection;
}

async function matchOf(executor: Executor, text: SearchText, raProfiles: ObjectFilter): Promise<TextMatch> {
  const named = await findNamed(executor, text, raProfiles);
  const isEnough = named.length > 0 && isUnmistakable(text);
  return { words: isEnough ? [] : text.words.map((word) => word.forms), named };
}

/** Certificates in the order of their identifiers; those that were deleted meanwhile are left out. */
async function findInOrder(executor: Executor, keys: readonly string[]): Promise<ListedRow[]> {
  const rows = new Map((await findListed(executor, keys)).map((row) => [row.uuid, row]));
  return keys.flatMap((uuid) => rows.get(uuid) ?? []);
}

async function presentKeys(executor: Executor, keys: readonly string[]): Promise<FoundCertificateDto[]> {
  if (keys.length === 0) return [];
  const rows = await findInOrder(executor, keys);
  const groups = await groupsOf(executor, keys);
  return rows.map((row) => presentFound(row, groups.get(row.uuid) ?? []));
}
