// Event facts as text. Requesters choose certificate subjects, so no fact may start a new line or header, or change the
// text direction.
import { isObject } from '../../is-object.ts';

/** Maximum length of a fact in a message; the platform shows the full text. */
const MAX_FACT = 500;
/**
 * Control characters, line and paragraph separators, and characters that change the direction of the following text.
 */
const UNWANTED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]+/gu;

/** Returns the text as one line of limited length, without control characters. */
export function plainText(text: string, max = MAX_FACT): string {
  const line = text.replaceAll(UNWANTED, ' ').replaceAll(/ {2,}/g, ' ').trim();
  const characters = Array.from(line.slice(0, 2 * max));
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** Returns an event fact as one line of text; empty if it is absent or not representable. */
export function factText(value: unknown): string {
  if (typeof value === 'string') return plainText(TIME.test(value) ? timeText(value) : value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return plainText(
      value
        .map(factText)
        .filter((text) => text !== '')
        .join(', '),
    );
  return isObject(value) && typeof value['name'] === 'string' ? plainText(value['name']) : '';
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Formats a time as `1 December 2026, 10:00 UTC`; returns other text unchanged. */
function timeText(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  const clock = time.toISOString().slice(11, 16);
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`;
}
