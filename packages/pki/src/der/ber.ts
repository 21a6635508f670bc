// BER as written by old programs (X.690 §8): indefinite lengths, non-minimal lengths, and octet strings in segments.
// This module only converts it to DER for the strict reader and does not decode it any further. Depth and work are
// limited, and only DerError is thrown.
import { concatBytes, plainBytes } from '../bytes.ts';
import { constructed, encodeDer, primitive, type DerPart } from './writer.ts';
import { DerError, type DerErrorCode } from '../errors.ts';
import { MAX_DER_DEPTH } from './reader.ts';
import { TAG } from './tags.ts';

/** Identifier octet of a constructed OCTET STRING (X.690 §8.7.3). */
const CONSTRUCTED_OCTET_STRING = 0x24;
/**
 * Maximum number of steps between elements, about 100 ms of work. Segments of a stream are visited about ten times,
 * because the end of an indefinite-length element is known only after a scan.
 */
const MAX_STEPS = 1_000_000;

interface BerElement {
  readonly tag: number;
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Offset of the next element, after any end-of-contents octets. */
  readonly next: number;
  readonly depth: number;
  readonly isLengthDer: boolean;
}

export interface BerOptions {
  /** Whether to keep an element's children unchanged, given the tags from the outermost element down to it. */
  readonly keepsChildrenOf?: (tags: readonly number[]) => boolean;
}

/**
 * Converts an element to DER, except for the order of sets and for implicitly tagged octet strings, which require
 * knowledge of the type. DER input is returned unchanged, without copying. Throws `DerError`, including for trailing
 * bytes.
 */
export function derFromBer(bytes: Uint8Array, options: BerOptions = {}): Uint8Array {
  const source = plainBytes(bytes);
  const walk: Walk = { source, keepsChildrenOf: options.keepsChildrenOf ?? (() => false), steps: 0 };
  const element = elementAt(walk, 0, { end: source.length, depth: 0 });
  if (element.next !== source.length)
    throw malformedError('trailing-bytes', element.next, 'bytes follow its last element');
  const part = derPart(walk, element, []);
  return part instanceof Uint8Array ? part : encodeDer(part);
}

interface Walk {
  readonly source: Uint8Array;
  readonly keepsChildrenOf: (tags: readonly number[]) => boolean;
  steps: number;
}

function derPart(walk: Walk, element: BerElement, outer: readonly number[]): DerPart {
  const { source } = walk;
  if (isDer(walk, element, outer)) return source.subarray(element.start, element.next);
  if (!isConstructed(element)) return primitive(element.tag, contentOf(source, element));
  if (element.tag === CONSTRUCTED_OCTET_STRING) {
    const pieces: Uint8Array[] = [];
    collectSegments(walk, element, pieces);
    return primitive(TAG.octetString, concatBytes(pieces));
  }
  const tags = [...outer, element.tag];
  const keeps = walk.keepsChildrenOf(tags);
  const parts: DerPart[] = [];
  for (const child of childrenOf(walk, element))
    parts.push(keeps ? source.subarray(child.start, child.next) : derPart(walk, child, tags));
  return constructed(element.tag, parts);
}

function isDer(walk: Walk, element: BerElement, outer: readonly number[]): boolean {
  if (!element.isLengthDer || element.tag === CONSTRUCTED_OCTET_STRING) return false;
  if (!isConstructed(element)) return true;
  const tags = [...outer, element.tag];
  if (walk.keepsChildrenOf(tags)) return true;
  for (const child of childrenOf(walk, element)) if (!isDer(walk, child, tags)) return false;
  return true;
}

function collectSegments(walk: Walk, element: BerElement, pieces: Uint8Array[]): void {
  for (const child of childrenOf(walk, element)) {
    if (child.tag === TAG.octetString) pieces.push(contentOf(walk.source, child));
    else if (child.tag === CONSTRUCTED_OCTET_STRING) collectSegments(walk, child, pieces);
    else throw malformedError('unexpected-tag', child.start, 'a segment of an OCTET STRING has a different type');
  }
}

const isConstructed = ({ tag }: BerElement): boolean => (tag & 0x20) !== 0;

const contentOf = (source: Uint8Array, { contentStart, contentEnd }: BerElement): Uint8Array =>
  source.subarray(contentStart, contentEnd);

const malformedError = (code: DerErrorCode, offset: number, reason: string): DerError =>
  new DerError(code, offset, `The encoding is malformed: ${reason}`);

interface BerLimit {
  readonly end: number;
  readonly depth: number;
}

function elementAt(walk: Walk, start: number, { end, depth }: BerLimit): BerElement {
  const { source } = walk;
  if (walk.steps++ === MAX_STEPS) throw malformedError('too-many-elements', start, 'it has too many elements');
  const tag = source[start];
  const first = source[start + 1];
  if (depth > MAX_DER_DEPTH)
    throw malformedError('too-deep', start, `it is nested deeper than ${MAX_DER_DEPTH} levels`);
  if (tag === undefined || first === undefined || start + 2 > end)
    throw malformedError('truncated', start, 'it ends inside an element');
  if (first === 0x80) return indefiniteElement(walk, { tag, start, end, depth });
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
  if (lengthOctets > 4) throw malformedError('length-too-large', start + 1, 'a length has more than four bytes');
  if (start + 2 + lengthOctets > end) throw malformedError('truncated', start, 'it ends inside an element');
  const contentStart = start + 2 + lengthOctets;
  let length = lengthOctets === 0 ? first : 0;
  // The index is within bounds.
  for (let at = start + 2; at < contentStart; at++) length = length * 256 + (source[at] as number);
  const contentEnd = contentStart + length;
  if (contentEnd > end) throw malformedError('length-beyond-end', start, 'a length exceeds the enclosing element');
  const isLengthDer = lengthOctets === 0 || (length >= 0x80 && source[start + 2] !== 0);
  return { tag, start, contentStart, contentEnd, next: contentEnd, depth, isLengthDer };
}

/** Reads up to the first end-of-contents octets outside any child (X.690 §8.1.3.6). */
function indefiniteElement(
  walk: Walk,
  { tag, start, end, depth }: BerLimit & { readonly tag: number; readonly start: number },
): BerElement {
  if ((tag & 0x20) === 0)
    throw malformedError('indefinite-length', start + 1, 'a primitive element has an indefinite length');
  const { source } = walk;
  let at = start + 2;
  while (!(source[at] === 0 && source[at + 1] === 0)) at = elementAt(walk, at, { end, depth: depth + 1 }).next;
  if (at + 2 > end) throw malformedError('truncated', at, 'an indefinite-length element has no end');
  return { tag, start, contentStart: start + 2, contentEnd: at, next: at + 2, depth, isLengthDer: false };
}

function* childrenOf(walk: Walk, parent: BerElement): Generator<BerElement> {
  for (let at = parent.contentStart; at < parent.contentEnd;) {
    const child = elementAt(walk, at, { end: parent.contentEnd, depth: parent.depth + 1 });
    yield child;
    at = child.next;
  }
}
