// Prints lists: a table on standard output, and the number of results on standard error. With `--json`, prints the
// complete response instead.
import { printJson, type Context } from '../context.ts';
import { renderTable, type Column } from './table.ts';

export interface PrintedList<Row> {
  readonly json: boolean;
  readonly columns: readonly Column<Row>[];
  /** Plural noun for the listed items, e.g. `tokens`. */
  readonly what: string;
}

/** Prints all rows. */
export function printAll<Row>(context: Context, rows: readonly Row[], { json, columns, what }: PrintedList<Row>): void {
  if (json) printJson(context, rows);
  else if (rows.length === 0) context.err(`No ${what}.`);
  else context.out(renderTable(rows, { columns, colour: context.colour, width: context.width }));
}

export interface PageResponse {
  readonly totalItems: number;
  /** False if there are more items than the total states. */
  readonly totalIsExact?: boolean;
  readonly pageNumber: number;
  readonly totalPages: number;
}

/** Prints one page, and the total number of items. */
export function printPage<Row>(
  context: Context,
  answer: PageResponse,
  { rows, json, columns, what }: PrintedList<Row> & { readonly rows: readonly Row[] },
): void {
  if (json) return printJson(context, answer);
  if (rows.length > 0) context.out(renderTable(rows, { columns, colour: context.colour, width: context.width }));
  context.err(countOf(answer, what));
}

function countOf({ totalItems, totalIsExact = true, pageNumber, totalPages }: PageResponse, what: string): string {
  if (totalItems === 0) return `No ${what}.`;
  const count = `${totalIsExact ? '' : 'At least '}${totalItems} ${totalItems === 1 ? singularOf(what) : what}`;
  return totalPages <= 1 ? `${count}.` : `${count}, page ${pageNumber} of ${totalPages}.`;
}

/** Returns the singular: `certificate`, `entity`. */
const singularOf = (plural: string): string =>
  plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.slice(0, -1);
