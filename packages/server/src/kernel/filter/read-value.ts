// Converts received filter values to the field's type. A complaint is phrased to follow "the value".
import type { FilterField, Scalar, ValueType } from './field.ts';
import { isObject } from '../is-object.ts';

/** Maximum length of a text value. Longer texts are not search terms; names, DNs and fingerprints are much shorter. */
const MAX_TEXT_LENGTH = 2_000;

export interface Complaint {
  readonly complaint: string;
}

export const isComplaint = (value: unknown): value is Complaint => isObject(value) && 'complaint' in value;

const complain = (complaint: string): Complaint => ({ complaint });

type Reader = (value: unknown, field: FilterField) => Scalar | Complaint;

const readers: Readonly<Record<ValueType, Reader>> = {
  text: readText,
  number: readNumber,
  boolean: (value) =>
    value === true || value === 'true'
      ? true
      : value === false || value === 'false'
        ? false
        : complain('must be true or false'),
  date: (value) => readDate(value),
  time: (value) => readTime(value),
  datetime: (value, field) => readInstant(value, { offsetRequired: field.source === 'property' }),
};

export const readScalar = (value: unknown, field: FilterField): Scalar | Complaint =>
  readers[field.valueType](value, field);

/** Accepts numbers and booleans as text, since clients send the values of their forms unchanged. */
export function readText(value: unknown): string | Complaint {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return complain('must be a string');
  if (value.length > MAX_TEXT_LENGTH) return complain(`must not be longer than ${MAX_TEXT_LENGTH} characters`);
  if (value.includes('\0') || !value.isWellFormed())
    return complain('contains a NUL character or an unpaired surrogate');
  return value;
}

const NUMBER = /^[+-]?\d{1,30}(?:\.\d{1,30})?$/;

function readNumber(value: unknown): number | Complaint {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : complain('must be a number');
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?$/;

function readDate(value: unknown): string | Complaint {
  return typeof value === 'string' && DATE.test(value) && isCalendarDay(value)
    ? value
    : complain('must be a date in the format yyyy-MM-dd');
}

/** `Date.parse` rolls 30 February over into March, so the result is compared with the text. */
function isCalendarDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) && !text.startsWith('0000');
}

function readTime(value: unknown): string | Complaint {
  const match = typeof value === 'string' ? TIME.exec(value) : null;
  const [, hour = '', minute = '', second = '00'] = match ?? [];
  return match && isClockTime(hour, minute, second)
    ? `${hour}:${minute}:${second}`
    : complain('must be a time in the format HH:mm:ss');
}

const isClockTime = (hour: string, minute: string, second: string): boolean =>
  Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;

function readInstant(value: unknown, options: { readonly offsetRequired: boolean }): Date | Complaint {
  const form = complain(
    `must be a date and time in the format yyyy-MM-ddTHH:mm:ss.SSS${options.offsetRequired ? ' with an offset such as Z or +01:00' : ''}`,
  );
  const match = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (!match) return form;
  const [, day = '', clock = '', second = '00', fraction = '', offset] = match;
  if (!isCalendarDay(day) || !isClockTime(clock.slice(0, 2), clock.slice(3), second)) return form;
  if (offset === undefined && options.offsetRequired) return form;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = Date.parse(`${day}T${clock}:${second}.${milliseconds}${offset ?? 'Z'}`);
  return Number.isNaN(time) ? form : new Date(time);
}

/** Escapes that PostgreSQL and the rules engine interpret differently, or that only one of them supports. */
const FOREIGN_ESCAPE = /(?<!\\)(?:\\\\)*\\[QRGhHzXV]/;

/**
 * Checks only the size and the syntax that engines interpret differently; the engine that runs the regular expression
 * validates the rest.
 */
export function readPattern(value: unknown): string | Complaint {
  const text = readText(value);
  if (isComplaint(text)) return text;
  if (FOREIGN_ESCAPE.test(text)) return complain(String.raw`must not use the escapes \Q \R \G \h \H \z \X \V`);
  // `***=` and `***:` switch PostgreSQL to a different syntax.
  if (text.startsWith('***')) return complain('must not begin with ***');
  return text;
}
