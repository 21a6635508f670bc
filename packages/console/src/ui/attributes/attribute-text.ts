// Values that are typed as text: numbers, dates and times, JSON. Pure.
import { contentItemSchemas, type AttributeContentType } from '@signetry/contract';

/** The value of a text, or what is wrong with it. The text is not blank. */
export function readText(
  contentType: AttributeContentType,
  text: string,
): { readonly data: unknown } | { readonly problem: string } {
  const data = valueOf(contentType, text);
  const fits = data !== undefined && contentItemSchemas[contentType].safeParse({ data }).success;
  return fits ? { data } : { problem: expected[contentType] ?? 'This value cannot be read.' };
}

const expected: Partial<Record<AttributeContentType, string>> = {
  integer: 'Enter a whole number.',
  float: 'Enter a number.',
  date: 'Enter a date.',
  time: 'Enter a time.',
  datetime: 'Enter a date and a time.',
  object: 'Enter valid JSON.',
};

function valueOf(contentType: AttributeContentType, text: string): unknown {
  const trimmed = text.trim();
  switch (contentType) {
    case 'integer':
      return /^[+-]?\d+$/.test(trimmed) ? Number(trimmed) : undefined;
    case 'float':
      // Many countries write a decimal comma.
      return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(trimmed)
        ? Number(trimmed.replace(',', '.'))
        : undefined;
    case 'time':
      return /^\d\d:\d\d$/.test(trimmed) ? `${trimmed}:00` : trimmed;
    case 'datetime':
      return instantOf(trimmed);
    case 'object':
      return parsed(trimmed);
    case 'date':
      return trimmed;
    default:
      return text;
  }
}

/** Fields for date and time hold local time without an offset. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
