// All keys; the keys of a pair are separate rows. The URL holds the complete view state.
import { Button } from '@mantine/core';
import type { SavedView } from '@signetry/contract';
import { IconKey, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, type Action } from '../../kit/actions.tsx';
import { ActiveFilters } from '../../kit/filters/active-filters.tsx';
import { describeFilter } from '../../kit/filters/filter-text.ts';
import { FilterButton, ListFilters } from '../../kit/filters/list-filters.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import type { SearchChange } from '../../kit/use-list-search.ts';
import type { KeySearch } from '../../queries/key-search.ts';
import { keyListQuery, KEYS_PER_PAGE } from '../../queries/keys.ts';
import { keyFieldsQuery } from '../../queries/search-fields.ts';
import { ColumnChooser } from '../../ui/column-chooser.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useViewSearch } from '../saved-views/use-view-search.ts';
import { ViewsMenu } from '../saved-views/views-menu.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { choosableColumns, knownColumns, shownColumns, defaultColumns } from './list-columns.tsx';
import classes from './list.module.css';
import { stateTexts } from './state.tsx';
import { useItemSelection } from './use-item-selection.ts';
import { isViewChanged, savedSearchOf, searchOfView } from './views.ts';
import { typeTexts } from './texts.ts';

const newAction: Action = {
  label: 'New key',
  icon: IconKey,
  isPrimary: true,
  needs: ['keys', 'create'],
  to: paths.keys.new,
};

const importAction: Action = {
  label: 'Import key',
  icon: IconUpload,
  needs: [
    ['keys', 'create'],
    ['certificates', 'create'],
  ],
  dialog: ({ opened, onClose }) => opened && <ImportDialog onClose={onClose} />,
};

export function KeyListPage() {
  return (
    <Page
      title="Keys"
      description="Keys in tokens. A key pair is listed as two keys: a private key, which leaves its token only if it was created as exportable, and a public key."
      actions={
        <>
          <ActionButton action={importAction} />
          <ActionButton action={newAction} />
        </>
      }
      wide
    >
      <Keys />
    </Page>
  );
}

function Keys() {
  const { search, isReady, change, show } = useViewSearch<KeySearch>('keys', searchOfView);
  const keys = useQuery({ ...keyListQuery(search), enabled: isReady });
  const queries = useQueryClient();
  const selection = useItemSelection(search);
  const { text, filters = [], page = 1, columns } = search;
  const isFiltered = text !== undefined || filters.length > 0;
  return (
    <PagedList
      query={keys}
      what="keys"
      label="Keys"
      rowsOf={({ cryptographicKeys }) => cryptographicKeys}
      columns={shownColumns(columns)}
      nameOf={({ keyName, type }) => `${keyName}, ${typeTexts[type].toLowerCase()}`}
      selected={selection.keys}
      onSelect={(next) => selection.choose(next, keys.data?.cryptographicKeys ?? [])}
      page={page}
      size={KEYS_PER_PAGE}
      onPage={(next) => change({ page: next })}
      onApproach={(next) => void queries.prefetchQuery(keyListQuery({ ...search, page: next }))}
      tools={<Tools search={search} error={keys.error} onChange={change} onShow={show} />}
      selection={selection.chosen.length > 0 && <BulkActions selected={selection.chosen} onDone={selection.clear} />}
      empty={<NoKeys isFiltered={isFiltered} onClear={() => change({ text: undefined, filters: undefined })} />}
    />
  );
}

const codeWords = { CKI_STATE: stateTexts, CKI_TYPE: typeTexts };

interface EditedFilter {
  /** Index of the filter being edited; absent for a new filter. */
  readonly place?: number;
}

interface ToolsProps {
  readonly search: KeySearch;
  /** Error from the list request. */
  readonly error: unknown;
  readonly onChange: (change: SearchChange<KeySearch>) => void;
  readonly onShow: (view: SavedView | undefined) => void;
}

function Tools({ search, error, onChange, onShow }: ToolsProps) {
  const { text = '', filters = [], page, columns, view } = search;
  const queries = useQueryClient();
  const [edited, edit] = useState<EditedFilter>();
  const setFilters = (next: NonNullable<KeySearch['filters']>): void =>
    onChange({ filters: next.length === 0 ? undefined : next });
  return (
    <>
      <ViewsMenu
        resource="keys"
        everything="All keys"
        chosen={view}
        search={savedSearchOf(search)}
        isChanged={(each) => isViewChanged(each, search)}
        onShow={onShow}
      />
      <FilterButton onApproach={() => void queries.prefetchQuery(keyFieldsQuery)} onOpen={() => edit({})} />
      <SearchField
        label="Search keys"
        placeholder="Search by name"
        text={text}
        onSearch={(next) => onChange({ text: next === '' ? undefined : next })}
      />
      <div className={classes.columns}>
        <ColumnChooser
          columns={choosableColumns}
          shown={knownColumns(columns) ?? defaultColumns}
          isUsual={columns === undefined}
          onChange={(next) => onChange({ columns: next, page })}
        />
      </div>
      <ActiveFilters
        filters={filters}
        wordsOf={(filter) => describeFilter('keys', filter, codeWords)}
        error={error}
        onChange={setFilters}
        onEdit={(place) => edit({ place })}
      />
      {edited && (
        <Filters
          place={edited.place}
          filters={filters}
          ask={(next) => queries.fetchQuery(keyListQuery({ ...(text && { text }), filters: next }))}
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
      No key that you can see matches your search and filters.
    </Empty>
  ) : (
    <Empty title="No keys yet" action={<ActionButton action={newAction} />}>
      Create keys under a token profile of an activated token. Import existing keys of a token on its page.
    </Empty>
  );
}
