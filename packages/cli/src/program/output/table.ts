// Plain-text tables and lists of facts, with aligned columns. Color only emphasizes what the text already states.
import { styleText } from 'node:util';
import { printable, widthOf } from './printable.ts';

export type Tone = 'good' | 'warning' | 'bad';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly tone?: (row: Row) => Tone | undefined;
  /** The column is never truncated, because users copy its values. */
  readonly isWhole?: true;
  /** The column is omitted if the terminal is too narrow. */
  readonly isMinor?: true;
}

const STYLES = { good: 'green', warning: 'yellow', bad: 'red' } as const;

const GAP = '  ';

interface Cell {
  readonly text: string;
  readonly tone: Tone | undefined;
}

/**
 * Returns a heading and one line per row; the last column is not padded. On a narrow terminal, minor columns are
 * omitted first, then the widest ones are truncated with an ellipsis.
 */
export function renderTable<Row>(
  rows: readonly Row[],
  options: { readonly columns: readonly Column<Row>[]; readonly colour: boolean; readonly width?: number | undefined },
): string {
  const { colour, width = Infinity } = options;
  const measured = options.columns.map((column) => measure(column, rows));
  const columns = fitColumns(measured, width);
  const widths = columns.map(({ width: each }) => each);
  const cells = rows.map((_, place) =>
    columns.map((column): Cell => {
      const { text = '', tone } = column.cells[place] ?? {};
      return { text: cut(text, column.width), tone };
    }),
  );
  const pad = (text: string, index: number): string =>
    index === columns.length - 1 ? '' : ' '.repeat((widths[index] ?? 0) - widthOf(text));
  const heading = columns
    .map(({ title }, index) => paint(title, { style: 'bold', colour }) + pad(title, index))
    .join(GAP);
  const lines = cells.map((line) =>
    line.map((cell, index) => paintTone(cell, colour) + pad(cell.text, index)).join(GAP),
  );
  return [heading, ...lines].map((line) => line.trimEnd()).join('\n');
}

/** Minimum width of a truncated column; narrower columns would be useless. */
const MIN_WIDTH = 8;

interface MeasuredColumn {
  readonly title: string;
  readonly isMinor: boolean;
  readonly cells: readonly Cell[];
  readonly width: number;
  /** Minimum width. */
  readonly least: number;
}

function measure<Row>(column: Column<Row>, rows: readonly Row[]): MeasuredColumn {
  const { title, text, tone, isWhole, isMinor } = column;
  const cells = rows.map((row): Cell => ({ text: printable(text(row)), tone: tone?.(row) }));
  const width = Math.max(widthOf(title), ...cells.map((cell) => widthOf(cell.text)));
  const least = isWhole ? width : Math.min(width, Math.max(widthOf(title), MIN_WIDTH));
  return { title, isMinor: isMinor === true, cells, width, least };
}

const lineOf = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));

/** Omits minor columns, last one first, then shrinks the widest columns until the line fits. */
function fitColumns(measured: readonly MeasuredColumn[], width: number): readonly MeasuredColumn[] {
  const columns = [...measured];
  while (lineOf(columns.map(({ least }) => least)) > width) {
    const minor = columns.findLastIndex(({ isMinor }) => isMinor);
    if (minor < 0) break;
    columns.splice(minor, 1);
  }
  for (let over = lineOf(columns.map((each) => each.width)) - width; over > 0; over -= 1) {
    const spare = columns.map((each) => (each.width > each.least ? each.width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    const column = columns[widest];
    if (column === undefined || spare[widest] === 0) break;
    columns[widest] = { ...column, width: column.width - 1 };
  }
  return columns;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) >= width) break;
    kept += character;
  }
  return `${kept}…`;
}

export type Fact = readonly [name: string, text: string | undefined, tone?: Tone];

/** Returns one line per name and value; absent values are omitted. */
export function renderFacts(facts: readonly Fact[], options: { readonly colour: boolean }): string {
  const present = facts.filter(([, text]) => text !== undefined && text !== '');
  const width = Math.max(0, ...present.map(([name]) => widthOf(name)));
  return present
    .map(([name, text = '', tone]) => {
      const value = paintTone({ text: printable(text), tone }, options.colour);
      return `${name}${' '.repeat(width - widthOf(name))}${GAP}${value}`;
    })
    .join('\n');
}

const paintTone = ({ text, tone }: Cell, colour: boolean): string =>
  tone === undefined ? text : paint(text, { style: STYLES[tone], colour });

const paint = (text: string, { style, colour }: { style: 'bold' | 'green' | 'yellow' | 'red'; colour: boolean }) =>
  colour ? styleText(style, text, { validateStream: false }) : text;
