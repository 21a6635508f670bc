// Values of attributes name the type of their content beside it. Forms send numbers, booleans and secrets as texts.
import type { AttributeContentType } from '../enums/attributes.ts';

const NUMBER = /^\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/;

/** What a text stands for in content of this type; other types, and what is no such text, stay as they are. */
const readings: Partial<Record<AttributeContentType, (text: string) => unknown>> = {
  integer: (text) => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined),
  float: (text) => (NUMBER.test(text) ? Number(text) : undefined),
  boolean: (text) => (/^\s*(true|false)\s*$/i.test(text) ? text.trim().toLowerCase() === 'true' : undefined),
  secret: (text) => ({ secret: text }),
};

/**
 * The value with the content of its attributes in their types, at any depth outside of the content itself. The value
 * that was given is not changed; where there is nothing to read it is answered itself.
 */
export function withTypedContent(value: unknown): unknown {
  if (Array.isArray(value)) return mapped(value, (item) => withTypedContent(item));
  if (!isObject(value)) return value;
  const read = readings[value['contentType'] as AttributeContentType]; // of any other text there is none
  const entries = Object.entries(value);
  const changed = entries.map(([name, member]) => [name, memberOf(name, member, read)] as const);
  return changed.some(([, member], index) => member !== entries[index]?.[1]) ? Object.fromEntries(changed) : value;
}

function memberOf(name: string, member: unknown, read: ((text: string) => unknown) | undefined): unknown {
  if (name === 'data') return member;
  if (name !== 'content' || !read || !Array.isArray(member)) return withTypedContent(member);
  return mapped(member, (item) => typedItem(item, read));
}

/** An empty text is an empty field; it stays one. */
function typedItem(item: unknown, read: (text: string) => unknown): unknown {
  if (!isObject(item) || typeof item['data'] !== 'string' || item['data'].trim() === '') return item;
  const data = read(item['data']);
  return data === undefined ? item : { ...item, data };
}

function mapped(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
