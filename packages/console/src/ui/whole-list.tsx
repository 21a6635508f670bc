// A list that the platform answers as a whole: searched and paged here, with what stands in its place while there is none.
import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Empty, Failure, Loading } from './outcomes.tsx';
import { Paged } from './paged.tsx';
import { Panel } from './panel.tsx';
import { Table, type Column } from './table.tsx';
import classes from './whole-list.module.css';

/** Shorter lists are read faster than searched. */
const SEARCHED_FROM = 8;

export interface WholeListProps<Row> {
  readonly query: UseQueryResult<readonly Row[]>;
  /** Plural and in the middle of a sentence, e.g. `RA profiles`. */
  readonly what: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** What the search looks at. */
  readonly textOf: (row: Row) => string;
  /** Stands where there is nothing at all: what these things are for, and the first step. */
  readonly empty: ReactNode;
}

export function WholeList<Row>({ query, what, columns, keyOf, nameOf, textOf, empty }: WholeListProps<Row>) {
  const [text, setText] = useState('');
  const { data, error, refetch } = query;
  if (error && !data) {
    return (
      <Panel>
        <Failure error={error} retry={() => void refetch()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel>
        <Loading what={what} />
      </Panel>
    );
  }
  if (data.length === 0) return <Panel>{empty}</Panel>;
  const wanted = text.trim().toLowerCase();
  const rows = wanted === '' ? data : data.filter((row) => textOf(row).toLowerCase().includes(wanted));
  return (
    <Panel flush>
      {data.length >= SEARCHED_FROM && (
        <div className={classes.tools}>
          <TextInput
            type="search"
            className={classes.search}
            aria-label={`Search ${what}`}
            placeholder={`Search ${what}`}
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
      )}
      {rows.length === 0 ? (
        <Empty
          title="Nothing fits"
          action={
            <Button variant="default" onClick={() => setText('')}>
              Clear the search
            </Button>
          }
        />
      ) : (
        <Paged rows={rows}>
          {(shown) => <Table label={capitalized(what)} columns={columns} rows={shown} keyOf={keyOf} nameOf={nameOf} />}
        </Paged>
      )}
    </Panel>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
