// Lazy DER reader with limits (X.690 §8 and §10). It tracks offsets in the given buffer and copies nothing: contents
// are subarrays, so retaining one retains the whole buffer. It must only throw DerError.
import { DerError } from '../errors.ts';
import { plainBytes } from '../bytes.ts';
import { readTime } from './time.ts';
import { oidText } from './oid.ts';
import { decodeText } from './text.ts';
import { TAG } from './tags.ts';

/**
 * Maximum nesting depth. A certificate with directory names in its extensions needs about 14 levels; malicious input
 * uses thousands.
 */
export const MAX_DER_DEPTH = 32;

/** Maximum number of elements in a full scan: a CRL with two million entries has fewer. */
const MAX_WALKED_ELEMENTS = 16_777_216;

/** One element, as offsets into `source`. `tag` is the whole identifier octet. */
export interface DerElement {
  readonly source: Uint8Array;
  readonly tag: number;
  /** Offset of the identifier octet. */
  readonly start: number;
  /** Offset of the first content octet. */
  readonly content: number;
  /** Offset after the last content octet. */
  readonly end: number;
  readonly depth: number;
}

/** Returns a byte inside the buffer. Every caller has just checked the position against the limit. */
function octetAt(source: Uint8Array, at: number): number {
  return source[at] as number;
}

function elementAt(source: Uint8Array, start: number, limit: number, depth: number): DerElement {
  if (start + 2 > limit) throw new DerError('truncated', start);
  const tag = octetAt(source, start);
  if ((tag & 0x1f) === 0x1f) throw new DerError('high-tag-number', start);
  let length = octetAt(source, start + 1);
  let content = start + 2;
  if (length >= 0x80) {
    length = longLength(source, start + 1, limit);
    content += octetAt(source, start + 1) & 0x7f;
  }
  const end = content + length;
  if (end > limit) throw new DerError('length-beyond-end', start);
  return { source, tag, start, content, end, depth };
}

/** Reads a long-form length (X.690 §8.1.3.5), which must be minimal (§10.1) and at most four bytes long. */
function longLength(source: Uint8Array, at: number, limit: number): number {
  const octets = octetAt(source, at) & 0x7f;
  if (octets === 0) throw new DerError('indefinite-length', at);
  if (octets > 4) throw new DerError('length-too-large', at);
  if (at + 1 + octets > limit) throw new DerError('truncated', at);
  let length = 0;
  for (let i = 1; i <= octets; i++) length = length * 256 + octetAt(source, at + i);
  if (length < 0x80 || source[at + 1] === 0) throw new DerError('length-not-minimal', at);
  return length;
}

/** Reads exactly one element that spans the buffer. Throws `DerError`, including for trailing bytes. */
export function parseDer(bytes: Uint8Array): DerElement {
  const source = plainBytes(bytes);
  const element = elementAt(source, 0, source.length, 0);
  if (element.end !== source.length) throw new DerError('trailing-bytes', element.end);
  return element;
}

/**
 * Reads the element that spans the contents of another element, such as an extension's value in its OCTET STRING. Its
 * nesting depth is counted from the outermost element.
 */
export function parseInner(outer: DerElement): DerElement {
  if (outer.depth >= MAX_DER_DEPTH) throw new DerError('too-deep', outer.start);
  const element = elementAt(outer.source, outer.content, outer.end, outer.depth + 1);
  if (element.end !== outer.end) throw new DerError('trailing-bytes', element.end);
  return element;
}

/** Iterates over the children of a constructed element, in order. */
export class DerCursor {
  private readonly source: Uint8Array;
  private readonly limit: number;
  private readonly depth: number;
  private position: number;

  constructor(parent: DerElement) {
    if (parent.depth >= MAX_DER_DEPTH) throw new DerError('too-deep', parent.start);
    this.source = parent.source;
    this.position = parent.content;
    this.limit = parent.end;
    this.depth = parent.depth + 1;
  }

  get atEnd(): boolean {
    return this.position === this.limit;
  }

  /** Offset of the next element, for the caller's error messages. */
  get offset(): number {
    return this.position;
  }

  /** Returns the identifier octet of the next element, or -1 at the end. */
  peekTag(): number {
    return this.position < this.limit ? octetAt(this.source, this.position) : -1;
  }

  /** Returns the next element, regardless of its tag. */
  next(): DerElement {
    if (this.position === this.limit) throw new DerError('missing-element', this.position);
    const element = elementAt(this.source, this.position, this.limit, this.depth);
    this.position = element.end;
    return element;
  }

  /** Returns the next element, which must have this tag. */
  take(tag: number): DerElement {
    const element = this.next();
    if (element.tag !== tag) throw new DerError('unexpected-tag', element.start);
    return element;
  }

