// Extension contents as a tree that can be displayed without knowledge of the extension: labels with texts, optionally
// with an OID and members.
import { contentBytes, openElement, parseDer, type DerCursor, type DerElement } from '../der/reader.ts';
import { decodeTextLeniently } from '../der/text.ts';
import { DerError } from '../errors.ts';
import { OID_NAMES } from './oid-names.ts';
import { TAG } from '../der/tags.ts';

/** How to display a text that is not plain: hexadecimal bytes, an ISO 8601 time or a URI. */
export type ReadableForm = 'hex' | 'time' | 'uri';

export interface ReadableValue {
  readonly label: string;
  /** Undefined if the members or the label contain everything. */
  readonly text?: string;
  readonly form?: ReadableForm;
  /** OID of `text`, or of the label if there is no text. */
  readonly oid?: string;
  readonly members?: readonly ReadableValue[];
}

/** Maximum number of members in one list, the same as in the parsers used for decisions. */
const MAX_MEMBERS = 4096;

export const textValue = (label: string, text: string): ReadableValue => ({ label, text });

export const hexValue = (label: string, octets: Uint8Array): ReadableValue => ({
  label,
  text: octets.toHex(),
  form: 'hex',
});

export const uriValue = (label: string, text: string): ReadableValue => ({ label, text, form: 'uri' });

export const timeValue = (label: string, epochMs: number): ReadableValue => ({
  label,
  text: new Date(epochMs).toISOString(),
  form: 'time',
});

export const groupValue = (label: string, members: readonly ReadableValue[]): ReadableValue => ({ label, members });

/** Returns a value for an OID, with its name as text, or the OID itself if it has no name. */
export const oidValue = (label: string, oid: string): ReadableValue => ({
  label,
  text: OID_NAMES.get(oid) ?? oid,
  oid,
});

/**
 * Returns a value for each element of a SEQUENCE that spans the buffer. Throws `DerError`, including for too many
 * members.
 */
export function readEach(value: Uint8Array, read: (element: DerElement) => ReadableValue): ReadableValue[] {
  return readRemaining(openElement(parseDer(value), TAG.sequence), read);
}

/** Same as `readEach`, for the remaining elements of a cursor. */
export function readRemaining(cursor: DerCursor, read: (element: DerElement) => ReadableValue): ReadableValue[] {
  const values: ReadableValue[] = [];
  while (!cursor.atEnd) {
    if (values.length === MAX_MEMBERS) throw new DerError('too-many-elements', cursor.offset);
    values.push(read(cursor.next()));
  }
  return values;
}

/** Returns the text of a character string of any type, decoded leniently. Throws `DerError` for other types. */
export function textOf(element: DerElement): string {
  const text = decodeTextLeniently(element.tag, contentBytes(element));
  if (text === undefined) throw new DerError('unexpected-tag', element.start);
  return text;
}

/** Returns the text of a character string with an IMPLICIT tag, as ASCII or UTF-8. */
export const implicitTextOf = (element: DerElement): string =>
  decodeTextLeniently(TAG.utf8String, contentBytes(element)) ?? '';
