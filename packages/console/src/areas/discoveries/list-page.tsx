// All discoveries, the newest first. The URL holds everything that decides what is shown.
import { Button } from '@mantine/core';
import { IconWorldSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { FiltersInForce } from '../../kit/filters/filters-in-force.tsx';
import { wordsOfFilter } from '../../kit/filters/filter-words.ts';
import { FilterButton, ListFilters } from '../../kit/filters/list-filters.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useSearchChange } from '../../kit/use-list-search.ts';
import type { DiscoverySearch } from '../../queries/discovery-search.ts';
import {
  DISCOVERIES_PER_PAGE,
  discoveryFieldsQuery,
  discoveryListQuery,
  type ListedDiscovery,
} from '../../queries/discoveries.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { Column } from '../../ui/table.tsx';
import { wordsOfKind } from '../connectors/kinds.ts';
import { DiscoveryState, stateWords } from './state.tsx';

const newAction: Action = {
  label: 'New discovery',
  icon: IconWorldSearch,
  isPrimary: true,
  needs: ['discoveries', 'create'],
  to: paths.discoveries.new,
};

export function DiscoveryListPage() {
  return (
    <Page
      title="Discoveries"
      description="A discovery asks a connector for certificates that are in use somewhere, and brings those that are new into the inventory."
      actions={<ActionButton action={newAction} />}
      wide
    >
      <Discoveries />
    </Page>
  );
}

function Discoveries() {
  const search: DiscoverySearch = useSearch({ strict: false });
  const change = useSearchChange<DiscoverySearch>();
  const queries = useQueryClient();
  const { text, filters = [], page = 1 } = search;
  const isFiltered = text !== undefined || filters.length > 0;
  const query = useQuery(discoveryListQuery(search));
  return (
    <PagedList
      query={query}
      what="discoveries"
      label="Discoveries"
      rowsOf={({ discoveries }) => discoveries}
      columns={columns}
      nameOf={({ name }) => name}
      page={page}
      size={DISCOVERIES_PER_PAGE}
      onPage={(next) => change({ page: next })}
      onApproach={(next) => void queries.prefetchQuery(discoveryListQuery({ ...search, page: next }))}
      tools={<Tools search={search} error={query.error} />}
      empty={<NoDiscoveries isFiltered={isFiltered} onClear={() => change({ text: undefined, filters: undefined })} />}
    />
  );
}

const columns: readonly Column<ListedDiscovery>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ uuid, name, kind }) => (
      <ObjectLink to={paths.discoveries.one(uuid)} name={name} detail={wordsOfKind(kind)} />
    ),
  },
  { key: 'state', title: 'State', cell: ({ status }) => <DiscoveryState of={status} /> },
  {
    key: 'found',
    title: 'Certificates',
    cell: ({ totalCertificatesDiscovered = 0 }) => formatCount(totalCertificatesDiscovered),
  },
  { key: 'connector', title: 'Connector', minor: true, cell: ({ connectorName }) => connectorName },
  { key: 'started', title: 'Started', minor: true, cell: ({ startTime }) => startTime && formatDateTime(startTime) },
  { key: 'ended', title: 'Ended', minor: true, cell: ({ endTime }) => (endTime ? formatDateTime(endTime) : '') },
];

const codeWords = { DISCOVERY_STATUS: stateWords };

interface EditedFilter {
  /** Absent: a new one. */
  readonly place?: number;
}

function Tools({ search, error }: { readonly search: DiscoverySearch; readonly error: unknown }) {
  const { text = '', filters = [], page: _page, ...others } = search;
  const change = useSearchChange<DiscoverySearch>();
  const queries = useQueryClient();
  const [edited, edit] = useState<EditedFilter>();
  const setFilters = (next: NonNullable<DiscoverySearch['filters']>): void =>
    change({ filters: next.length === 0 ? undefined : next });
  return (
    <>
      <FilterButton onApproach={() => void queries.prefetchQuery(discoveryFieldsQuery)} onOpen={() => edit({})} />
      <SearchField
        label="Search discoveries"
        placeholder="Search by name"
        text={text}
        onSearch={(next) => change({ text: next === '' ? undefined : next })}
      />
      <FiltersInForce
        filters={filters}
        wordsOf={(filter) => wordsOfFilter('discoveries', filter, codeWords)}
        error={error}
        onChange={setFilters}
        onEdit={(place) => edit({ place })}
      />
      {edited && (
        <Filters
          place={edited.place}
          filters={filters}
          ask={(next) => queries.fetchQuery(discoveryListQuery({ ...others, ...(text && { text }), filters: next }))}
          onChange={setFilters}
          onClose={() => edit(undefined)}
        />
      )}
    </>
  );
}

function Filters(props: Omit<Parameters<typeof ListFilters>[0], 'fields' | 'codeWords'>) {
  return <ListFilters {...props} fields={useQuery(discoveryFieldsQuery)} codeWords={codeWords} />;
}

function NoDiscoveries({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return isFiltered ? (
    <Empty
      title="No discoveries found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      No discovery that you may see matches your search and filters.
    </Empty>
  ) : (
    <Empty title="No discoveries yet" action={<ActionButton action={newAction} />}>
      Start one to find certificates that nobody has registered here.
    </Empty>
  );
}
