// Flag values other than plain text. Each error names the flag and its expected form.
import { usageError } from '../failures.ts';

/** Parses a whole number within bounds. */
export function parseWholeNumber(flag: string, given: { text: string; min: number; max: number }): number {
  const { text, min, max } = given;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw usageError(`${flag} must be a whole number from ${min} to ${max}, not "${text}".`);
}

/** Validates an http or https base URL and removes trailing slashes. */
export function parseHttpUrl(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!isPlain) throw usageError(`${flag} must be an http or https URL such as http://pki.example, not "${text}".`);
  return text.replace(/\/+$/, '');
}

const HOUR_MS = 3_600_000;

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
};

/** Converts `90d`, `12h`, `30m`, `4w` or `1y` to milliseconds. */
export function parseDurationMs(flag: string, text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhdwy])$/.exec(text) ?? [];
  const length = UNIT_MS[unit];
  if (length === undefined)
    throw usageError(`${flag} must be a duration such as 90d, 12h, 30m, 4w or 1y, not "${text}".`);
  return Number(count) * length;
}

/** Parses a UTC timestamp as written by the platform, e.g. 2026-11-22T05:00:00.000Z. */
export function parseInstant(flag: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw usageError(`${flag} must be a timestamp such as 2026-11-22T05:00:00.000Z, not "${text}".`);
  return new Date(time);
}
