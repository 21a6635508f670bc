// Content items by content type: whether an item is well formed, and the value that it is searched by. No I/O.
import { isStorableText } from '@signetry/connector-sdk';
import { contentTypesFilteredByData, ProgrammingLanguageEnum, type AttributeContentType } from '@signetry/contract';
import { isObject } from '../../kernel/is-object.ts';

/**
 * Maximum length of a search text. PostgreSQL index entries hold up to 2,704 bytes; this many characters fit in any
 * encoding.
 */
const SEARCH_TEXT_CHARACTERS = 500;
/** Maximum nesting depth. Attribute values come from JSON bodies with the same limit; deeper values are not stored. */
const MAX_DEPTH = 64;

/**
 * Returns the reason why `data` is not a value of `type`, to be used as the end of a sentence, or undefined if it is
 * one.
 */
export function contentProblem(type: AttributeContentType, data: unknown): string | undefined {
  if (data === undefined || data === null) return 'has an item without data';
  if (!isStorable(data, 0)) return 'has text with characters that are not allowed (U+0000, lone surrogates)';
  switch (type) {
    case 'string':
    case 'text':
      return typeof data === 'string' ? undefined : 'must contain text';
    case 'integer':
      return typeof data === 'number' && Number.isSafeInteger(data) ? undefined : 'must contain an integer';
    case 'float':
      return typeof data === 'number' ? undefined : 'must contain a number';
    case 'boolean':
      return typeof data === 'boolean' ? undefined : 'must contain true or false';
    case 'date':
      return isDate(data) ? undefined : 'must contain a date in the format yyyy-MM-dd';
    case 'time':
      return isTime(data) ? undefined : 'must contain a time in the format HH:mm:ss';
    case 'datetime':
      return dateTimeMs(data) === undefined
        ? "must contain a time in the format yyyy-MM-dd'T'HH:mm:ss.SSSXXX"
        : undefined;
    case 'secret':
      return hasText(data, 'secret') ? undefined : 'must contain a non-empty secret';
    case 'file':
      return fileProblem(data);
    case 'credential':
      return hasText(data, 'uuid') ? undefined : 'must contain a credential with uuid and name';
    case 'codeblock':
      return hasText(data, 'code') && ProgrammingLanguageEnum.safeParse(memberOf(data, 'language')).success
        ? undefined
        : 'must contain code with a known language';
    case 'object':
      return undefined;
    default:
      return `has the content type ${String(type)}, which this version of the platform does not support`;
  }
}

function fileProblem(data: unknown): string | undefined {
  const content = memberOf(data, 'content');
  if (typeof content !== 'string') return 'must contain a file with content, fileName and mimeType';
  return /^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(content) ? undefined : 'must contain a file with Base64 content';
}

/** Returns a member of a JSON object; undefined if the value is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  // The member is an own property of a plain object.
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

const hasText = (data: unknown, name: string): boolean => {
  const text = memberOf(data, name);
  return typeof text === 'string' && text !== '';
};

function isDate(data: unknown): boolean {
  if (typeof data !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(data)) return false;
  const day = new Date(`${data}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(data);
}

const isTime = (data: unknown): boolean => typeof data === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(data);

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)$/;

/**
 * Returns the instant of a date-time with an offset; undefined if the text has a different format. Seconds and
 * fractions are optional.
 */
export function dateTimeMs(data: unknown): number | undefined {
  const [, day, time, offset] = typeof data === 'string' ? (DATE_TIME.exec(data) ?? []) : [];
  if (!isDate(day) || time === undefined || offset === undefined) return undefined;
  const ms = Date.parse(
    `${day}T${time.length === 5 ? `${time}:00` : time}${offset.replace(/(\d\d):?(\d\d)$/, '$1:$2')}`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}

/** Text columns and jsonb accept neither U+0000 nor lone surrogates. */
function isStorable(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner, depth + 1));
}

export interface SearchValue {
  readonly text: string | null;
  readonly number: number | null;
}

/** Returns the value that an item is searched by: its data or, if the data is structured, its reference text. */
export function searchValue(
  type: AttributeContentType,
  item: { reference?: string | undefined; data?: unknown },
): SearchValue {
  const { data, reference } = item;
  if (!contentTypesFilteredByData.has(type)) return { text: cut(reference), number: null };
  if (type === 'datetime') {
    const ms = dateTimeMs(data);
    return { text: ms === undefined ? null : new Date(ms).toISOString(), number: null };
  }
  const isScalar = typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean';
  return { text: isScalar ? cut(String(data)) : null, number: typeof data === 'number' ? data : null };
}

const cut = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  // A surrogate pair split by the cut would leave a lone surrogate.
  return text.slice(0, SEARCH_TEXT_CHARACTERS).toWellFormed();
};

/** Compares JSON values by content; undefined members count as absent. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const present = (value: object) => Object.entries(value).filter(([, inner]) => inner !== undefined);
  const [left, right] = [present(a), new Map(present(b))];
  return left.length === right.size && left.every(([key, inner]) => right.has(key) && sameJson(inner, right.get(key)));
}
