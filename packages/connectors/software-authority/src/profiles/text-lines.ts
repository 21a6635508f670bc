// Lists in text fields: one entry per line, or separated by commas or semicolons.

/** Maximum number of entries in one field. */
const MAX_ENTRIES = 200;

export const splitEntries = (text: string | undefined): readonly string[] => split(text, /[\n\r,;]+/);

/** Splits at line breaks only, for entries that can contain commas, such as patterns. */
export const splitLines = (text: string | undefined): readonly string[] => split(text, /[\n\r]+/);

const split = (text: string | undefined, separator: RegExp): readonly string[] =>
  (text ?? '')
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .slice(0, MAX_ENTRIES);
