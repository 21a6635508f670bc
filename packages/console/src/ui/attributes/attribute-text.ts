// Values entered as text: numbers, dates, times and JSON. Pure.
import { contentItemSchemaOf, type AttributeContentType } from '@signetry/contract';

/** Parses non-blank text into a value, or returns an error. */
export function readText(
  contentType: AttributeContentType,
  text: string,
): { readonly data: unknown } | { readonly problem: string } {
  const data = valueOf(contentType, text);
  const fits = data !== undefined && contentItemSchemaOf(contentType).safeParse({ data }).success;
  return fits ? { data } : { problem: expected[contentType] ?? 'This value is not in the required format.' };
}

const expected: Partial<Record<AttributeContentType, string>> = {
  integer: 'Enter a whole number.',
  float: 'Enter a number.',
  date: 'Enter a date.',
  time: 'Enter a time.',
  datetime: 'Enter a date and time.',
  object: 'Enter valid JSON.',
};

function valueOf(contentType: AttributeContentType, text: string): unknown {
  const trimmed = text.trim();
  switch (contentType) {
    case 'integer':
      return /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : undefined;
    case 'float':
      // Many locales use a decimal comma.
      return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(trimmed)
        ? Number(trimmed.replace(',', '.'))
        : undefined;
    case 'time':
      return /^\d\d:\d\d$/.test(trimmed) ? `${trimmed}:00` : trimmed;
    case 'datetime':
      return instantOf(trimmed);
    case 'object':
      return parseJson(trimmed);
    case 'date':
      return trimmed;
    default:
      return text;
  }
}

/** Date and time inputs contain local time without an offset. */
function instantOf(text: string): string | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

export function localDateTime(instant: unknown): string {
  const ms = typeof instant === 'string' ? Date.parse(instant) : Number.NaN;
  if (Number.isNaN(ms)) return '';
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
