// SEQUENCE OF with a bound on its members, and the change of a tag that IMPLICIT tagging asks for.
import { contentBytes, DerCursor, elementBytes, expectTag, parseDer, type DerElement } from './reader.ts';
import { encodeDer, primitive } from './writer.ts';
import { DerError } from '../errors.ts';
import { TAG } from './tags.ts';

export interface MemberRules<T> {
  readonly max: number;
  /** 1 where ASN.1 says `SIZE (1..MAX)`. */
  readonly min?: 0 | 1;
  /** For an IMPLICIT one. */
  readonly tag?: number;
  readonly read: (element: DerElement) => T;
}

/** The members of a SEQUENCE OF. Throws `DerError`: `too-many-elements` beyond `max`. */
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

/** A copy of an element under another tag: what IMPLICIT tagging did is undone, the contents stay as they are. */
export function retagged(element: DerElement, tag: number): Uint8Array {
  return encodeDer(primitive(tag, contentBytes(element)));
}

/** The same for an element that fills a buffer: as it is written under an IMPLICIT tag. */
export function retag(der: Uint8Array, tag: number): Uint8Array {
  return retagged(parseDer(der), tag);
}

/** One element of a type that is passed on as it is: certificates, CRLs, messages. */
export function readSequenceDer(element: DerElement): Uint8Array {
  expectTag(element, TAG.sequence);
  return elementBytes(element);
}
