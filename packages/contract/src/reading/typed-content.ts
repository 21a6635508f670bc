// Typed attribute values: the content type is specified next to the content. Forms send numbers, booleans and secrets
// as strings.
import type { AttributeContentType } from '../enums/attributes.ts';

const NUMBER = /^\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;

/** Parsers for strings, by content type. Other types, and strings that cannot be parsed, are unchanged. */
const readings: Partial<Record<AttributeContentType, (text: string) => unknown>> = {
  integer: (text) => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined),
  float: (text) => (NUMBER.test(text) ? Number(text) : undefined),
  boolean: (text) => (/^\s*(true|false)\s*$/i.test(text) ? text.trim().toLowerCase() === 'true' : undefined),
  secret: (text) => ({ secret: text }),
};

/**
 * Returns the value with attribute contents converted to their content types, at any depth except within the contents.
 * The input is not modified; if there is nothing to convert, it is returned as is.
 */
export function withTypedContent(value: unknown): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => withTypedContent(item));
  if (!isObject(value)) return value;
  const read = readings[value['contentType'] as AttributeContentType]; // Undefined for all other content types.
  const entries = Object.entries(value);
  const changed = entries.map(([name, member]) => [name, memberOf(name, member, read)] as const);
  return changed.some(([, member], index) => member !== entries[index]?.[1]) ? Object.fromEntries(changed) : value;
}

function memberOf(name: string, member: unknown, read: ((text: string) => unknown) | undefined): unknown {
  if (name === 'data') return member;
  if (name !== 'content' || !read || !Array.isArray(member)) return withTypedContent(member);
  return mapItems(member, (item) => typedItem(item, read));
}

/** An empty string represents an empty field and is unchanged. */
function typedItem(item: unknown, read: (text: string) => unknown): unknown {
  if (!isObject(item) || typeof item['data'] !== 'string' || item['data'].trim() === '') return item;
  const data = read(item['data']);
  return data === undefined ? item : { ...item, data };
}

function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
