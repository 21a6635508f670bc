// PEM text (RFC 7468). The decoder is lenient, as RFC 7468 §2 recommends: text around the blocks, any line length,
// CRLF, RFC 1421 headers, and the variants in file-formats.ts. The encoder is strict: 64 characters per line, LF.
// Blocks are located with indexOf, so hostile text costs linear time.
import { decodeLatin1, decodeUtf8 } from './der/text.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { PkiError } from './errors.ts';
import {
  firstElement,
  isPkcs7,
  utf16Text,
  withoutPadding,
  unescapeLineBreaks,
  type LenientForm,
} from './file-formats.ts';
import { TAG } from './der/tags.ts';

/** Maximum number of blocks in one text: a trusted root bundle has about 150. */
export const MAX_PEM_BLOCKS = 2000;
/** Maximum length of text and bytes: the platform's upload limit. */
export const MAX_PEM_LENGTH = 16 * 1024 * 1024;

export interface PemBlock {
  /** The text between `-----BEGIN ` and the dashes, for example `CERTIFICATE`. */
  readonly label: string;
  readonly der: Uint8Array;
  /** RFC 1421 headers, such as `DEK-Info` in old encrypted keys, with their names as written. */
  readonly headers: ReadonlyMap<string, string>;
  /** Variants that were accepted to read the block; absent if there are none. */
  readonly forms?: readonly LenientForm[];
}

export interface PemLimits {
  /** Number of the text's first line in error messages. */
  readonly firstLine?: number;
  readonly maxBlocks?: number;
  readonly maxLength?: number;
}

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
/** RFC 7468 §3 does not limit the length; the longest label in use is 28 characters long. */
const MAX_LABEL = 64;
/** Maximum number of header lines. Old encrypted keys have two headers; mail messages had about ten. */
const MAX_HEADER_LINES = 64;
const MAX_HEADER_LENGTH = 16 * 1024;

/**
 * Returns all blocks of a text in order, or an empty list if there are none. Throws `PkiError`: `bad-pem` for a block
 * without an end line or label, `bad-base64` for an invalid body, `bound-exceeded` for too much text or too many
 * blocks.
 */
export function readPem(given: string, limits: PemLimits = {}): PemBlock[] {
  const text = unescapeLineBreaks(given);
  const isUnescaped = text !== given;
  const { maxBlocks = MAX_PEM_BLOCKS, maxLength = MAX_PEM_LENGTH, firstLine = 1 } = limits;
  const lineOf = (at: number): number => firstLine - 1 + lineIn(text, at);
  if (text.length > maxLength) throw new PkiError('bound-exceeded', `The text exceeds ${maxLength} characters.`);
  const blocks: PemBlock[] = [];
  for (let at = text.indexOf(BEGIN); at !== -1; at = text.indexOf(BEGIN, at)) {
    if (blocks.length === maxBlocks)
      throw new PkiError('bound-exceeded', `The text contains more than ${maxBlocks} PEM blocks.`);
    const labelStart = at + BEGIN.length;
    const labelEnd = text.indexOf(DASHES, labelStart);
    const label = text.slice(labelStart, Math.min(labelEnd, labelStart + MAX_LABEL + 1));
    if (labelEnd === -1 || label.length > MAX_LABEL || !/^[\x20-\x7e]+$/.test(label)) {
      throw new PkiError('bad-pem', `The "-----BEGIN" line ${lineOf(at)} is incomplete.`);
    }
    const bodyStart = labelEnd + DASHES.length;
    const end = `-----END ${label}-----`;
    // The body has no dashes, so the next run of them is either the end line or an error. Headers may contain some.
    const bodyEnd = text.indexOf('-----END ', bodyStart);
    if (bodyEnd === -1 || !text.startsWith(end, bodyEnd)) {
      throw new PkiError(
        'bad-pem',
        `The "${label}" block has no matching "-----END ${label}-----" line (it starts on line ${lineOf(at)}).`,
      );
    }
    const body = text.slice(bodyStart, bodyEnd);
    const block = withActualLabel(readBlockOrExplain(label, body, () => lineOf(at)));
    blocks.push(isUnescaped ? withForm(block, 'escaped-line-breaks') : block);
    at = bodyEnd + end.length;
  }
  return blocks;
}

/**
 * For trusted certificates, returns only the certificate; PKCS #7 under a certificate label receives the PKCS #7 label.
 */
function withActualLabel(block: PemBlock): PemBlock {
  if (block.label === 'TRUSTED CERTIFICATE') {
    const trusted = { ...block, label: PEM_LABELS.certificate[0], der: firstElement(block.der) };
    return withForm(trusted, 'trusted-certificate');
  }
  if (!(PEM_LABELS.certificate as readonly string[]).includes(block.label)) return block;
  if (isPkcs7(block.der)) return withForm({ ...block, label: PEM_LABELS.pkcs7[0] }, 'pkcs7-label');
  const der = withoutPadding(block.der);
  return der.length < block.der.length ? withForm({ ...block, der }, 'trailing-bytes') : block;
}

const withForm = (block: PemBlock, form: LenientForm): PemBlock => ({
  ...block,
  forms: [...(block.forms ?? []), form],
});

/** Reads a block. Errors in its body specify the block, because a bundle has many blocks. */
function readBlockOrExplain(label: string, body: string, lineOf: () => number): PemBlock {
  try {
    return readBlock(label, body);
  } catch (error) {
    if (!(error instanceof PkiError) || error.code !== 'bad-base64') throw error;
    const message = `The "${label}" block that starts on line ${lineOf()} is not valid Base64.`;
    throw new PkiError('bad-base64', message, { cause: error });
  }
}

