// List paged by the platform, with a search by name and filters on all fields of its resource. The URL holds the
// complete view state.
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { capitalize } from '../../format/names.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { Column } from '../../ui/table.tsx';
import { PagedList, type Paging } from '../paged-list.tsx';
import { useSearchChange } from '../use-list-search.ts';
import { describeFilter, type CodeTexts } from './filter-text.ts';
import { ActiveFilters } from './active-filters.tsx';
import { FilterButton, ListFilters } from './list-filters.tsx';
import { LISTED_PER_PAGE, listingFieldsQuery, listingQuery, type FilteredSearch, type Listing } from './listing.ts';

export interface FilteredListProps<Row, Answer extends Paging> {
  readonly listing: Listing<Answer>;
  /** Plural, for use within a sentence, e.g. `locations`. */
  readonly what: string;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly codeWords?: CodeTexts;
  /** Shown if there are no objects at all. Explains their purpose and the first step. */
  readonly empty: ReactNode;
}

export function FilteredList<Row extends { readonly uuid: string; readonly name: string }, Answer extends Paging>(
  props: FilteredListProps<Row, Answer>,
) {
  const { listing, what, rowsOf, columns, codeWords = {}, empty } = props;
  const search: FilteredSearch = useSearch({ strict: false });
  const change = useSearchChange<FilteredSearch>();
  const queries = useQueryClient();
  const { text, filters = [], page = 1 } = search;
  const query = useQuery(listingQuery(listing, search));
  return (
    <PagedList
      query={query}
      what={what}
      label={capitalize(what)}
      rowsOf={rowsOf}
      columns={columns}
      nameOf={({ name }) => name}
      page={page}
      size={LISTED_PER_PAGE}
      onPage={(next) => change({ page: next })}
      onApproach={(next) => void queries.prefetchQuery(listingQuery(listing, { ...search, page: next }))}
      tools={<Tools listing={listing} what={what} codeWords={codeWords} search={search} error={query.error} />}
      empty={
        text === undefined && filters.length === 0 ? (
          empty
        ) : (
          <NothingFound what={what} onClear={() => change({ text: undefined, filters: undefined })} />
        )
      }
    />
  );
}

interface ToolsProps {
  readonly listing: Listing<unknown>;
  readonly what: string;
  readonly codeWords: CodeTexts;
  readonly search: FilteredSearch;
  readonly error: unknown;
}

interface EditedFilter {
  /** Absent for a new filter. */
  readonly place?: number;
}

function Tools({ listing, what, codeWords, search, error }: ToolsProps) {
  const { text, filters = [] } = search;
  const change = useSearchChange<FilteredSearch>();
  const queries = useQueryClient();
  const [edited, edit] = useState<EditedFilter>();
  const setFilters = (next: NonNullable<FilteredSearch['filters']>): void =>
    change({ filters: next.length === 0 ? undefined : next });
  return (
    <>
      <FilterButton
        onApproach={() => void queries.prefetchQuery(listingFieldsQuery(listing))}
        onOpen={() => edit({})}
      />
      <SearchField
        label={`Search ${what}`}
        placeholder="Search by name"
        text={text ?? ''}
        onSearch={(next) => change({ text: next === '' ? undefined : next })}
      />
      <ActiveFilters
        filters={filters}
        wordsOf={(filter) => describeFilter(listing.resource, filter, codeWords)}
        error={error}
        onChange={setFilters}
        onEdit={(place) => edit({ place })}
      />
      {edited && (
        <Filters
          listing={listing}
          place={edited.place}
          filters={filters}
          codeWords={codeWords}
          ask={(next) => queries.fetchQuery(listingQuery(listing, { ...(text && { text }), filters: next }))}
          onChange={setFilters}
          onClose={() => edit(undefined)}
        />
      )}
    </>
  );
}

/** Render this only while the dialog is open, so that the fields are not fetched earlier. */
function Filters({
  listing,
  ...dialog
}: Omit<Parameters<typeof ListFilters>[0], 'fields'> & Pick<ToolsProps, 'listing'>) {
  return <ListFilters {...dialog} fields={useQuery(listingFieldsQuery(listing))} />;
}

function NothingFound({ what, onClear }: { readonly what: string; readonly onClear: () => void }) {
  return (
    <Empty
      title={`No ${what} found`}
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      No objects that you can view match your search and filters.
    </Empty>
  );
}
