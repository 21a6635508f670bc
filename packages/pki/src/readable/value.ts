// What an extension says, as a tree that can be shown to people without knowing the extension: labels with texts, some
// of them with an identifier, some with members of their own.
import { contentBytes, openElement, parseDer, type DerCursor, type DerElement } from '../der/reader.ts';
import { decodeTextLeniently } from '../der/text.ts';
import { DerError } from '../errors.ts';
import { OID_NAMES } from './oid-names.ts';
import { TAG } from '../der/tags.ts';

/** How a text is to be shown where it is not plain: octets in hex, an instant in ISO 8601, an address. */
export type ReadableForm = 'hex' | 'time' | 'uri';

export interface ReadableValue {
  readonly label: string;
  /** Absent where the members say it all, or the label alone. */
  readonly text?: string;
  readonly form?: ReadableForm;
  /** The identifier that `text` names, or the label where there is no text. */
  readonly oid?: string;
  readonly members?: readonly ReadableValue[];
}

/** Maximum number of members in one list; as for the readers of decisions. */
const MAX_MEMBERS = 4096;

export const plain = (label: string, text: string): ReadableValue => ({ label, text });

export const hexOf = (label: string, octets: Uint8Array): ReadableValue => ({
  label,
  text: octets.toHex(),
  form: 'hex',
});

export const uri = (label: string, text: string): ReadableValue => ({ label, text, form: 'uri' });

export const instant = (label: string, epochMs: number): ReadableValue => ({
  label,
  text: new Date(epochMs).toISOString(),
  form: 'time',
});

export const group = (label: string, members: readonly ReadableValue[]): ReadableValue => ({ label, members });

/** An identifier with its name where it has one; the identifier is the text of others. */
export const identified = (label: string, oid: string): ReadableValue => ({
  label,
  text: OID_NAMES.get(oid) ?? oid,
  oid,
});

/** What each element of a SEQUENCE that fills the value says. Throws `DerError`, also for more members than any has. */
export function eachOf(value: Uint8Array, read: (element: DerElement) => ReadableValue): ReadableValue[] {
  return eachIn(openElement(parseDer(value), TAG.sequence), read);
}

/** The same for what is left of a cursor. */
export function eachIn(cursor: DerCursor, read: (element: DerElement) => ReadableValue): ReadableValue[] {
  const values: ReadableValue[] = [];
  while (!cursor.atEnd) {
    if (values.length === MAX_MEMBERS) throw new DerError('too-many-elements', cursor.offset);
    values.push(read(cursor.next()));
  }
  return values;
}

/** Text of a character string of any type, however its issuer wrote it. Throws `DerError` for other types. */
export function textOf(element: DerElement): string {
  const text = decodeTextLeniently(element.tag, contentBytes(element));
  if (text === undefined) throw new DerError('unexpected-tag', element.start);
  return text;
}

/** Text of a character string under an IMPLICIT tag that stands for ASCII or UTF-8. */
export const implicitTextOf = (element: DerElement): string =>
  decodeTextLeniently(TAG.utf8String, contentBytes(element)) ?? '';
