// Lists paged by the platform and filtered by the fields of their resource: their queries and URL parameters. Links and
// the back button restore the same view.
import type { FilterableResource, SearchFieldDataByGroupDto, SearchFilterRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readPage, readText } from '../list-search.ts';
import { readFilters } from './read-filters.ts';

export const LISTED_PER_PAGE = 50;
const POLL_MS = 2_000;

export interface FilteredSearch {
  /** Text to search for within the name. */
  readonly text?: string;
  readonly filters?: readonly SearchFilterRequestDto[];
  readonly page?: number;
}

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
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
  /** The API has no free-text search for these resources, so text is matched against this field. */
  readonly nameField: string;
  readonly list: (body: ListRequest, signal: AbortSignal) => Promise<Answer>;
  readonly fields: (signal: AbortSignal) => Promise<SearchFieldDataByGroupDto[]>;
  /** Returns whether a listed object is about to change without user action. If so, the list is polled. */
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
      const byName = text === undefined ? [] : [nameContains(nameField, text)];
      return list({ filters: [...filters, ...byName], pageNumber: page, itemsPerPage }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && listing.isUnderWay?.(data) === true ? POLL_MS : false,
  });

/** Query for the number of objects that match the filters. */
export const listingCountQuery = <Answer extends { readonly totalItems: number }>(
  listing: Listing<Answer>,
  filters: FilteredSearch['filters'] = [],
) => queryOptions({ ...listingQuery(listing, { filters }, 1), select: ({ totalItems }: Answer) => totalItems });

/**
 * Returns a filter for part of a name. The API compares case-sensitively, but users expect the opposite, so `web`
 * becomes `[wW][eE][bB]`.
 */
export const nameContains = (fieldIdentifier: string, text: string): SearchFilterRequestDto => ({
  fieldSource: 'property',
  fieldIdentifier,
  condition: 'MATCHES',
  value: [...text].map(toAnyCasePattern).join(''),
});

function toAnyCasePattern(character: string): string {
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
