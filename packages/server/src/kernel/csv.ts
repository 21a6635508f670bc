// CSV fields and lines. Every text field is escaped here, so that a spreadsheet never evaluates the contents of a
// certificate or user agent as a formula.

/**
 * How a quotation mark in a quoted field is escaped: it is doubled (RFC 4180 §2), or preceded by a backslash, in which
 * case backslashes are escaped as well.
 */
export type CsvQuotes = 'doubled' | 'backslash';

const LINE_END = '\r\n';

export const csvLineOf = (fields: readonly string[]): string => fields.join(',') + LINE_END;

/**
 * Spreadsheets interpret a field that starts with one of these characters as a formula; a leading apostrophe turns it
 * into text.
 */
const FORMULA_START = /^[=+\-@\t\r]/;

const NEEDS_QUOTES: Readonly<Record<CsvQuotes, RegExp>> = {
  doubled: /[",\r\n]|^\s|\s$/,
  backslash: /[",\\\r\n]|^\s|\s$/,
};

/** Returns a text field; undefined, null and empty text yield an empty field. */
export function csvField(text: string | null | undefined, quotes: CsvQuotes): string {
  if (text === null || text === undefined || text === '') return '';
  const guarded = FORMULA_START.test(text) ? `'${text}` : text;
  if (!NEEDS_QUOTES[quotes].test(guarded)) return guarded;
  const escaped = quotes === 'doubled' ? guarded.replaceAll('"', '""') : guarded.replaceAll(/["\\]/g, String.raw`\$&`);
  return `"${escaped}"`;
}
