// The console's search: free text and filters, sorted and paged. The API's list operation is simpler.
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
import { visibleCertificates, type CertificateFilter } from '../../certificates/index.ts';
import { groupsOf } from '../certificate/present-with-groups.ts';
import { presentFound } from '../certificate/present.ts';
import { createCursors, cursorRejection, type Continuation } from './cursor.ts';
import { isUnambiguous, readSearchText, type SearchText } from './text.ts';
import { readShownAttributes, shownValuesOf, type ShownAttributes } from './shown-attributes.ts';
import { createSearchTotals, type SearchTotal } from './totals.ts';
import { completeSort, keyAt, type SortPosition } from './sort-fields.ts';
import { findInOrder } from '../certificate/store.ts';
import { continuePage, findPage } from './find-page.ts';
import type { CertificateListParts } from './list.ts';
import { countSelected, findNamed, type TextMatch } from './store.ts';
import type { SortedSelection, PageRange } from './store-order.ts';

/** A parsed search whose text is not looked up yet. */
export interface ReadSelection extends Omit<SortedSelection, 'text'> {
  readonly conditions: readonly SqlCondition[];
  readonly text: SearchText | undefined;
}

interface Found {
  /** Positions of the certificates on the page, and the first position after it. */
  readonly places: readonly SortPosition[];
  /** Number of certificates before the page. */
  readonly passed: number;
  readonly total: SearchTotal;
}

export function createCertificateSearch(platform: Platform, { fields, totals }: CertificateListParts) {
  const { database, clock } = platform;
  const totalOf = createSearchTotals(platform);
  const cursors = createCursors(platform);

  /** `question` identifies the set of certificates. */
  async function begin(selection: ReadSelection, question: string, stretch: PageRange): Promise<Found> {
    const run = searchRunner(platform, selection);
    const { query, places, known } = await run(async (executor) => {
      const query = await lookUpText(executor, selection);
      const { places, total } = await findPage(executor, query, { ...stretch, totals });
      return { query, places, known: total };
    });
    const passed = stretch.offset;
    if (known !== undefined) return { places, passed, total: { totalItems: known, totalIsExact: true } };
    const count = (executor: Executor, limit?: number): Promise<number> =>
      limit === undefined ? totals.count(executor, query) : countSelected(executor, query, limit);
    return { places, passed, total: await totalOf({ key: question, count, run }) };
  }

  async function continueSearch(selection: ReadSelection, begun: Continuation, limit: number): Promise<Found> {
    const { after, passed, totalItems, totalIsExact } = begun;
    const total = totalIsExact ? totalItems : Infinity;
    const run = searchRunner(platform, selection);
    const places = await run(async (executor) => {
      const query = await lookUpText(executor, selection);
      return continuePage(executor, query, { offset: 0, limit, after, total });
    });
    return { places, passed, total: { totalItems, totalIsExact } };
  }

  return async function search(request: CertificateSearch, context: RequestContext): Promise<CertificateSearchResult> {
    const page = readPage(request);
    const shown = readShownAttributes(request.attributes, { context, length: MAX_LISTED_VALUE_LENGTH });
    const selection = readSelection(request, { fields: fields(context), now: clock.now(), context });
    const { filters, text, includeArchived, cursor } = request;
    const question = [viewerOf(context), filters, text, includeArchived];
    const walk = JSON.stringify([...question, selection.sort]);
    if (cursor !== undefined && page.pageNumber !== 1) throw cursorRejection('replaces pageNumber; specify only one');
    const begun = cursor === undefined ? undefined : cursors.read(walk, cursor);
    // Fetch one extra row to know whether there is a next page.
    const limit = page.itemsPerPage + 1;
    const { places, passed, total } = begun
      ? await continueSearch(selection, begun, limit)
      : await begin(selection, JSON.stringify(question), { offset: pageOffset(page), limit });
    const onPage = places.slice(0, page.itemsPerPage);
    const after = onPage.at(-1);
    const seen = after ? passed + onPage.length : 0;
    const facts = { ...total, totalItems: Math.max(total.totalItems, seen) };
    const { itemsPerPage } = page;
    return {
      ...pageFacts(
        { itemsPerPage, pageNumber: begun ? Math.floor(passed / itemsPerPage) + 1 : page.pageNumber },
        facts.totalItems,
      ),
      totalIsExact: facts.totalIsExact,
      certificates: await presentKeys(database.executor, onPage.map(keyAt), shown),
      ...(after && places.length === limit
        ? { nextCursor: cursors.write(walk, { after, passed: seen, ...facts }) }
        : {}),
    };
  };
}

/** Returns whose permissions limit the count: a user, or an access token with a scope. */
const viewerOf = ({ actor }: RequestContext): string | null | undefined =>
  actor.hasScope ? actor.accessTokenUuid : actor.userUuid;

/** Rejects malformed filters and texts. */
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
    /** Action to be performed on the certificates. */
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

/** Runs a query of this selection with the limits that its filters and text require. */
export const searchRunner =
  ({ database }: Pick<Platform, 'database'>, { conditions, text }: ReadSelection) =>
  <Result>(query: (executor: Executor) => Promise<Result>): Promise<Result> =>
    runSearch({ database, conditions, freeText: text !== undefined }, query);

/** Numbers in the text are looked up first, by index. */
export async function lookUpText(executor: Executor, { text, ...selection }: ReadSelection): Promise<SortedSelection> {
  return text ? { ...selection, text: await matchOf(executor, text, selection.visible) } : selection;
}

async function matchOf(executor: Executor, text: SearchText, visible: CertificateFilter): Promise<TextMatch> {
  const named = await findNamed(executor, text, visible);
  const isEnough = named.length > 0 && isUnambiguous(text);
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
