// A page of a list as a table with a sticky header and selectable rows. Sorting, filtering and paging are done
// elsewhere. The first cell contains a real link, so the keyboard and "open in a new tab" work.
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { memo, useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import { focusOpenedRow } from './row-return.ts';
import classes from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Name of the sort field; absent if the list cannot be sorted by it. */
  readonly sort?: string;
  readonly align?: 'right';
  /** Hidden on narrow screens. */
  readonly minor?: boolean;
  /** Shown only on very wide screens. */
  readonly spare?: boolean;
  /** On phones, which show no column headers, the title is shown next to the value. */
  readonly titled?: boolean;
  /** Grid track of the column in a long list; defaults to an equal share. */
  readonly width?: string;
}

export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

export interface TableProps<Row> {
  /** Accessible name, e.g. "Certificates". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Checkbox in the header; specified if the list has more rows than this page shows. */
  readonly selectAll?: { readonly label: string; readonly run: () => unknown };
  /** Whether newer rows are being loaded. */
  readonly stale?: boolean;
}

/**
 * From this number of rows on, column widths do not depend on their content, and rows out of view are neither laid out
 * nor painted. They remain in the document for the keyboard, screen readers and Ctrl+F.
 */
const LONG = 100;

/** Number of rows in a long list that are rendered together when scrolled into view. */
const BLOCK = 25;

function blocksOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  if (rows.length <= LONG) return [rows];
  return Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, place) =>
    rows.slice(place * BLOCK, (place + 1) * BLOCK),
  );
}

const marksOf = ({ align, minor, spare }: Pick<Column<unknown>, 'align' | 'minor' | 'spare'>) => ({
  'data-align': align,
  'data-minor': minor || undefined,
  'data-spare': spare || undefined,
});

function tracksOf<Row>(columns: readonly Column<Row>[], chosen: boolean): CSSProperties {
  const tracks = (shown: readonly Column<Row>[]): string =>
    [...(chosen ? ['min(3.25rem, 10vw)'] : []), ...shown.map(({ width = 'minmax(0, 1fr)' }) => width)].join(' ');
  return {
    '--tracks-wide': tracks(columns),
    '--tracks': tracks(columns.filter(({ spare }) => !spare)),
    '--tracks-narrow': tracks(columns.filter(({ minor }) => !minor)),
  } as CSSProperties; // React's CSSProperties type does not include custom properties.
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, nameOf, selected, onSelect, selectAll, stale = false } = props;
  const toggle = useStableCallback((key: string) => onSelect?.(toggleKey(selected ?? new Set(), key)));
  const router = useRouter();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const entry = router.state.location.state.__TSR_key;
    // Runs after the scroll position is restored.
    const later = requestAnimationFrame(() => frame.current && focusOpenedRow(entry, frame.current));
    return () => cancelAnimationFrame(later);
  }, [router]);
  useEffect(() => (frame.current ? watchWidth(frame.current) : undefined), []);
  return (
    <div ref={frame} className={classes.scroll} data-stale={stale || undefined}>
      {/* The roles are explicit because long lists use grid layout, which removes a table's implicit roles. */}
      <table
        role="table"
        aria-label={label}
        className={classes.table}
        aria-busy={stale}
        {...(rows.length > LONG && { 'data-long': true, style: tracksOf(columns, selected !== undefined) })}
      >
        <thead role="rowgroup">
          <tr role="row">
            {onSelect && selected && <SelectAll {...{ rows, keyOf, selected, onSelect, selectAll }} />}
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        {blocksOf(rows).map((block, place) => (
          // oxlint-disable-next-line no-array-index-key -- a block is its place; rows have keys of their own
          <tbody role="rowgroup" key={place}>
            {block.map((row) => {
              const key = keyOf(row);
              return (
                <LightRow
                  key={key}
                  id={key}
                  name={nameOf(row)}
                  row={row}
                  columns={columns as readonly Column<unknown>[]} // The columns match the row type.
                  isSelected={selected?.has(key)}
                  onToggle={toggle}
                />
              );
            })}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** Marks the frame while the table fits within its width. */
function watchWidth(frame: HTMLDivElement): (() => void) | undefined {
  if (!frame.firstElementChild) return undefined;
  const observer = new ResizeObserver(() => frame.toggleAttribute('data-fits', frame.scrollWidth <= frame.clientWidth));
  observer.observe(frame);
  observer.observe(frame.firstElementChild);
  return () => observer.disconnect();
}

interface RowProps {
  readonly id: string;
  readonly name: string;
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
  /** Undefined if rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onToggle: (key: string) => void;
}

/**
 * Uses plain elements and is rendered again only if the row changed: there can be a thousand rows, of which the user
 * selects one at a time.
 */
const LightRow = memo(
  function LightRow({ id, name, row, columns, isSelected, onToggle }: RowProps) {
    return (
      <tr role="row" data-selected={isSelected || undefined}>
        {isSelected !== undefined && (
          <td role="cell" className={classes.choose}>
            <input
              type="checkbox"
              className={classes.box}
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={() => onToggle(id)}
            />
          </td>
        )}
        {columns.map(({ key, title, cell, titled, ...column }) => (
          <td role="cell" key={key} {...marksOf(column)} data-title={titled ? title : undefined}>
            {cell(row)}
          </td>
        ))}
      </tr>
    );
  },
  ({ columns: before, ...was }, { columns, ...is }) =>
    was.row === is.row &&
    was.isSelected === is.isSelected &&
    was.name === is.name &&
    before.length === columns.length &&
    before.every((column, place) => column === columns[place]),
);

/** Returns a function that is stable across renders and calls the latest action. */
function useStableCallback(action: (key: string) => void): (key: string) => void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  const stable = useRef((key: string) => latest.current(key));
  return stable.current;
}

function toggleKey(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

function SelectAll<Row>(props: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly selectAll: TableProps<Row>['selectAll'];
}) {
  const { rows, keyOf, selected, onSelect, selectAll } = props;
  const all = rows.length > 0 && rows.every((row) => selected.has(keyOf(row)));
  const some = rows.some((row) => selected.has(keyOf(row)));
  return (
    <th role="columnheader" className={classes.choose}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={selectAll?.label ?? 'Select all'}
        title={selectAll?.label}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = some && !all;
        }}
        onChange={() => {
          onSelect(all ? new Set() : new Set(rows.map(keyOf)));
          if (!all) selectAll?.run();
        }}
      />
    </th>
  );
}

function Heading<Row>(props: {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}) {
  const { column, sort, onSort } = props;
  const { title, sort: field } = column;
  if (field === undefined || !onSort) {
    return (
      <th role="columnheader" {...marksOf(column)}>
        {title}
      </th>
    );
  }
  const direction = sort?.field === field ? sort.direction : undefined;
  const Icon = direction === 'asc' ? IconArrowUp : direction === 'desc' ? IconArrowDown : IconArrowsSort;
  return (
    <th
      role="columnheader"
      {...marksOf(column)}
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
    </th>
  );
}
