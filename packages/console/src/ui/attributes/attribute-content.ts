// Formats the content items of attributes for display. Pure.
import type { AttributeContentType } from '@signetry/contract';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { formatBytes } from '../../format/sizes.ts';

/** Content item: the value and, optionally, a display text. */
export interface ContentItem {
  readonly reference?: string | undefined;
  readonly data?: unknown;
}

/** Shown in place of a stored secret. */
export const STORED_SECRET = 'Stored, not shown';

/** Serializes a value as JSON with sorted members, so that equal values compare equal. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  ) ?? 'null';

/** Formats an item: its display text if it has one, otherwise its value according to its type. */
export function describeItem(contentType: AttributeContentType, { reference, data }: ContentItem): string {
  if (contentType === 'secret') return STORED_SECRET;
  if (reference !== undefined && reference !== '') return reference;
  switch (contentType) {
    case 'boolean':
      return data === true ? 'Yes' : 'No';
    case 'date':
      return formatDate(`${String(data)}T00:00:00`);
    case 'datetime':
      return formatDateTime(String(data));
    case 'file':
      return [textMember(data, 'fileName') || 'Unnamed file', sizeOfFile(data)].filter(Boolean).join(', ');
    case 'credential':
      return textMember(data, 'name') || 'Unnamed credential';
    case 'codeblock':
      return fromBase64(textMember(data, 'code'));
    default:
      return typeof data === 'object' ? toCanonicalJson(data) : String(data);
  }
}

/** Returns a member's text, or an empty string if there is none. */
export function textMember(holder: unknown, member: string): string {
  if (typeof holder !== 'object' || holder === null) return '';
  const value: unknown = Reflect.get(holder, member);
  return typeof value === 'string' ? value : '';
}

/** Formats a file's size; returns undefined if the file's content is not shown. */
function sizeOfFile(data: unknown): string | undefined {
  const content = textMember(data, 'content').replaceAll(/[\s=]/g, '');
  return content === '' ? undefined : formatBytes(Math.floor((content.length * 3) / 4));
}

/** Decodes code, which is sent as Base64; other text is returned unchanged. */
export function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(text));
  } catch {
    return text;
  }
}

export const toBase64 = (text: string): string => new TextEncoder().encode(text).toBase64();
