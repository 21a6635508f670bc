// The search of people: free text and filters, sorted, a page at a time. The list of the interface is a plainer one.
import {
  MAX_LISTED_VALUE_LENGTH,
  type Action,
  type CertificateSearch,
  type CertificateSearchResult,
  type CertificateSelection,
  type FoundCertificateDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { readFilters } from '../../../kernel/filter/read-filters.ts';
import { pageFacts, pageOffset, readPage } from '../../../kernel/page.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { SqlFields } from '../../../platform/database/filter/sql-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { visibleCertificates, type CertificateFilter } from '../core/access.ts';
import { groupsOf } from '../inventory/present-with-groups.ts';
import { presentFound } from '../inventory/present.ts';
import { isUnmistakable, readSearchText, type SearchText } from './text.ts';
import { readShownAttributes, shownValuesOf, type ShownAttributes } from './shown-attributes.ts';
import { createSearchTotals } from './totals.ts';
import { completeSort } from './sort-fields.ts';
import { findInOrder } from '../inventory/store.ts';
import { findPage } from './find-page.ts';
import type { CertificateListParts } from './list.ts';
import { countSelected, findNamed, type SortedSelection, type TextMatch } from './store.ts';

/** A search as it was asked for, its text not looked up yet. */
export interface ReadSelection extends Omit<SortedSelection, 'text'> {
  readonly conditions: readonly SqlCondition[];
  readonly text: SearchText | undefined;
}

export function createCertificateSearch(platform: Platform, { fields, totals }: CertificateListParts) {
  const { database, clock } = platform;
  const totalOf = createSearchTotals(platform);

  return async function search(request: CertificateSearch, context: RequestContext): Promise<CertificateSearchResult> {
    const page = readPage(request);
    const shown = readShownAttributes(request.attributes, { context, length: MAX_LISTED_VALUE_LENGTH });
    const selection = readSelection(request, { fields: fields(context), now: clock.now(), context });
    const run = searchRunner(platform, selection);
    const offset = pageOffset(page);
    const { query, keys, known } = await run(async (executor) => {
      const query = await lookUpText(executor, selection);
      const { keys, total } = await findPage(executor, query, { offset, limit: page.itemsPerPage, totals });
      return { query, keys, known: total };
    });
    const certificates = await presentKeys(database.executor, keys, shown);
    const { filters, text, includeArchived } = request;
    const total =
      known === undefined
        ? await totalOf({
            key: JSON.stringify([viewerOf(context), filters, text, includeArchived]),
            count: (executor, limit) =>
              limit === undefined ? totals.count(executor, query) : countSelected(executor, query, limit),
            run,
          })
        : { totalItems: known, totalIsExact: true };
    const seen = keys.length > 0 ? offset + keys.length : 0;
    const totalItems = Math.max(total.totalItems, seen);
    return { ...pageFacts(page, totalItems), totalIsExact: total.totalIsExact, certificates };
  };
}

/** Whose rights bound what is counted: a user's, or those of a token with a scope. */
const viewerOf = ({ actor }: RequestContext): string | null | undefined =>
  actor.hasScope ? actor.accessTokenUuid : actor.userUuid;

/** Refuses bad filters and texts. */
export function readSelection(
  request: CertificateSelection,
  {
    fields,
    now,
    context,
    action = 'list',
  }: {
    readonly fields: SqlFields;
    readonly now: Date;
    readonly context: RequestContext;
    /** What is to be done with the certificates. */
    readonly action?: Action;
  },
): ReadSelection {
  return {
    visible: visibleCertificates(context, action),
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
  return text ? { ...selection, text: await matchOf(executor, text, selection.visible) } : selection;
}

async function matchOf(executor: Executor, text: SearchText, visible: CertificateFilter): Promise<TextMatch> {
  const named = await findNamed(executor, text, visible);
  const isEnough = named.length > 0 && isUnmistakable(text);
  return { words: isEnough ? [] : text.words.map((word) => word.forms), named };
}

async function presentKeys(
  executor: Executor,
  keys: readonly string[],
  shown: ShownAttributes,
): Promise<FoundCertificateDto[]> {
  if (keys.length === 0) return [];
  const rows = await findInOrder(executor, keys);
  const groups = await groupsOf(executor, keys);
  const found = rows.map((row) => presentFound(row, groups.get(row.uuid) ?? []));
  if (shown.asked.length === 0) return found;
  const values = await shownValuesOf(executor, keys, shown);
  return found.map((each) => ({ ...each, attributes: values.get(each.uuid) ?? [] }));
}
