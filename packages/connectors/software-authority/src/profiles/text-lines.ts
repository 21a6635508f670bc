// Lists in text fields: one entry per line; commas and semicolons separate as well.

/** Maximum number of entries in one field. */
const MAX_ENTRIES = 200;

export const splitEntries = (text: string | undefined): readonly string[] => split(text, /[\n\r,;]+/);

/** One entry per line; for entries that may contain commas, such as patterns. */
export const splitLines = (text: string | undefined): readonly string[] => split(text, /[\n\r]+/);

const split = (text: string | undefined, separator: RegExp): readonly string[] =>
  (text ?? '')
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .slice(0, MAX_ENTRIES);
