// Extracts the certificates from import files, with their positions. An upload is rejected as a whole; an import
// accepts what can be parsed and reports the rest. Pure.
import {
  fromBase64,
  isPkiError,
  openDer,
  PEM_LABELS,
  readPem,
  readPkcs7,
  TAG,
  utf16Text,
  withoutPadding,
} from '@signetry/pki';

export interface BundleFile {
  readonly name?: string | undefined;
  readonly content: string;
}

/** Numbers start at 1; the offset is that of the PEM block in the text. */
export interface BundlePosition {
  readonly file: number;
  readonly name?: string | undefined;
  readonly certificate?: number;
  readonly offset?: number;
}

export interface PositionedCertificate {
  readonly place: BundlePosition;
  readonly der: Uint8Array;
}

export interface RejectedEntry {
  readonly place: BundlePosition;
  readonly reason: string;
}

export interface Bundle {
  readonly found: PositionedCertificate[];
  readonly refused: RejectedEntry[];
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
/** A file may be Base64-encoded PEM or Base64-encoded Base64 text. Deeper nesting does not occur in practice. */
const MAX_WRAPPINGS = 2;

/** Reads the files. Stops and sets `isCut` if there are more than `maxFound` certificates and rejections. */
export function readBundle(files: readonly BundleFile[], maxFound: number): Bundle & { readonly isCut: boolean } {
  const bundle: Bundle = { found: [], refused: [] };
  for (const [index, { name, content }] of files.entries()) {
    readFile(bundle, content, { place: { file: index + 1, ...(name !== undefined && { name }) }, maxFound });
    if (isFull(bundle, maxFound)) return { ...bundle, isCut: true };
  }
  return { ...bundle, isCut: false };
}

const isFull = ({ found, refused }: Bundle, max: number): boolean => found.length + refused.length > max;

interface Reading {
  readonly place: BundlePosition;
  readonly maxFound: number;
}

function readFile(bundle: Bundle, content: string, reading: Reading): void {
  const { place } = reading;
  const before = bundle.found.length + bundle.refused.length;
  try {
    readText(bundle, content, { ...reading, wrappings: MAX_WRAPPINGS });
    if (bundle.found.length + bundle.refused.length === before)
      bundle.refused.push({ place, reason: 'The file does not contain a certificate.' });
  } catch (error) {
    bundle.refused.push({ place, reason: reasonOf(error) });
  }
}

function readText(bundle: Bundle, text: string, reading: Reading & { readonly wrappings: number }): void {
  const { place, wrappings } = reading;
  if (text.includes(BEGIN)) return readBlocks(bundle, text, reading);
  const octets = withoutPadding(fromBase64(text));
  if (octets[0] === TAG.sequence) {
    for (const [index, der] of dersOf(octets).entries())
      bundle.found.push({ place: { ...place, certificate: index + 1 }, der });
    return;
  }
  const wide = utf16Text(octets);
  const inner = wide ?? Buffer.from(octets).toString('latin1');
  // Base64 is printable ASCII with line breaks, while the text around PEM blocks can have any encoding.
  const isReadable = wide !== undefined || inner.includes(BEGIN) || /^[\t\n\r\x20-\x7e]+$/.test(inner);
  if (wrappings === 0 || !isReadable) throw new Error('The file is not a DER or PEM certificate or PKCS#7.');
  readText(bundle, inner, { ...reading, wrappings: wrappings - 1 });
}

/**
 * Parses each block separately, so that a malformed block does not affect the others. Takes time linear in the length
 * of the text.
 */
function readBlocks(bundle: Bundle, text: string, { place, maxFound }: Reading): void {
  let number = 0;
  for (let at = text.indexOf(BEGIN); at !== -1 && !isFull(bundle, maxFound);) {
    const next = text.indexOf(BEGIN, at + BEGIN.length);
    const end = text.indexOf(END, at);
    const isWhole = end !== -1 && (next === -1 || end < next);
    const after = isWhole ? text.indexOf(DASHES, end + END.length) : -1;
    number += 1;
    const own = { ...place, certificate: number, offset: at };
    if (after === -1) bundle.refused.push({ place: own, reason: 'The block does not have an "-----END" line.' });
    else number += readBlock(bundle, text.slice(at, after + DASHES.length), own) - 1;
    at = next;
  }
}

/** Returns the number of positions that the block occupies: one per certificate for PKCS #7. */
function readBlock(bundle: Bundle, block: string, place: BundlePosition & { readonly certificate: number }): number {
  try {
    const [read] = readPem(block);
    const ders = read ? dersOfBlock(read) : [];
    for (const [index, der] of ders.entries())
      bundle.found.push({ place: { ...place, certificate: place.certificate + index }, der });
    if (ders.length > 0) return ders.length;
    bundle.refused.push({ place, reason: 'The block does not contain a certificate.' });
  } catch (error) {
    bundle.refused.push({ place, reason: reasonOf(error) });
  }
  return 1;
}

const certificateLabels: readonly string[] = PEM_LABELS.certificate;
const pkcs7Labels: readonly string[] = PEM_LABELS.pkcs7;

function dersOfBlock({ label, der }: { readonly label: string; readonly der: Uint8Array }): Uint8Array[] {
  if (certificateLabels.includes(label)) return [der];
  if (pkcs7Labels.includes(label)) return readPkcs7(der);
  throw new Error(`Unsupported block type ${label}; only certificates and PKCS#7 can be imported.`);
}

/**
 * Distinguishes the formats: a certificate starts with a SEQUENCE, PKCS #7 with an OBJECT IDENTIFIER, and PKCS #12 and
 * private keys with an INTEGER.
 */
function dersOf(octets: Uint8Array): Uint8Array[] {
  const tag = octets[1] === 0x80 ? octets[2] : openDer(octets).peekTag();
  if (tag === TAG.oid) return readPkcs7(octets);
  if (tag === TAG.integer)
    throw new Error('The file is PKCS#12 or a private key; only certificates and PKCS#7 can be imported.');
  return [octets];
}

/** Returns the reason for a rejection; rethrows internal errors. */
function reasonOf(error: unknown): string {
  if (isPkiError(error)) return error.message;
  if (error instanceof Error && error.constructor === Error) return error.message;
  throw error;
}
