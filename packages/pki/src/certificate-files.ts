// The only reader of certificate files, for uploads, imports, the command line and discoveries: DER, PEM, PKCS #7, and
// the Base64 encoding of each of these. It accepts unambiguous variants (file-formats.ts) and reports them, and it
// returns what it cannot read next to what it can. Callers decide which of both to accept. Takes time linear in the
// length of the file.
import { fromBase64 } from './base64.ts';
import { openDer } from './der/reader.ts';
import { TAG } from './der/tags.ts';
import { decodeLatin1 } from './der/text.ts';
import { PkiError } from './errors.ts';
import { LENIENT_FORM_TEXTS, utf16Text, withoutPadding, type LenientForm } from './file-formats.ts';
import { PEM_LABELS, readPem, type PemBlock } from './pem.ts';
import { readPkcs7 } from './pkcs7.ts';
import type { Certificate } from './x509/certificate.ts';

/** Position in the file: the number of the certificate or block, from 1, and the offset of a PEM block in its text. */
export interface EntryPosition {
  readonly number: number;
  readonly offset?: number;
}

export interface FoundCertificate extends EntryPosition {
  /** Not parsed, except for its outermost structure. */
  readonly der: Uint8Array;
  /** Variants that were accepted to read it. */
  readonly forms: readonly LenientForm[];
}

/** A PEM block of any other kind, or DER that begins like PKCS #12 or a private key and has no label. */
export interface OtherEntry extends EntryPosition {
  readonly label: string | undefined;
  readonly der: Uint8Array;
  readonly headers: ReadonlyMap<string, string>;
}

/** Part of a file that cannot be read; without a position, the whole file. */
export interface UnreadableEntry extends Partial<EntryPosition> {
  /** Label of the PEM block, if it has one. */
  readonly label?: string;
  readonly reason: string;
}

export interface CertificateFile {
  readonly format: 'PEM' | 'DER' | 'PKCS#7' | undefined;
  readonly certificates: readonly FoundCertificate[];
  readonly others: readonly OtherEntry[];
  readonly unreadable: readonly UnreadableEntry[];
  /** Whether there are more entries than allowed; the rest was not read. */
  readonly isCut: boolean;
}

export interface FileLimits {
  /** Maximum number of certificates, other blocks and unreadable blocks. */
  readonly maxEntries: number;
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
/** A file can be the Base64 encoding of PEM or of Base64 text. Deeper nesting does not occur. */
const MAX_WRAPPINGS = 2;
const NOT_A_FILE = 'The file must contain a certificate in DER or PEM, or PKCS #7.';

/** Returns the variants accepted to read the file and to parse the certificate, each once. */
export const formsOf = (
  { forms }: Pick<FoundCertificate, 'forms'>,
  { hasEqualAlgorithms }: Pick<Certificate, 'hasEqualAlgorithms'>,
): LenientForm[] => [...new Set<LenientForm>(hasEqualAlgorithms ? forms : [...forms, 'rsa-parameters'])];

/** Returns a finding for each variant, as sentences. */
export const describeForms = (forms: readonly LenientForm[]): string[] => forms.map((form) => LENIENT_FORM_TEXTS[form]);

interface Reading extends FileLimits {
  format: CertificateFile['format'];
  readonly certificates: FoundCertificate[];
  readonly others: OtherEntry[];
  readonly unreadable: UnreadableEntry[];
  /** Variants of the file as a whole. */
  readonly forms: LenientForm[];
}

/** Reads a file from its bytes, or from text: PEM, or Base64. Never throws because of the file's content. */
export function readCertificateFile(input: Uint8Array | string, { maxEntries }: FileLimits): CertificateFile {
  const reading: Reading = {
    format: undefined,
    certificates: [],
    others: [],
    unreadable: [],
    forms: [],
    maxEntries,
  };
  try {
    if (typeof input === 'string') readText(reading, input, MAX_WRAPPINGS);
    else readOctets(reading, input, MAX_WRAPPINGS + 1);
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    reading.unreadable.push({ reason: error.message });
  }
  const { format, certificates, others, unreadable } = reading;
  return { format, certificates, others, unreadable, isCut: countOf(reading) > maxEntries };
}

const countOf = ({ certificates, others, unreadable }: Reading): number =>
  certificates.length + others.length + unreadable.length;

function readOctets(reading: Reading, octets: Uint8Array, wrappings: number): void {
  const isPlainText = isText(octets);
  if (octets[0] === TAG.sequence && !isPlainText) return readDer(reading, octets);
  const wide = utf16Text(octets);
  if (wide !== undefined) reading.forms.push('utf-16');
  const text = wide ?? decodeLatin1(octets);
  // The text around the blocks in a PEM file can have any encoding. Tools write names there.
  const isReadable = wide !== undefined || isPlainText || hasByteOrderMark(octets) || text.includes(BEGIN);
  if (wrappings === 0 || !isReadable) throw new PkiError('bad-pem', NOT_A_FILE);
  readText(reading, text, wrappings - 1);
}

function readText(reading: Reading, text: string, wrappings: number): void {
  if (text.includes(BEGIN)) return readBlocks(reading, text);
  readOctets(reading, fromBase64(text.replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/, '')), wrappings);
}

const hasByteOrderMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf;

const isText = (octets: Uint8Array): boolean =>
  octets.every((octet) => (octet >= 0x20 && octet < 0x7f) || octet === 0x0a || octet === 0x0d || octet === 0x09);

// ---- DER ----

/** A certificate begins with a SEQUENCE, PKCS #7 with an OID, and PKCS #12 and private keys with an INTEGER. */
function readDer(reading: Reading, padded: Uint8Array): void {
  reading.format = 'DER';
  const der = withoutPadding(padded);
  if (der.length < padded.length) reading.forms.push('trailing-bytes');
  // Certificates must not use indefinite lengths (BER), so a file that does can only be PKCS #7 or PKCS #12.
  const tag = der[1] === 0x80 ? der[2] : openDer(der).peekTag();
  if (tag === TAG.integer) {
    reading.others.push({ number: 1, label: undefined, der, headers: new Map() });
    return;
  }
  if (tag === TAG.oid) reading.format = 'PKCS#7';
  const ders = tag === TAG.oid ? readPkcs7(der) : [der];
  for (const [index, each] of ders.entries())
    reading.certificates.push({ number: index + 1, der: each, forms: reading.forms });
}

// ---- PEM ----

/** Reads each block separately, so that a malformed block does not affect the others. */
function readBlocks(reading: Reading, text: string): void {
  reading.format = 'PEM';
  let [number, line, counted] = [0, 1, 0];
  for (let at = text.indexOf(BEGIN); at !== -1 && countOf(reading) <= reading.maxEntries;) {
    const next = text.indexOf(BEGIN, at + BEGIN.length);
    const piece = text.slice(at, next === -1 ? undefined : next);
    line += lineBreaksIn(text.slice(counted, at));
    counted = at;
    number += readBlock(reading, piece, { number: number + 1, offset: at, line });
    at = next;
  }
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

interface BlockPosition extends EntryPosition {
  readonly offset: number;
  readonly line: number;
}

/** Returns how many numbers the block uses: one per certificate for PKCS #7. */
function readBlock(reading: Reading, piece: string, { line, ...position }: BlockPosition): number {
  try {
    const end = piece.indexOf(END);
    const after = end === -1 ? -1 : piece.indexOf(DASHES, end + END.length);
    // Without an end line, the block is passed on as it is, for the error message.
    const [block] = readPem(after === -1 ? piece : piece.slice(0, after + DASHES.length), { firstLine: line });
    if (block === undefined) return 1;
    return addBlock(reading, block, position);
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    const [, label] = /^-----BEGIN ([\x20-\x2c\x2e-\x7e]{1,64})-----/.exec(piece) ?? [];
    reading.unreadable.push({ ...position, ...(label !== undefined && { label }), reason: error.message });
    return 1;
  }
}

function addBlock(reading: Reading, { label, der, headers, forms = [] }: PemBlock, position: EntryPosition): number {
  if (!isLabel(label, 'certificate') && !isLabel(label, 'pkcs7')) {
    reading.others.push({ ...position, label, der, headers });
    return 1;
  }
  const all = [...reading.forms, ...forms];
  const ders = isLabel(label, 'pkcs7') ? readPkcs7(der) : [der];
  for (const [index, each] of ders.entries())
    reading.certificates.push({ ...position, number: position.number + index, der: each, forms: all });
  if (ders.length > 0) return ders.length;
  reading.unreadable.push({ ...position, label, reason: 'The block does not contain a certificate.' });
  return 1;
}

const isLabel = (label: string, kind: 'certificate' | 'pkcs7'): boolean =>
  (PEM_LABELS[kind] as readonly string[]).includes(label);
