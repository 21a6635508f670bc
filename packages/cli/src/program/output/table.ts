// Aligned plain tables and lists of facts. Color only emphasizes what the text says.
import { styleText } from 'node:util';
import { printable, widthOf } from './printable.ts';

export type Tone = 'good' | 'warning' | 'bad';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly tone?: (row: Row) => Tone | undefined;
}

const STYLES = { good: 'green', warning: 'yellow', bad: 'red' } as const;

const GAP = '  ';

interface Cell {
  readonly text: string;
  readonly tone: Tone | undefined;
}

/** A heading and a line per row; the last column is not padded. */
export function renderTable<Row>(
  rows: readonly Row[],
  options: { readonly columns: readonly Column<Row>[]; readonly colour: boolean },
): string {
  const { columns, colour } = options;
  const cells = rows.map((row) =>
    columns.map((column): Cell => ({ text: printable(column.text(row)), tone: column.tone?.(row) })),
  );
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(line[index]?.text ?? ''))),
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

export type Fact = readonly [name: string, text: string | undefined, tone?: Tone];

/** Names and values below each other; absent values are left out. */
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
