// Facts of events as text. Whoever requests a certificate chooses its subject, so nothing in it may begin a line, a
// header or a direction of writing.
import { isObject } from '../../is-object.ts';

/** Longest fact that a message tells; the rest is in the platform. */
const MAX_FACT = 500;
/** Line and paragraph separators, and what turns the direction of the text behind it. */
const UNWANTED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]+/gu;

/** One line without control characters, bounded. */
export function plainText(text: string, max = MAX_FACT): string {
  const line = text.replaceAll(UNWANTED, ' ').replaceAll(/ {2,}/g, ' ').trim();
  const characters = Array.from(line.slice(0, 2 * max));
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** A fact of an event; empty where there is none, or none of one line. */
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

/** `1 December 2026, 10:00 UTC`; other text stays. */
function timeText(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  const clock = time.toISOString().slice(11, 16);
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`;
}
