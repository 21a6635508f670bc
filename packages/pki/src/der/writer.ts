// DER writer. Values are described as a small tree of parts with known sizes and written in a single pass into a buffer
// of the exact size. Already encoded elements (Uint8Array) are also parts, so they can be embedded without decoding.
import { compareBytes } from '../bytes.ts';
import { PkiError } from '../errors.ts';
import { encodeOid } from './oid.ts';
import { contextConstructed, contextPrimitive, TAG } from './tags.ts';
import { encodeAscii, encodeUtf8, isPrintable } from './text.ts';
import { encodeTime } from './time.ts';

/** An element to encode. `size` includes its header. */
export interface DerNode {
  readonly tag: number;
  readonly size: number;
  readonly contentLength: number;
  readonly content: Uint8Array | readonly (DerPart | undefined)[];
}

/** An element, either a node or already encoded. */
export type DerPart = Uint8Array | DerNode;

/** Children of a constructed element; `undefined` is skipped, which keeps OPTIONAL fields readable. */
export type DerParts = readonly (DerPart | undefined)[];

function sizeOf(part: DerPart): number {
  return part instanceof Uint8Array ? part.length : part.size;
}

function headerSize(contentLength: number): number {
  if (contentLength < 0x80) return 2;
  if (contentLength < 0x100) return 3;
  if (contentLength < 0x10000) return 4;
  return contentLength < 0x1000000 ? 5 : 6;
}

/** Returns a primitive element with these content octets, which are not copied until `encodeDer`. */
export function primitive(tag: number, content: Uint8Array): DerNode {
  return { tag, size: headerSize(content.length) + content.length, contentLength: content.length, content };
}

/** Returns a constructed element with these children. */
export function constructed(tag: number, parts: DerParts): DerNode {
  let contentLength = 0;
  for (const part of parts) if (part !== undefined) contentLength += sizeOf(part);
  return { tag, size: headerSize(contentLength) + contentLength, contentLength, content: parts };
}

/** Encodes an element. */
export function encodeDer(part: DerPart): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(sizeOf(part));
  writePart(out, 0, part);
  return out;
}

function writePart(out: Uint8Array, start: number, part: DerPart): number {
  if (part instanceof Uint8Array) return writeOctets(out, start, part);
  let at = start;
  out[at++] = part.tag;
  const length = part.contentLength;
  if (length < 0x80) {
    out[at++] = length;
  } else {
    const octets = headerSize(length) - 2;
    out[at++] = 0x80 | octets;
    for (let shift = (octets - 1) * 8; shift >= 0; shift -= 8) out[at++] = length >>> shift;
  }
  if (part.content instanceof Uint8Array) return writeOctets(out, at, part.content);
  for (const child of part.content) if (child !== undefined) at = writePart(out, at, child);
  return at;
}

/** Short runs are copied in a loop: calling `set` costs more than the copy. */
function writeOctets(out: Uint8Array, at: number, bytes: Uint8Array): number {
  if (bytes.length > 24) out.set(bytes, at);
  else for (let i = 0; i < bytes.length; i++) out[at + i] = bytes[i] as number; // The index is within bounds.
  return at + bytes.length;
}

export function sequence(parts: DerParts): DerNode {
  return constructed(TAG.sequence, parts);
}

/** Returns a SET OF with its elements in ascending order of their encodings (X.690 §11.6). */
export function setOf(parts: DerParts, tag: number = TAG.set): DerNode {
  const present = parts.filter((part) => part !== undefined);
  if (present.length < 2) return constructed(tag, present);
  return constructed(tag, present.map(encodeDer).sort(compareBytes));
}

const TRUE = Uint8Array.of(0xff);
const FALSE = Uint8Array.of(0);
const NULL = Uint8Array.of(TAG.null, 0);

export function booleanPart(value: boolean): DerNode {
  return primitive(TAG.boolean, value ? TRUE : FALSE);
}

export function nullPart(): Uint8Array {
  return NULL;
}

/** Returns an INTEGER. A Uint8Array is an unsigned big-endian number of any length; leading zero bytes are dropped. */
export function integerPart(value: number | bigint | Uint8Array, tag: number = TAG.integer): DerNode {
  return primitive(tag, value instanceof Uint8Array ? unsignedContent(value) : signedContent(value));
}

export function enumeratedPart(value: number): DerNode {
  return primitive(TAG.enumerated, signedContent(value));
}

function unsignedContent(magnitude: Uint8Array): Uint8Array {
  let first = 0;
  while (first < magnitude.length - 1 && magnitude[first] === 0) first++;
  if (magnitude.length === 0) return FALSE;
  // The index is within bounds.
  if ((magnitude[first] as number) < 0x80) return first === 0 ? magnitude : magnitude.subarray(first);
  const content = new Uint8Array(magnitude.length - first + 1);
  content.set(magnitude.subarray(first), 1);
  return content;
}

