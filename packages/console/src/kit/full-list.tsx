// List that the platform returns as a whole; it is searched, sorted and paged in the browser. The URL holds the view
// state.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { capitalize } from '../format/names.ts';
import { Empty } from '../ui/outcomes.tsx';
import { PageFooter } from '../ui/page-footer.tsx';
import { Panel } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Table, type Column, type Sort } from '../ui/table.tsx';
import { arrangeRows, pageOf } from './arrange-rows.ts';
import classes from './list.module.css';
import { QueryView, type QueryLike } from './query-view.tsx';
import { useListSearch, useSearchChange } from './use-list-search.ts';

/** Shorter lists have no search field. */
const SEARCHED_FROM = 8;

/** Rows per page. Limits how many rows are rendered at a time, because lists can have thousands. */
const SIZE = 50;

export interface FullListColumn<Row> extends Omit<Column<Row>, 'sort'> {
  /** Returns the column's sort key; absent if the list cannot be sorted by this column. */
  readonly by?: (row: Row) => string | number;
}

export interface FullListProps<Row> {
  readonly query: QueryLike<readonly Row[]>;
  /** Plural, for use within a sentence, e.g. `RA profiles`. */
  readonly what: string;
  readonly columns: readonly FullListColumn<Row>[];
  readonly nameOf: (row: Row) => string;
  /** Returns the text to search. */
  readonly textOf: (row: Row) => string;
  /** Shown if there are no objects at all. Explains their purpose and the first step. */
  readonly empty: ReactNode;
  /** Shown above the rows, next to the search field. */
  readonly tools?: ReactNode;
}

export function FullList<Row extends { readonly uuid: string }>(props: FullListProps<Row>) {
  const { query, what, empty } = props;
  return (
    <QueryView of={query} what={what} empty={empty} inPanel>
      {(rows) => <Rows {...props} all={rows} />}
    </QueryView>
  );
}

function Rows<Row extends { readonly uuid: string }>(props: FullListProps<Row> & { readonly all: readonly Row[] }) {
  const { all, what, columns, nameOf, textOf, tools } = props;
  const search = useListSearch();
  const change = useSearchChange();
  const { text = '', sort, direction = 'asc' } = search;
  const by = columns.find(({ key }) => key === sort)?.by;
  const rows = arrangeRows(all, { text, textOf, by, direction });
  const { shown, page, pages } = pageOf(rows, { wanted: search.page, size: SIZE });
  const isSearched = all.length >= SEARCHED_FROM || text !== '';
  return (
    <Panel flush>
      {(isSearched || tools) && (
        <div className={classes.tools}>
          {isSearched && (
            <SearchField
              label={`Search ${what}`}
              placeholder={`Search ${what}`}
              text={text}
              onSearch={(next) => change({ text: next })}
            />
          )}
          {tools}
        </div>
      )}
      {rows.length === 0 ? (
        <NothingFound onClear={() => change({ text: undefined })} />
      ) : (
        <Table
          label={capitalize(what)}
          columns={columns.map(({ by: sortable, ...column }) => ({ ...column, ...(sortable && { sort: column.key }) }))}
          rows={shown}
          keyOf={({ uuid }) => uuid}
          nameOf={nameOf}
          sort={sort === undefined ? undefined : { field: sort, direction }}
          onSort={({ field, direction: next }: Sort) => change({ sort: field, direction: next })}
        />
      )}
      {pages > 1 && (
        <PageFooter
          page={page}
          size={SIZE}
          totalItems={rows.length}
          totalPages={pages}
          onPage={(next) => change({ page: next })}
        />
      )}
    </Panel>
  );
}

function NothingFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty
      title="Nothing found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    />
  );
}
