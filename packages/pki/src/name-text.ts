// Parsing and formatting of distinguished names as RFC 4514 text. Text starts with the most specific RDN; encodings end
// with it. The parser also accepts the variants of RFC 4514 §2.4 and older texts: spaces around separators, quoted
// values, `;`, lowercase codes.
import { attributeTypeOfCode, codeOfAttributeType } from './names.ts';
import type { Name, NameAttributeInput, NameCodes, RdnInput } from './names.ts';
import { decodeTextLeniently, decodeUtf8, encodeUtf8 } from './der/text.ts';
import { contentBytes, parseDer } from './der/reader.ts';
import { fromHex } from './bytes.ts';
import { PkiError } from './errors.ts';

/** Maximum length of a name's text: far more than any real name, and small enough for instant parsing. */
export const MAX_NAME_TEXT = 16_384;

function rejectName(reason: string, at: number): never {
  throw new PkiError('bad-name', `The distinguished name ${reason} (character ${at + 1}).`);
}

/**
 * Parses RFC 4514 text and returns its RDNs in encoded order (`CN=www.example.com, O=Example\, Inc., C=DE` returns C
 * first), for `buildName`. Empty text is the empty name. Throws `PkiError` `bad-name`.
 */
export function parseNameText(text: string, codes?: NameCodes): RdnInput[] {
  if (text.length > MAX_NAME_TEXT) throw new PkiError('bad-name', 'The distinguished name is too long.');
  if (text.trim() === '') return [];
  const rdns: NameAttributeInput[][] = [];
  let rdn: NameAttributeInput[] = [];
  for (let at = 0; ;) {
    const equals = text.indexOf('=', at);
    if (equals === -1) rejectName('has an attribute type without "="', at);
    const code = text.slice(at, equals).trim();
    const type = attributeTypeOfCode(code, codes);
    if (type === undefined) rejectName(`has the unknown attribute type "${code.slice(0, 32)}"`, at);
    const value = readValue(text, equals + 1);
    rdn.push({ type, value: value.text });
    at = value.end;
    if (at < text.length && text[at] === '+') {
      at++;
      continue;
    }
    rdns.push(rdn);
    rdn = [];
    if (at >= text.length) return rdns.reverse();
    at++; // Skip the comma or semicolon.
  }
}

interface ParsedValue {
  readonly text: string;
  /** Position of the separator, or the end of the text. */
  readonly end: number;
}

function readValue(text: string, from: number): ParsedValue {
  let at = from;
  while (text[at] === ' ') at++;
  if (text[at] === '#') return readHexValue(text, at);
  if (text[at] === '"') return readQuotedValue(text, at);
  const octets: number[] = [];
  let kept = 0; // Bytes up to the last character that is not an unescaped space.
  while (at < text.length && !',;+'.includes(text[at] as string)) {
    if (text[at] === '"') rejectName('has a quotation mark inside a value', at);
    const escaped = text[at] === '\\';
    const isSpace = text[at] === ' ';
    at = escaped ? readEscape(text, at, octets) : readCharacter(text, at, octets);
    if (!isSpace) kept = octets.length;
  }
  return { text: textOf(octets.slice(0, kept), from), end: at };
}

function readQuotedValue(text: string, from: number): ParsedValue {
  const octets: number[] = [];
  let at = from + 1;
  while (text[at] !== '"') {
    if (at >= text.length) rejectName('has a quoted value without a closing quotation mark', from);
    at = text[at] === '\\' ? readEscape(text, at, octets) : readCharacter(text, at, octets);
  }
  at = separatorAfter(text, at + 1);
  return { text: textOf(octets, from), end: at };
}

/**
 * Reads `#` followed by the hex of an encoded value (RFC 4514 §2.4). Only character strings are accepted: a name's text
 * cannot represent anything else.
 */
function readHexValue(text: string, from: number): ParsedValue {
  let end = from + 1;
  while (end < text.length && !',;+ '.includes(text[end] as string)) end++;
  const element = parseDer(fromHex(text.slice(from + 1, end)));
  const value = decodeTextLeniently(element.tag, contentBytes(element));
  if (value === undefined) rejectName('has a hexadecimal value that is not a character string', from);
  return { text: value, end: separatorAfter(text, end) };
}

function separatorAfter(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  if (at < text.length && !',;+'.includes(text[at] as string)) rejectName('has unexpected text after a value', at);
  return at;
}

function readCharacter(text: string, at: number, octets: number[]): number {
  const point = text.codePointAt(at) ?? 0;
  const character = String.fromCodePoint(point);
  if (point < 0x80) octets.push(point);
  else octets.push(...encodeUtf8(character));
  return at + character.length;
}

/** Reads `\` followed by a special character, or by two hex digits for one byte of UTF-8. */
function readEscape(text: string, at: number, octets: number[]): number {
  const pair = text.slice(at + 1, at + 3);
  if (/^[0-9a-fA-F]{2}$/.test(pair)) {
    octets.push(Number.parseInt(pair, 16));
    return at + 3;
  }
  if (!' "#+,;<=>\\'.includes(pair[0] ?? '?')) rejectName('has an unknown escape sequence', at);
  return readCharacter(text, at + 1, octets);
}

function textOf(octets: number[], at: number): string {
  const value = decodeUtf8(Uint8Array.from(octets));
  if (value === undefined) rejectName('has a value that is not valid UTF-8', at);
  if (value.includes('\0')) rejectName('has a value that contains a NUL character', at);
  return value;
}

/**
 * Returns the RFC 4514 text of a name, escaped according to §2.4; types without a code appear as dotted OIDs. Parsing
 * the text returns the same name.
 */
export function formatNameRfc4514(name: Name, codes?: NameCodes): string {
  const rdns = name.rdns.map((rdn) =>
    rdn
      .map(({ type, value, tag }) => `${codeOfAttributeType(type, codes)}=${isText(tag) ? escapeValue(value) : value}`)
      .join('+'),
  );
  return rdns.reverse().join(',');
}

/** Returns whether the type is text. Values of all other types are already in `#` form. */
function isText(tag: number): boolean {
  return decodeTextLeniently(tag, new Uint8Array()) !== undefined;
}

function escapeValue(value: string): string {
  const endsWithSpace = value.length > 1 && value.endsWith(' ');
  const text = (endsWithSpace ? value.slice(0, -1) : value)
    .replace(/[\\"+,;<>]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(CONTROLS, (control) => `\\${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return endsWithSpace ? `${text}\\ ` : text;
}

// oxlint-disable-next-line no-control-regex -- control characters are what this expression is for
const CONTROLS = /[\x00-\x1f\x7f]/g;
