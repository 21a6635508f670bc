// Lists that the platform answers page by page and filters by the fields of a resource: how they are asked for, and
// what the URL says of them. A link or "back" shows the same.
import type { FilterableResource, SearchFieldDataByGroupDto, SearchFilterRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readPage, readText } from '../list-search.ts';
import { readFilters } from './read-filters.ts';

export const LISTED_PER_PAGE = 50;
const POLL_MS = 2_000;

export interface FilteredSearch {
  /** Part of the name. */
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly page?: number;
}

/** URLs come from anywhere; parameters that cannot be read are dropped. */
export const readFilteredSearch = ({ text, filters, page }: Record<string, unknown>): FilteredSearch => ({
  ...readText(text),
  ...readFilters(filters),
  ...readPage(page),
});

interface ListRequest {
  readonly filters: SearchFilterRequestDto[];
  readonly pageNumber: number;
  readonly itemsPerPage: number;
}

export interface Listing<Answer> {
  readonly resource: FilterableResource;
  /** The interface has no free text for these resources: a text is looked for in this field. */
  readonly nameField: string;
  readonly list: (body: ListRequest, signal: AbortSignal) => Promise<Answer>;
  readonly fields: (signal: AbortSignal) => Promise<SearchFieldDataByGroupDto[]>;
  /** Something that is listed is about to change by itself: the list is asked for again. */
  isUnderWay?(answer: Answer): boolean;
}

export const listingQuery = <Answer>(
  { resource, nameField, list, ...listing }: Listing<Answer>,
  { text, filters = [], page = 1 }: FilteredSearch,
  itemsPerPage = LISTED_PER_PAGE,
) =>
  queryOptions({
    queryKey: [resource, 'list', text, filters, page, itemsPerPage],
    queryFn: ({ signal }) => {
      const byName = text === undefined ? [] : [inName(nameField, text)];
      return list({ filters: [...filters, ...byName], pageNumber: page, itemsPerPage }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && listing.isUnderWay?.(data) === true ? POLL_MS : false,
  });

/** How many there are, as the list with these filters says. */
export const listingCountQuery = <Answer extends { readonly totalItems: number }>(
  listing: Listing<Answer>,
  filters: FilteredSearch['filters'] = [],
) => queryOptions({ ...listingQuery(listing, { filters }, 1), select: ({ totalItems }: Answer) => totalItems });

/** The interface compares texts with their case, which people who search do not: `[wW][eE][bB]` finds either. */
export const inName = (fieldIdentifier: string, text: string): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition: 'MATCHES',
  value: [...text].map(inAnyCase).join(''),
});

function inAnyCase(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  if (lower !== upper) return [...lower].length === 1 && [...upper].length === 1 ? `[${lower}${upper}]` : character;
  return /[\p{L}\p{N}\s]/u.test(character) ? character : `\\${character}`;
}

export const listingFieldsQuery = ({ resource, fields }: Pick<Listing<unknown>, 'resource' | 'fields'>) =>
  queryOptions({
    queryKey: [resource, 'fields'],
    queryFn: ({ signal }) => fields(signal),
    staleTime: 60_000,
  });
