// Lists of objects as a table. Sorting, filtering and paging are the server's; this shows a page of it, keeps the header in sight,
// and lets rows be chosen. A row leads to its object by the link in its first cell, so the keyboard and "open in a new tab" work.
import { Checkbox, Table as MantineTable } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Name of the sort field; absent where the list cannot be sorted by it. */
  readonly sort?: string;
  readonly align?: 'right';
  /** Narrow screens leave it out. */
  readonly minor?: boolean;
}

export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface TableProps<Row> {
  /** Read aloud, e.g. "Certificates". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Shown while newer rows are on their way. */
  readonly stale?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, nameOf, selected, onSelect, stale = false } = props;
  return (
    <div className={classes.scroll} data-stale={stale || undefined}>
      <MantineTable aria-label={label} className={classes.table} aria-busy={stale}>
        <MantineTable.Thead>
          <MantineTable.Tr>
            {onSelect && selected && <SelectAll {...{ rows, keyOf, selected, onSelect }} />}
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            const isSelected = selected?.has(key) ?? false;
            return (
              <MantineTable.Tr key={key} data-selected={isSelected || undefined}>
                {onSelect && selected && (
                  <MantineTable.Td className={classes.choose}>
                    <Checkbox
                      size="xs"
                      aria-label={`Select ${nameOf(row)}`}
                      checked={isSelected}
                      onChange={() => onSelect(toggled(selected, key))}
                    />
                  </MantineTable.Td>
                )}
                {columns.map(({ key: name, cell, align, minor }) => (
                  <MantineTable.Td key={name} ta={align} data-minor={minor || undefined}>
                    {cell(row)}
                  </MantineTable.Td>
                ))}
              </MantineTable.Tr>
            );
          })}
        </MantineTable.Tbody>
      </MantineTable>
    </div>
  );
}

function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

function SelectAll<Row>(props: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const { rows, keyOf, selected, onSelect } = props;
  const all = rows.length > 0 && rows.every((row) => selected.has(keyOf(row)));
  const some = rows.some((row) => selected.has(keyOf(row)));
  return (
    <MantineTable.Th className={classes.choose}>
      <Checkbox
        size="xs"
        aria-label="Select all on this page"
        checked={all}
        indeterminate={some && !all}
        onChange={() => onSelect(all ? new Set() : new Set(rows.map(keyOf)))}
      />
    </MantineTable.Th>
  );
}

function Heading<Row>(props: {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}) {
  const { column, sort, onSort } = props;
  const { title, sort: field, align, minor } = column;
  if (field === undefined || !onSort) {
    return (
      <MantineTable.Th ta={align} data-minor={minor || undefined}>
        {title}
      </MantineTable.Th>
    );
  }
  const direction = sort?.field === field ? sort.direction : undefined;
  const Icon = direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort;
  return (
    <MantineTable.Th
      ta={align}
      data-minor={minor || undefined}
      aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
    >
      <button
        type="button"
        className={classes.sort}
        data-active={direction !== undefined || undefined}
        onClick={() => onSort({ field, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {title}
        <Icon size={13} aria-hidden="true" />
      </button>
    </MantineTable.Th>
  );
}