  /** Returns the next element if it has this tag; otherwise consumes nothing. */
  optional(tag: number): DerElement | undefined {
    return this.peekTag() === tag ? this.next() : undefined;
  }

  /** Opens the next element, which must be constructed and have this tag. */
  open(tag: number): DerCursor {
    return new DerCursor(this.take(tag));
  }

  /** Rejects any further elements. */
  finish(): void {
    if (this.position !== this.limit) throw new DerError('trailing-bytes', this.position);
  }
}

/** Opens a constructed element after checking its tag. */
export function openElement(element: DerElement, tag: number): DerCursor {
  expectTag(element, tag);
  return new DerCursor(element);
}

/** Opens a SEQUENCE that spans the whole buffer, the outermost step of every parser here. */
export function openDer(bytes: Uint8Array): DerCursor {
  return openElement(parseDer(bytes), TAG.sequence);
}

/** Returns the single element inside an EXPLICIT tag. */
export function explicitContent(element: DerElement): DerElement {
  const cursor = new DerCursor(element);
  const inner = cursor.next();
  cursor.finish();
  return inner;
}

export function expectTag(element: DerElement, tag: number): void {
  if (element.tag !== tag) throw new DerError('unexpected-tag', element.start);
}

/** Returns all children, in order. */
export function readChildren(element: DerElement): DerElement[] {
  const cursor = new DerCursor(element);
  const children: DerElement[] = [];
  while (!cursor.atEnd) children.push(cursor.next());
  return children;
}

/** Returns the whole element, including its header, without copying. */
export function elementBytes(element: DerElement): Uint8Array {
  return element.start === 0 && element.end === element.source.length
    ? element.source
    : element.source.subarray(element.start, element.end);
}

/** Returns the content bytes, without copying. */
export function contentBytes(element: DerElement): Uint8Array {
  return element.source.subarray(element.content, element.end);
}

/** Reads a BOOLEAN (X.690 §11.1: TRUE is FF). If it has an IMPLICIT tag, pass it as `tag`. */
export function readBoolean(element: DerElement, tag: number = TAG.boolean): boolean {
  expectTag(element, tag);
  const value = element.source[element.content];
  if (element.end - element.content !== 1 || (value !== 0 && value !== 0xff)) {
    throw new DerError('bad-boolean', element.start);
  }
  return value === 0xff;
}

/** Returns an INTEGER as two's complement bytes, which must be minimal (X.690 §8.3.2). */
export function readIntegerBytes(element: DerElement, tag: number = TAG.integer): Uint8Array {
  checkInteger(element, tag);
  return contentBytes(element);
}

function checkInteger(element: DerElement, tag: number): void {
  expectTag(element, tag);
  const { source, content, end } = element;
  if (end === content) throw new DerError('bad-integer', element.start);
  if (end - content === 1) return;
  const first = octetAt(source, content);
  const secondHigh = octetAt(source, content + 1) >= 0x80;
  if ((first === 0 && !secondHigh) || (first === 0xff && secondHigh)) throw new DerError('bad-integer', element.start);
}

/**
 * Reads an INTEGER (or an ENUMERATED, if its `tag` is passed) of at most six bytes as a number. Throws
 * `integer-too-large` for longer values.
 */
export function readSmallInteger(element: DerElement, tag: number = TAG.integer): number {
  checkInteger(element, tag);
  const { source, content, end } = element;
  if (end - content > 6) throw new DerError('integer-too-large', element.start);
  let value = octetAt(source, content) >= 0x80 ? octetAt(source, content) - 256 : octetAt(source, content);
  for (let i = content + 1; i < end; i++) value = value * 256 + octetAt(source, i);
  return value;
}

/** Reads an INTEGER within an inclusive range. */
export function readIntegerBetween(element: DerElement, range: { min: number; max: number; tag?: number }): number {
  const value = readSmallInteger(element, range.tag ?? TAG.integer);
  if (value < range.min || value > range.max) throw new DerError('integer-too-large', element.start);
  return value;
}

/** Returns a non-negative INTEGER as bytes, without the sign byte. Throws `bad-value` if it is negative. */
export function readUnsignedBytes(element: DerElement, tag: number = TAG.integer): Uint8Array {
  checkInteger(element, tag);
  const { source, content, end } = element;
  if (octetAt(source, content) >= 0x80)
    throw new DerError('bad-value', element.start, 'The INTEGER must not be negative');
  return source.subarray(source[content] === 0 && end - content > 1 ? content + 1 : content, end);
}

