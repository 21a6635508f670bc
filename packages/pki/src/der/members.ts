// Reads SEQUENCE OF with a size limit, and replaces tags for IMPLICIT tagging.
import { contentBytes, DerCursor, elementBytes, expectTag, parseDer, type DerElement } from './reader.ts';
import { encodeDer, primitive } from './writer.ts';
import { DerError } from '../errors.ts';
import { TAG } from './tags.ts';

export interface MemberRules<T> {
  readonly max: number;
  /** 1 if ASN.1 specifies `SIZE (1..MAX)`. */
  readonly min?: 0 | 1;
  /** The element's tag, if it is IMPLICIT. */
  readonly tag?: number;
  readonly read: (element: DerElement) => T;
}

/** Returns the members of a SEQUENCE OF. Throws `DerError` `too-many-elements` if there are more than `max`. */
export function readMembers<T>(element: DerElement, rules: MemberRules<T>): T[] {
  expectTag(element, rules.tag ?? TAG.sequence);
  const cursor = new DerCursor(element);
  const members: T[] = [];
  while (!cursor.atEnd) {
    if (members.length === rules.max) throw new DerError('too-many-elements', cursor.offset);
    members.push(rules.read(cursor.next()));
  }
  if (members.length < (rules.min ?? 0)) throw new DerError('missing-element', element.content);
  return members;
}

/** Copies an element with a different tag, to undo IMPLICIT tagging; the contents are unchanged. */
export function retagElement(element: DerElement, tag: number): Uint8Array {
  return encodeDer(primitive(tag, contentBytes(element)));
}

/** Same as `retagged`, for an element that spans the whole buffer; used to apply IMPLICIT tagging. */
export function retag(der: Uint8Array, tag: number): Uint8Array {
  return retagElement(parseDer(der), tag);
}

/** Returns the bytes of a SEQUENCE without decoding it: a certificate, CRL or message. */
export function readSequenceDer(element: DerElement): Uint8Array {
  expectTag(element, TAG.sequence);
  return elementBytes(element);
}
