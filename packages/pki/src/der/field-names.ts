// Names the field in which an encoding error occurred. Readers run unchanged; the field is determined from the error's
// offset afterwards, so that valid input costs nothing.
import { DerError } from '../errors.ts';
import { plainBytes } from '../bytes.ts';
import { DerCursor, type DerElement } from './reader.ts';

/** A field of an ASN.1 type, as far as its contents are described. */
export interface DerField {
  readonly name: string;
  /** Required to recognize an optional field or a choice. */
  readonly tag?: number;
  readonly optional?: true;
  /** Components of a SEQUENCE, in order. */
  readonly fields?: readonly DerField[];
  /** Members of a SEQUENCE OF or SET OF. */
  readonly each?: DerField;
  /** Contents of an EXPLICIT tag, which add no name to the path. */
  readonly wraps?: DerField;
  /** Alternatives of a CHOICE, recognized by their tags. */
  readonly choice?: readonly DerField[] | undefined;
}

/**
 * Calls `read`, whose offsets are in the same buffer, and adds the path of the field to a `DerError`, e.g.
 * `tbsCertificate.validity.notAfter`.
 */
export function withFieldNames<T>(der: Uint8Array, root: DerField, read: (der: Uint8Array) => T): T {
  try {
    return read(der);
  } catch (error) {
    throw error instanceof DerError ? withField(error, der, root) : error;
  }
}

/** Same as `withFieldNames`, for an error that has already been caught. */
function withField(error: DerError, der: Uint8Array, root: DerField): DerError {
  if (error.field !== undefined) return error; // A reader of an inner object has named its own field.
  const source = plainBytes(der);
  const outside = { source, tag: 0, start: -1, content: 0, end: source.length, depth: 0 };
  const path = pathInside(outside, { name: '', fields: [root] }, error).slice(1);
  return path.length === 0 ? error : error.inField(path.join('.').replaceAll('.[', '['));
}

/** Returns the path below the element; empty if the error concerns the element itself. */
function pathInside(element: DerElement, type: DerField, error: DerError): readonly string[] {
  const { fields, each, wraps, choice } = type;
  if (wraps) return pathInside(element, { name: '', fields: [wraps] }, error).slice(1);
  if (choice) {
    const chosen = choice.find(({ tag }) => tag === element.tag);
    return chosen ? [chosen.name, ...pathInside(element, { ...chosen, choice: undefined }, error)] : [];
  }
  if (each) return pathInList(element, each, error);
  return fields ? pathInSequence(element, fields, error) : [];
}

function pathInSequence(element: DerElement, fields: readonly DerField[], error: DerError): readonly string[] {
  const cursor = new DerCursor(element);
  for (let at = 0; ; at++) {
    at = nextField(fields, at, cursor.peekTag());
    const field = fields[at];
    if (field === undefined || error.offset < cursor.offset) return [];
    if (cursor.atEnd) return [field.name];
    const found = pathInChild(cursor, field, error);
    if (found) return found;
  }
}

function pathInList(element: DerElement, each: DerField, error: DerError): readonly string[] {
  const cursor = new DerCursor(element);
  for (let index = 0; !cursor.atEnd && error.offset >= cursor.offset; index++) {
    const found = pathInChild(cursor, { ...each, name: `[${index}]` }, error);
    if (found) return found;
  }
  return [];
}

/** Returns the path to the error in the next element; undefined if the error is beyond the element. */
function pathInChild(cursor: DerCursor, field: DerField, error: DerError): readonly string[] | undefined {
  const start = cursor.offset;
  const child = childOf(cursor);
  if (!child || error.offset === start) return [field.name];
  // An element that is missing at the end of the child has the offset of the child's end.
  const isAtEnd = error.offset === child.end && error.code === 'missing-element';
  if (error.offset >= child.end && !isAtEnd) return undefined;
  const inside = pathInside(child, field, error);
  return isAtEnd && inside.length === 0 ? undefined : [field.name, ...inside];
}

/** Skips optional fields that are absent. */
function nextField(fields: readonly DerField[], from: number, tag: number): number {
  let at = from;
  while (fields[at]?.optional && fields[at]?.tag !== tag) at++;
  return at;
}

/** Returns undefined if the element is malformed, which is then the position of the error. */
function childOf(cursor: DerCursor): DerElement | undefined {
  try {
    return cursor.next();
  } catch {
    return undefined;
  }
}
