// Certificates in a PKCS#7 file: SignedData without content and signers (RFC 5652 §5.1, "certs-only"). Reading
// takes BER with indefinite lengths too, since many tools write it so, and is bounded; nothing but the certificates is
// looked at.
import { DerError, PkiError, type DerErrorCode } from './errors.ts';
import { encodeDer, explicitPart, implicitConstructed, integerPart, oidPart, sequence, setOf } from './der/writer.ts';
import { OID } from './oids.ts';
import { parseDer, readOid } from './der/reader.ts';

/** The certificates stay in the given order, which readers of chains rely on. */
export function writePkcs7(certificates: readonly Uint8Array[]): Uint8Array {
  const signedData = sequence([
    integerPart(1),
    setOf([]),
    sequence([oidPart(OID.pkcs7Data)]),
    implicitConstructed(0, certificates),
    setOf([]),
  ]);
  return encodeDer(sequence([oidPart(OID.pkcs7SignedData), explicitPart(0, signedData)]));
}

/** DER of the X.509 certificates of a PKCS#7 file, in its order. Throws `PkiError`. */
export function readPkcs7(file: Uint8Array): Uint8Array[] {
  const [contentType, content] = childrenOf(file, elementAt(file, 0, { end: file.length, depth: 0 }));
  if (contentType?.tag !== TAG_OID)
    throw broken('unexpected-tag', contentType?.start ?? 0, 'it does not tell its type');
  if (content?.tag !== TAG_EXPLICIT_0)
    throw broken('unexpected-tag', content?.start ?? contentType.next, 'it has no content');
  const type = readOid(parseDer(file.subarray(contentType.start, contentType.next)));
  if (type !== OID.pkcs7SignedData)
    throw new PkiError('bad-argument', `The PKCS#7 file holds the type ${type} where signed data is expected.`);
  const [signedData] = childrenOf(file, content);
  if (signedData?.tag !== TAG_SEQUENCE)
    throw broken('unexpected-tag', signedData?.start ?? content.contentStart, 'its content is no signed data');
  const certificates = childrenOf(file, signedData).find(({ tag }) => tag === TAG_EXPLICIT_0);
  // Other choices of CertificateChoices (attribute certificates) have context tags (RFC 5652 §10.2.2).
  return (certificates ? childrenOf(file, certificates) : [])
    .filter(({ tag }) => tag === TAG_SEQUENCE)
    .map(({ start, next }) => file.subarray(start, next));
}

const TAG_SEQUENCE = 0x30;
const TAG_OID = 0x06;
const TAG_EXPLICIT_0 = 0xa0;

/** SignedData nests three levels above its certificates, and those about ten; bombs use thousands. */
const MAX_DEPTH = 32;
/** Far more than a file within the upload limit has at one level, unless it is made to cost time. */
const MAX_CHILDREN = 10_000;

interface BerElement {
  readonly tag: number;
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Offset of what follows: after the end-of-contents octets when the length is indefinite. */
  readonly next: number;
  readonly depth: number;
}

const broken = (code: DerErrorCode, offset: number, reason: string): DerError =>
  new DerError(code, offset, `The PKCS#7 file is not well-formed: ${reason}`);

function elementAt(
  file: Uint8Array,
  start: number,
  limit: { readonly end: number; readonly depth: number },
): BerElement {
  const { end, depth } = limit;
  const tag = file[start];
  const first = file[start + 1];
  if (depth > MAX_DEPTH) throw broken('too-deep', start, `it is nested deeper than ${MAX_DEPTH} levels`);
  if (tag === undefined || first === undefined || start + 2 > end)
    throw broken('truncated', start, 'it ends inside an element');
  if (first === 0x80) return indefiniteElement(file, { tag, start, end, depth });
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
  if (lengthOctets > 4) throw broken('length-too-large', start + 1, 'a length has more than four octets');
  if (start + 2 + lengthOctets > end) throw broken('truncated', start, 'it ends inside an element');
  const contentStart = start + 2 + lengthOctets;
  const length =
    lengthOctets === 0 ? first : file.subarray(start + 2, contentStart).reduce((sum, octet) => sum * 256 + octet, 0);
  const contentEnd = contentStart + length;
  if (contentEnd > end) throw broken('length-beyond-end', start, 'a length reaches beyond the element around it');
  return { tag, start, contentStart, contentEnd, next: contentEnd, depth };
}

/** Ends at the first end-of-contents octets that are not inside a child (X.690 §8.1.3.6). */
function indefiniteElement(
  file: Uint8Array,
  { tag, start, end, depth }: { tag: number; start: number; end: number; depth: number },
): BerElement {
  if ((tag & 0x20) === 0) throw broken('indefinite-length', start + 1, 'a primitive element has no length');
  let at = start + 2;
  while (!(file[at] === 0 && file[at + 1] === 0)) at = elementAt(file, at, { end, depth: depth + 1 }).next;
  if (at + 2 > end) throw broken('truncated', at, 'an element without length has no end');
  return { tag, start, contentStart: start + 2, contentEnd: at, next: at + 2, depth };
}

function childrenOf(file: Uint8Array, parent: BerElement): BerElement[] {
  const children: BerElement[] = [];
  for (let at = parent.contentStart; at < parent.contentEnd;) {
    if (children.length === MAX_CHILDREN)
      throw broken('too-many-elements', at, `it has more than ${MAX_CHILDREN} elements in a row`);
    const child = elementAt(file, at, { end: parent.contentEnd, depth: parent.depth + 1 });
    children.push(child);
    at = child.next;
  }
  return children;
}
