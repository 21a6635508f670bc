// All keys: the halves of a pair stand each for itself. The URL holds everything that decides what is shown.
import { Button } from '@mantine/core';
import type { KeyItemDto } from '@signetry/contract';
import { IconKey } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { FiltersInForce } from '../../kit/filters/filters-in-force.tsx';
import { wordsOfFilter } from '../../kit/filters/filter-words.ts';
import { FilterButton, ListFilters } from '../../kit/filters/list-filters.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useSearchChange } from '../../kit/use-list-search.ts';
import type { KeySearch } from '../../queries/key-search.ts';
import { keyListQuery, KEYS_PER_PAGE } from '../../queries/keys.ts';
import { keyFieldsQuery } from '../../queries/search-fields.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import type { Column } from '../../ui/table.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ItemState, stateWords } from './state.tsx';
import { useItemSelection } from './use-item-selection.ts';
import { typeWords, wordsOfAlgorithm } from './words.ts';

const newAction: Action = {
  label: 'New key',
  icon: IconKey,
  isPrimary: true,
  needs: ['keys', 'create'],
  to: paths.keys.new,
};

export function KeyListPage() {
  return (
    <Page
      title="Keys"
      description="Keys in tokens. A key pair is two of them: a private key, which never leaves its token, and a public key."
      actions={<ActionButton action={newAction} />}
      wide
    >
      <Keys />
    </Page>
  );
}

function Keys() {
  const search: KeySearch = useSearch({ strict: false });
  const change = useSearchChange<KeySearch>();
  const keys = useQuery(keyListQuery(search));
  const queries = useQueryClient();
  const selection = useItemSelection(search);
  const { text, filters = [], page = 1 } = search;
  const isFiltered = text !== undefined || filters.length > 0;
  return (
    <PagedList
      query={keys}
      what="keys"
      label="Keys"
      rowsOf={({ cryptographicKeys }) => cryptographicKeys}
      columns={columns}
      nameOf={({ name, type }) => `${name}, ${typeWords[type].toLowerCase()}`}
      selected={selection.keys}
      onSelect={(next) => selection.choose(next, keys.data?.cryptographicKeys ?? [])}
      page={page}
      size={KEYS_PER_PAGE}
      onPage={(next) => change({ page: next })}
      onApproach={(next) => void queries.prefetchQuery(keyListQuery({ ...search, page: next }))}
      tools={<Tools search={search} error={keys.error} />}
      selection={selection.chosen.length > 0 && <BulkActions selected={selection.chosen} onDone={selection.clear} />}
      empty={<NoKeys isFiltered={isFiltered} onClear={() => change({ text: undefined, filters: undefined })} />}
    />
  );
}

const columns: readonly Column<KeyItemDto>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ keyWrapperUuid, name, description }) => (
      <ObjectLink to={paths.keys.one(keyWrapperUuid)} name={name} detail={description} />
    ),
  },
  { key: 'state', title: 'State', cell: (item) => <ItemState item={item} /> },
  { key: 'type', title: 'Type', cell: ({ type }) => typeWords[type] },
  { key: 'algorithm', title: 'Algorithm', minor: true, cell: wordsOfAlgorithm },
  { key: 'profile', title: 'Token profile', minor: true, cell: ({ tokenProfileName }) => tokenProfileName ?? 'none' },
  { key: 'token', title: 'Token', minor: true, cell: ({ tokenInstanceName }) => tokenInstanceName ?? 'removed' },
  { key: 'owner', title: 'Owner', minor: true, spare: true, cell: ({ owner }) => owner ?? '' },
  {
    key: 'groups',
    title: 'Groups',
    minor: true,
    spare: true,
    cell: ({ groups }) => groups?.map(({ name }) => name).join(', ') ?? '',
  },
  {
    key: 'associations',
    title: 'Used by',
    minor: true,
    spare: true,
    cell: ({ associations }) => (associations === 0 ? '' : associations),
  },
];

const codeWords = { CKI_STATE: stateWords, CKI_TYPE: typeWords };

interface EditedFilter {
  /** Absent: a new one. */
  readonly place?: number;
}

function Tools({ search, error }: { readonly search: KeySearch; readonly error: unknown }) {
  const { text = '', filters = [], page: _page, ...others } = search;
  const change = useSearchChange<KeySearch>();
  const queries = useQueryClient();
  const [edited, edit] = useState<EditedFilter>();
  const setFilters = (next: NonNullable<KeySearch['filters']>): void =>
    change({ filters: next.length === 0 ? undefined : next });
  return (
    <>
      <FilterButton onApproach={() => void queries.prefetchQuery(keyFieldsQuery)} onOpen={() => edit({})} />
      <SearchField
        label="Search keys"
        placeholder="Search by name"
        text={text}
        onSearch={(next) => change({ text: next === '' ? undefined : next })}
      />
      <FiltersInForce
        filters={filters}
        wordsOf={(filter) => wordsOfFilter('keys', filter, codeWords)}
        error={error}
        onChange={setFilters}
        onEdit={(place) => edit({ place })}
      />
      {edited && (
        <Filters
          place={edited.place}
          filters={filters}
          ask={(next) => queries.fetchQuery(keyListQuery({ ...others, ...(text && { text }), filters: next }))}
          onChange={setFilters}
          onClose={() => edit(undefined)}
        />
      )}
    </>
  );
}

function Filters(props: Omit<Parameters<typeof ListFilters>[0], 'fields' | 'codeWords'>) {
  return <ListFilters {...props} fields={useQuery(keyFieldsQuery)} codeWords={codeWords} />;
}

function NoKeys({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return isFiltered ? (
    <Empty
      title="No keys found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      No key that you may see matches your search and filters.
    </Empty>
  ) : (
    <Empty title="No keys yet" action={<ActionButton action={newAction} />}>
      Keys are created under a token profile, in a token that is activated. Keys that a token holds already are taken
      over on its page.
    </Empty>
  );
}
