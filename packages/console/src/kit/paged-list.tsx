// List paged by the platform. The URL holds the view state.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Empty } from '../ui/outcomes.tsx';
import { PageFooter } from '../ui/page-footer.tsx';
import { Panel } from '../ui/panel.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { Table, type TableProps } from '../ui/table.tsx';
import classes from './list.module.css';
import { QueryView, type QueryLike } from './query-view.tsx';

export interface Paging {
  readonly totalItems: number;
  readonly totalPages: number;
  /** False if the platform stopped counting early. */
  readonly totalIsExact?: boolean;
}

export interface PagedListProps<Row, Answer extends Paging> extends Omit<TableProps<Row>, 'rows' | 'stale' | 'keyOf'> {
  readonly query: QueryLike<Answer> & { readonly isPlaceholderData: boolean };
  /** Plural, for use within a sentence, e.g. `orders`. */
  readonly what: string;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly page: number;
  readonly size: number;
  readonly onPage: (page: number) => void;
  /** Called when the user is about to open a page, so that it can be prefetched. */
  readonly onApproach?: (page: number) => void;
  /** Search fields and filters, shown above the rows. */
  readonly tools?: ReactNode;
  /** Actions for the selected rows, shown below the tools. */
  readonly selection?: ReactNode;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  /** Shown in the footer, before the page links. */
  readonly footTools?: ReactNode;
}

export function PagedList<Row extends { readonly uuid: string }, Answer extends Paging>(
  props: PagedListProps<Row, Answer>,
) {
  const { query, what, rowsOf, page, size, onPage, onApproach, tools, selection, empty, footTools, ...table } = props;
  return (
    <Panel flush>
      {tools && <div className={classes.tools}>{tools}</div>}
      {selection}
      <QueryView
        of={query}
        what={what}
        skeleton={<TableSkeleton what={what} columns={table.columns.length} rows={size} />}
      >
        {(answer) =>
          answer.totalItems === 0 ? (
            empty
          ) : rowsOf(answer).length === 0 ? (
            <Empty
              title="This page is beyond the end of the list"
              action={
                <Button variant="default" onClick={() => onPage(1)}>
                  Go to the first page
                </Button>
              }
            />
          ) : (
            <>
              <Table {...table} rows={rowsOf(answer)} keyOf={({ uuid }) => uuid} stale={query.isPlaceholderData} />
              <PageFooter
                page={page}
                size={size}
                totalItems={answer.totalItems}
                totalPages={answer.totalPages}
                isAtLeast={answer.totalIsExact === false}
                onPage={onPage}
                onApproach={onApproach}
              >
                {footTools}
              </PageFooter>
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}