function signedContent(value: number | bigint): Uint8Array {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new PkiError('bad-argument', 'An INTEGER must be a whole number.');
    if (value >= 0 && value < 0x80) return Uint8Array.of(value);
  }
  let left = BigInt(value);
  const octets: number[] = [];
  for (;;) {
    const octet = Number(left & 0xffn);
    octets.push(octet);
    left >>= 8n;
    const done = left === 0n ? octet < 0x80 : left === -1n && octet >= 0x80;
    if (done) return Uint8Array.from(octets.reverse());
  }
}

/** Returns a BIT STRING with a whole number of bytes. */
export function bitStringPart(bytes: Uint8Array, tag: number = TAG.bitString): DerNode {
  const content = new Uint8Array(bytes.length + 1);
  content.set(bytes, 1);
  return primitive(tag, content);
}

/**
 * Returns a BIT STRING of named flags without trailing zero bits (X.690 §11.2.2). Bit `n` of `flags` is named bit `n`.
 */
export function namedBitsPart(flags: number, tag: number = TAG.bitString): DerNode {
  const bits = 32 - Math.clz32(flags);
  const octets = Math.ceil(bits / 8);
  const content = new Uint8Array(octets + 1);
  content[0] = octets * 8 - bits;
  for (let bit = 0; bit < bits; bit++) {
    const at = 1 + (bit >> 3);
    if (flags & (1 << bit)) content[at] = (content[at] as number) | (0x80 >> (bit & 7)); // The index is within bounds.
  }
  return primitive(tag, content);
}

export function octetStringPart(bytes: Uint8Array, tag: number = TAG.octetString): DerNode {
  return primitive(tag, bytes);
}

/** Returns an OCTET STRING that contains an encoded element, as in extension values. */
export function octetStringOf(part: DerPart): DerNode {
  return constructed(TAG.octetString, [part]);
}

/** Size of the cache below: more OIDs than any program uses. */
const MAX_CACHED_OIDS = 2048;
const encodedOids = new Map<string, Uint8Array>();

/** Returns an OBJECT IDENTIFIER. Throws `PkiError` `bad-argument`. */
export function oidPart(oid: string): Uint8Array {
  const known = encodedOids.get(oid);
  if (known !== undefined) return known;
  const encoded = encodeDer(primitive(TAG.oid, encodeOid(oid)));
  if (encodedOids.size >= MAX_CACHED_OIDS) encodedOids.clear();
  encodedOids.set(oid, encoded);
  return encoded;
}

/**
 * Returns a UTCTime for years through 2049 and a GeneralizedTime for later years (RFC 5280 §4.1.2.5). Milliseconds are
 * truncated.
 */
export function timePart(epochMs: number): DerNode {
  const { tag, content } = encodeTime(epochMs, false);
  return primitive(tag, content);
}

/** Returns a GeneralizedTime for any year (OCSP, invalidity date). */
export function generalizedTimePart(epochMs: number): DerNode {
  const { tag, content } = encodeTime(epochMs, true);
  return primitive(tag, content);
}

export function utf8StringPart(text: string): DerNode {
  if (!text.isWellFormed()) throw new PkiError('bad-argument', 'The text contains an unpaired surrogate.');
  return primitive(TAG.utf8String, encodeUtf8(text));
}

/** Returns a PrintableString. Throws `bad-argument` for characters outside its alphabet (X.680 §41.4). */
export function printableStringPart(text: string): DerNode {
  const bytes = isPrintable(text) ? encodeAscii(text) : undefined;
  if (bytes === undefined)
    throw new PkiError(
      'bad-argument',
      `"${text.slice(0, 64)}" contains characters that PrintableString does not allow.`,
    );
  return primitive(TAG.printableString, bytes);
}

/**
 * Returns an IA5String. If it has an IMPLICIT tag, pass it as `tag`. Throws `bad-argument` for non-ASCII characters.
 */
export function ia5StringPart(text: string, tag: number = TAG.ia5String): DerNode {
  const bytes = encodeAscii(text);
  if (bytes === undefined) throw new PkiError('bad-argument', `"${text.slice(0, 64)}" contains non-ASCII characters.`);
  return primitive(tag, bytes);
}

/** Wraps an element in an EXPLICIT context tag. */
export function explicitPart(number: number, part: DerPart): DerNode {
  return constructed(contextConstructed(number), [part]);
}

/** Returns a constructed element with an IMPLICIT context tag, whose contents are the children. */
export function implicitConstructed(number: number, parts: DerParts): DerNode {
  return constructed(contextConstructed(number), parts);
}

/** Returns a primitive element with an IMPLICIT context tag. */
export function implicitPrimitive(number: number, content: Uint8Array): DerNode {
  return primitive(contextPrimitive(number), content);
}
