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

/** Converts a string to the form of its content type; undefined if it cannot be converted. */
export const readTypedText = (contentType: AttributeContentType, text: string): unknown =>
  readings[contentType]?.(text);

/** Browsers do not know every file's media type, and some clients also omit the name. */
const completeFile = (data: object): object => {
  const { fileName, mimeType } = data as { readonly fileName?: unknown; readonly mimeType?: unknown };
  const missing = {
    ...((fileName ?? undefined) === undefined && { fileName: '' }),
    ...((mimeType ?? undefined) === undefined && { mimeType: '' }),
  };
  return Object.keys(missing).length === 0 ? data : { ...data, ...missing };
};

/**
 * Returns the value with attribute contents converted to their content types, at any depth except within the contents.
 * The input is not modified; if there is nothing to convert, it is returned as is.
 */
export function withTypedContent(value: unknown): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => withTypedContent(item));
  if (!isObject(value)) return value;
  const contentType = value['contentType'];
  const entries = Object.entries(value);
  const changed = entries.map(([name, member]) => [name, memberOf(name, member, contentType)] as const);
  return changed.some(([, member], index) => member !== entries[index]?.[1]) ? Object.fromEntries(changed) : value;
}

function memberOf(name: string, member: unknown, contentType: unknown): unknown {
  if (name === 'data') return member;
  if (name !== 'content' || typeof contentType !== 'string' || !Array.isArray(member)) return withTypedContent(member);
  // The lookups below return undefined for other texts.
  return mapItems(member, (item) => typedItem(item, contentType as AttributeContentType));
}

/** An empty string represents an empty field and is unchanged. */
function typedItem(item: unknown, contentType: AttributeContentType): unknown {
  if (!isObject(item)) return item;
  const { data } = item;
  if (contentType === 'file' && isObject(data)) {
    const file = completeFile(data);
    return file === data ? item : { ...item, data: file };
  }
  if (typeof data !== 'string' || data.trim() === '') return item;
  const read = readTypedText(contentType, data);
  return read === undefined ? item : { ...item, data: read };
}

function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
