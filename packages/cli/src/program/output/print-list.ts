// Lists as commands print them: a table on the standard output, and beside it what is not part of the table; with
// --json, all of what the platform answered.
import { printJson, type Context } from '../context.ts';
import { renderTable, type Column } from './table.ts';

export interface PrintedList<Row> {
  readonly json: boolean;
  readonly columns: readonly Column<Row>[];
  /** `tokens` */
  readonly what: string;
}

/** Everything there is. */
export function printAll<Row>(context: Context, rows: readonly Row[], { json, columns, what }: PrintedList<Row>): void {
  if (json) printJson(context, rows);
  else if (rows.length === 0) context.err(`No ${what}.`);
  else context.out(renderTable(rows, { columns, colour: context.colour, width: context.width }));
}

export interface PageAnswer {
  readonly totalItems: number;
  /** False when there are more. */
  readonly totalIsExact?: boolean;
  readonly pageNumber: number;
  readonly totalPages: number;
}

/** One page, and how many there are in all. */
export function printPage<Row>(
  context: Context,
  answer: PageAnswer,
  { rows, json, columns, what }: PrintedList<Row> & { readonly rows: readonly Row[] },
): void {
  if (json) return printJson(context, answer);
  if (rows.length > 0) context.out(renderTable(rows, { columns, colour: context.colour, width: context.width }));
  context.err(countOf(answer, what));
}

function countOf({ totalItems, totalIsExact = true, pageNumber, totalPages }: PageAnswer, what: string): string {
  if (totalItems === 0) return `No ${what}.`;
  const count = `${totalIsExact ? '' : 'At least '}${totalItems} ${totalItems === 1 ? singularOf(what) : what}`;
  return totalPages <= 1 ? `${count}.` : `${count}, page ${pageNumber} of ${totalPages}.`;
}

/** `certificate`, `entity` */
const singularOf = (plural: string): string =>
  plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.slice(0, -1);