/** Reads an INTEGER of any size as a bigint. The limit prevents conversion of a hostile 4 GiB number. */
export function readBigInteger(element: DerElement, tag: number = TAG.integer): bigint {
  checkInteger(element, tag);
  const { content, end } = element;
  if (end - content > 8192) throw new DerError('integer-too-large', element.start);
  const bytes = contentBytes(element);
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toHex()}`));
}

/**
 * Reads an OBJECT IDENTIFIER in dotted form. Equal OIDs usually share the same string object, so comparisons are fast.
 */
export function readOid(element: DerElement, tag: number = TAG.oid): string {
  expectTag(element, tag);
  return oidText(element.source, element.content, element.end);
}

export function readOctetString(element: DerElement, tag: number = TAG.octetString): Uint8Array {
  expectTag(element, tag);
  return contentBytes(element);
}

export interface DerBitString {
  /** Number of unused bits at the end of the last byte. These bits are zero (X.690 §11.2.1). */
  readonly unusedBits: number;
  readonly bytes: Uint8Array;
}

export function readBitString(element: DerElement, tag: number = TAG.bitString): DerBitString {
  expectTag(element, tag);
  const { source, content, end } = element;
  if (end === content) throw new DerError('bad-bit-string', element.start);
  const unusedBits = octetAt(source, content);
  const empty = end - content === 1;
  const stray = !empty && (octetAt(source, end - 1) & ((1 << unusedBits) - 1)) !== 0;
  if (unusedBits > 7 || (empty && unusedBits !== 0) || stray) throw new DerError('bad-bit-string', element.start);
  return { unusedBits, bytes: source.subarray(content + 1, end) };
}

/** Reads a BIT STRING with a whole number of bytes, as in keys and signatures. */
export function readBitStringBytes(element: DerElement, tag: number = TAG.bitString): Uint8Array {
  const { unusedBits, bytes } = readBitString(element, tag);
  if (unusedBits !== 0) throw new DerError('bad-bit-string', element.start);
  return bytes;
}

/**
 * Reads a BIT STRING of named flags: named bit `n`, counted from the most significant bit of the first byte, becomes
 * bit `n` of the result. Bits from 24 on are ignored. Trailing zero bits and nonzero unused bits, which DER forbids
 * (X.690 §11.2), are accepted: they change no flag, and some issuers write them.
 */
export function readNamedBits(element: DerElement, tag: number = TAG.bitString): number {
  expectTag(element, tag);
  const { source, content, end } = element;
  const unusedBits = source[content];
  if (unusedBits === undefined || end === content || unusedBits > 7)
    throw new DerError('bad-bit-string', element.start);
  const bits = (end - content - 1) * 8 - unusedBits;
  let flags = 0;
  for (let bit = 0; bit < bits && bit < 24; bit++) {
    if (octetAt(source, content + 1 + (bit >> 3)) & (0x80 >> (bit & 7))) flags |= 1 << bit;
  }
  return flags;
}

export function readNull(element: DerElement): void {
  expectTag(element, TAG.null);
  if (element.end !== element.content) throw new DerError('bad-null', element.start);
}

/** Reads a UTCTime or GeneralizedTime as milliseconds since 1970 (UTC), in the forms that RFC 5280 §4.1.2.5 allows. */
export function readTimeMs(element: DerElement): number {
  return readTime(element.source, element);
}

/**
 * Reads a character string and decodes it strictly by its type. Throws `bad-text`. For names in third-party
 * certificates, use `decodeTextLeniently`.
 */
export function readText(element: DerElement, tag: number = element.tag): string {
  expectTag(element, tag);
  const text = decodeText(tag & 0x80 ? TAG.ia5String : tag, contentBytes(element));
  if (text === undefined) throw new DerError('bad-text', element.start);
  return text;
}

/**
 * Scans the whole tree and rejects errors that parsers would otherwise find only when they reach them: wrong lengths,
 * excessive depth, reserved tags. Does not scan inside OCTET STRINGs. Iterative, so that nesting uses no stack.
 */
export function checkDer(bytes: Uint8Array): void {
  const open: { limit: number }[] = [];
  const source = plainBytes(bytes);
  let position = parseDer(source).start;
  let limit = source.length;
  for (let count = 0; ; count++) {
    if (count > MAX_WALKED_ELEMENTS) throw new DerError('too-many-elements', position);
    while (position === limit) {
      const outer = open.pop();
      if (outer === undefined) return;
      limit = outer.limit;
    }
    const element = elementAt(source, position, limit, open.length);
    if (element.tag === 0) throw new DerError('unexpected-tag', position);
    position = element.end;
    if (element.tag & 0x20) {
      if (open.length >= MAX_DER_DEPTH) throw new DerError('too-deep', element.start);
      open.push({ limit });
      limit = element.end;
      position = element.content;
    }
  }
}
