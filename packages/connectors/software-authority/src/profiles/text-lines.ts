// Lists in text fields: one entry on each line; commas and semicolons separate as well.

/** Most entries of one field. */
const MAX_ENTRIES = 200;

export const splitEntries = (text: string | undefined): readonly string[] => split(text, /[\n\r,;]+/);

/** One entry on each line; for entries that may hold commas, such as patterns. */
export const splitLines = (text: string | undefined): readonly string[] => split(text, /[\n\r]+/);

const split = (text: string | undefined, separator: RegExp): readonly string[] =>
  (text ?? '')
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .slice(0, MAX_ENTRIES);