/** Line number, starting at 1; for messages only. */
const lineIn = (text: string, at: number): number => text.slice(0, at).split(/\r\n|\n|\r/).length;

function readBlock(label: string, inside: string): PemBlock {
  const headers = new Map<string, string>();
  if (!inside.includes(':')) return { label, der: fromBase64(inside), headers };
  // RFC 1421 headers end with an empty line; continuation lines start with whitespace.
  let name: string | undefined;
  let at = 0;
  for (let count = 0; at < inside.length; count++) {
    const { line, next } = lineAt(inside, at);
    const colon = line.indexOf(':');
    const continues = colon <= 0 && name !== undefined && /^[ \t]+\S/.test(line);
    const isFirstAndEmpty = count === 0 && line.trim() === '';
    if (colon <= 0 && !continues && !isFirstAndEmpty) break;
    if (count > MAX_HEADER_LINES || next > MAX_HEADER_LENGTH)
      throw new PkiError('bound-exceeded', `The "${label}" block has too many headers.`);
    if (colon > 0) {
      name = line.slice(0, colon).trim();
      headers.set(name, line.slice(colon + 1).trim());
    } else if (continues && name !== undefined) {
      headers.set(name, `${headers.get(name) ?? ''} ${line.trim()}`);
    }
    at = next;
  }
  return { label, der: fromBase64(inside.slice(at)), headers };
}

/** Returns a line that ends in CRLF, LF or CR, and the start of the next one. */
function lineAt(text: string, start: number): { line: string; next: number } {
  const ends = /\r\n|\n|\r/g;
  ends.lastIndex = start;
  const end = ends.exec(text);
  return end === null
    ? { line: text.slice(start), next: text.length }
    : { line: text.slice(start, end.index), next: ends.lastIndex };
}

/**
 * Returns one block with 64 characters per line and a final line break (RFC 7468 §3). Throws `bad-argument` for an
 * unsupported label.
 */
export function writePem(label: string, der: Uint8Array): string {
  if (!/^[A-Z0-9][A-Z0-9 #]{0,63}$/.test(label))
    throw new PkiError(
      'bad-argument',
      'A PEM label must have 1 to 64 uppercase letters, digits, spaces and #, and must not start with a space or #.',
    );
  const body = toBase64(der);
  const lines: string[] = [`-----BEGIN ${label}-----`];
  for (let at = 0; at < body.length; at += 64) lines.push(body.slice(at, at + 64));
  lines.push(`-----END ${label}-----`, '');
  return lines.join('\n');
}

/** Returns concatenated certificates as in `fullchain.pem`; the caller must pass the leaf certificate first. */
export function writePemChain(certificates: readonly Uint8Array[]): string {
  return certificates.map((der) => writePem('CERTIFICATE', der)).join('');
}

/** PEM labels used for the same type of object. The first label in each list is used for output. */
export const PEM_LABELS = {
  certificate: ['CERTIFICATE', 'X509 CERTIFICATE'],
  certificateRequest: ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'],
  crl: ['X509 CRL'],
  pkcs7: ['PKCS7', 'CMS'],
  privateKey: ['PRIVATE KEY'],
  encryptedPrivateKey: ['ENCRYPTED PRIVATE KEY'],
  publicKey: ['PUBLIC KEY'],
} as const;

/**
 * Returns DER from client input: DER bytes, PEM as bytes or text, or base64 text without header lines. For PEM, returns
 * the first block with one of the labels. Throws `PkiError`: `bad-pem` with the labels found instead, `bad-base64`,
 * `bound-exceeded`.
 */
export function readDerOrPem(input: Uint8Array | string, labels: readonly string[]): Uint8Array {
  const text = typeof input === 'string' ? input : textOfOctets(input);
  if (text === undefined) return withoutPadding(input as Uint8Array); // `undefined` is only returned for bytes.
  const blocks = readPem(text);
  if (blocks.length === 0) {
    if (text.length > MAX_PEM_LENGTH) throw new PkiError('bound-exceeded', 'The text is too long.');
    if (text.trim() === '') throw new PkiError('bad-pem', 'The input is empty.');
    return fromBase64(text);
  }
  const wanted = blocks.find((block) => labels.includes(block.label));
  if (wanted !== undefined) return wanted.der;
  const found = [...new Set(blocks.map((block) => block.label))].slice(0, 5).join('", "');
  throw new PkiError('bad-pem', `The input contains "${found}", but "${labels[0] ?? ''}" was expected.`);
}

/**
 * Returns bytes as text, or `undefined` if they are DER: a SEQUENCE whose tag 0x30 ("0") is followed by a length, not
 * by text.
 */
function textOfOctets(octets: Uint8Array): string | undefined {
  if (octets.length > MAX_PEM_LENGTH) throw new PkiError('bound-exceeded', 'The input is too long.');
  if (octets[0] === TAG.sequence && !looksLikeText(octets)) return undefined;
  return utf16Text(octets) ?? decodeUtf8(octets) ?? decodeLatin1(octets);
}

function looksLikeText(octets: Uint8Array): boolean {
  for (const octet of octets) {
    const isText = (octet >= 0x20 && octet < 0x7f) || octet === 0x0a || octet === 0x0d || octet === 0x09;
    if (!isText) return false;
  }
  return true;
}
