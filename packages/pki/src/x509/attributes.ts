// Attributes in requests, signers and key packages: a type and a set of values (RFC 5652 §5.3, RFC 2986 §4.1).
import { DerCursor, readOid, type DerElement } from '../der/reader.ts';
import { DerError } from '../errors.ts';
import { oidPart, sequence, setOf, type DerPart } from '../der/writer.ts';
import { TAG } from '../der/tags.ts';

/** Maximum number of attributes, and of values per attribute. Requests contain one to three, signers about ten. */
const MAX_ATTRIBUTES = 64;

export interface Attribute {
  readonly type: string;
  /** Encoded values, in order. */
  readonly values: readonly Uint8Array[];
}

/** A decoded attribute; its values are still elements. */
export interface AttributeElements {
  readonly type: string;
  readonly start: number;
  readonly values: readonly DerElement[];
}

/**
 * Reads the members of a SET OF Attribute, regardless of its tag. Throws `DerError`, including if a type occurs twice.
 */
export function readAttributes(element: DerElement): AttributeElements[] {
  const cursor = new DerCursor(element);
  const attributes: AttributeElements[] = [];
  while (!cursor.atEnd) {
    const start = cursor.offset;
    if (attributes.length === MAX_ATTRIBUTES) throw new DerError('too-many-elements', start);
    const pair = cursor.open(TAG.sequence);
    const type = readOid(pair.next());
    const set = pair.open(TAG.set);
    pair.finish();
    const values: DerElement[] = [];
    while (!set.atEnd) {
      if (values.length === MAX_ATTRIBUTES) throw new DerError('too-many-elements', set.offset);
      values.push(set.next());
    }
    if (attributes.some((other) => other.type === type)) throw new DerError('duplicate-element', start);
    attributes.push({ type, start, values });
  }
  return attributes;
}

/** Returns the value of a single-valued attribute. Throws `DerError`. */
export function singleValue(attribute: AttributeElements): DerElement {
  const [value, ...more] = attribute.values;
  if (value === undefined) throw new DerError('missing-element', attribute.start);
  if (more.length > 0) throw new DerError('duplicate-element', attribute.start);
  return value;
}

export function attributePart(type: string, values: readonly DerPart[]): DerPart {
  return sequence([oidPart(type), setOf(values)]);
}
