// Fields and lines of CSV files. Every text field is guarded here, so that a spreadsheet never runs what a certificate
// or a user agent contains as a formula.

/**
 * How a quote inside a quoted field is written: doubled (RFC 4180 §2), or behind a backslash, which then is escaped
 * too.
 */
export type CsvQuotes = 'doubled' | 'backslash';

const LINE_END = '\r\n';

export const csvLineOf = (fields: readonly string[]): string => fields.join(',') + LINE_END;

/** Spreadsheets take a field that starts like this as a formula; an apostrophe before it makes it text. */
const FORMULA_START = /^[=+\-@\t\r]/;

const NEEDS_QUOTES: Readonly<Record<CsvQuotes, RegExp>> = {
  doubled: /[",\r\n]|^\s|\s$/,
  backslash: /[",\\\r\n]|^\s|\s$/,
};

/** A field of text; absent and empty text are empty fields. */
export function csvField(text: string | null | undefined, quotes: CsvQuotes): string {
  if (text === null || text === undefined || text === '') return '';
  const guarded = FORMULA_START.test(text) ? `'${text}` : text;
  if (!NEEDS_QUOTES[quotes].test(guarded)) return guarded;
  const escaped = quotes === 'doubled' ? guarded.replaceAll('"', '""') : guarded.replaceAll(/["\\]/g, String.raw`\$&`);
  return `"${escaped}"`;
}
