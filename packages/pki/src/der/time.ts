// UTCTime and GeneralizedTime in the only forms that DER and RFC 5280 §4.1.2.5 allow: with seconds, without fractions,
// in UTC (Z). Times are milliseconds since 1970, UTC. Uses arithmetic only, no Date objects.
import { DerError, PkiError } from '../errors.ts';
import { TAG } from './tags.ts';

const DAY_MS = 86_400_000;
/** First instant that requires GeneralizedTime (RFC 5280 §4.1.2.5: UTCTime through the year 2049). */
const YEAR_2050_MS = Date.UTC(2050, 0, 1);
const YEAR_1950_MS = Date.UTC(1950, 0, 1);
const YEAR_10000_MS = Date.UTC(10000, 0, 1);
const YEAR_0_MS = -62_167_219_200_000;

interface TimeElement {
  readonly tag: number;
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

export function readTime(source: Uint8Array, element: TimeElement): number {
  const { tag, content, end, start } = element;
  const short = tag === TAG.utcTime;
  if (!short && tag !== TAG.generalizedTime) throw new DerError('unexpected-tag', start);
  if (end - content !== (short ? 13 : 15) || source[end - 1] !== 0x5a) throw new DerError('bad-time', start);
  let at = content;
  const readTwoDigits = (): number => {
    const tens = (source[at] as number) - 0x30; // `at` stays below `end`: the length was checked.
    const ones = (source[at + 1] as number) - 0x30;
    at += 2;
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) throw new DerError('bad-time', start);
    return tens * 10 + ones;
  };
  let year = readTwoDigits();
  // RFC 5280 §4.1.2.5.1: two-digit years from 50 onward are in the 20th century.
  if (short) year += year < 50 ? 2000 : 1900;
  else year = year * 100 + readTwoDigits();
  const month = readTwoDigits();
  const day = readTwoDigits();
  const hour = readTwoDigits();
  const minute = readTwoDigits();
  const second = readTwoDigits();
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) throw new DerError('bad-time', start);
  if (hour > 23 || minute > 59 || second > 59) throw new DerError('bad-time', start);
  return daysSince1970(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
}

/**
 * Returns the content octets and tag of a time. Milliseconds are truncated. `generalized` forces GeneralizedTime, as
 * OCSP requires.
 */
export function encodeTime(epochMs: number, generalized: boolean): { tag: number; content: Uint8Array } {
  if (!(epochMs >= YEAR_0_MS && epochMs < YEAR_10000_MS)) {
    throw new PkiError('bad-argument', 'A time must be in milliseconds, between the years 0 and 9999.');
  }
  const short = !generalized && epochMs >= YEAR_1950_MS && epochMs < YEAR_2050_MS;
  const days = Math.floor(epochMs / DAY_MS);
  const seconds = Math.floor((epochMs - days * DAY_MS) / 1000);
  const { year, month, day } = civilDate(days);
  const content = new Uint8Array(short ? 13 : 15);
  let at = 0;
  const put = (value: number): void => {
    content[at++] = 0x30 + Math.floor(value / 10);
    content[at++] = 0x30 + (value % 10);
  };
  if (!short) put(Math.floor(year / 100));
  put(year % 100);
  put(month);
  put(day);
  put(Math.floor(seconds / 3600));
  put(Math.floor(seconds / 60) % 60);
  put(seconds % 60);
  content[at] = 0x5a;
  return { tag: short ? TAG.utcTime : TAG.generalizedTime, content };
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

function daysInMonth(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (MONTH_DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
}

/**
 * Returns the days since 1970-01-01 in the proleptic Gregorian calendar. Years start in March and are grouped into eras
 * of 400 years.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Inverse of `daysSince1970`. */
function civilDate(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 };
}
