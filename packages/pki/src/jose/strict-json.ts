// Strict JSON for signed objects: valid UTF-8, no duplicate member names, limited size. JSON.parse keeps the last of
// two members with the same name, other parsers keep the first; signer and verifier must not read different values (RFC
// 7515 §4).
import { decodeUtf8 } from '../der/text.ts';
import { JoseError } from './jose-error.ts';

/** Default size limit in bytes: enough for a header with an RSA-8192 key and certificates. */
export const MAX_JSON_BYTES = 16_384;
/** Maximum nesting depth. A header has two levels, protocol requests a few more. */
export const MAX_JSON_DEPTH = 16;

/**
 * Parses JSON. Throws `JoseError` `malformed` if the input exceeds `maxBytes` bytes, is not UTF-8 or not JSON, is
 * nested too deeply, or has a duplicate member name within an object.
 */
export function parseStrictJson(bytes: Uint8Array, maxBytes: number = MAX_JSON_BYTES): unknown {
  if (bytes.length > maxBytes) throw new JoseError('malformed', `The JSON text must not exceed ${maxBytes} bytes.`);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new JoseError('malformed', 'The JSON text must be UTF-8.');
  const value = parse(text);
  checkMembers(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JoseError('malformed', 'The text is not valid JSON.'); // The parser's message would quote the input.
  }
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Scans text already known to be valid JSON, in which a string is a member name if and only if a colon follows it. */
function checkMembers(text: string): void {
  /** Names found so far in each open object; undefined for arrays. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (open.length === MAX_JSON_DEPTH) throw new JoseError('malformed', 'The JSON text is nested too deeply.');
        open.push(text.charCodeAt(at) === OPEN_BRACE ? new Set() : undefined);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (isName(text, end)) addName(open.at(-1), text.slice(at, end + 1));
        at = end;
        break;
      }
    }
  }
}

/** Returns the index of the closing quote, the first one that is not escaped. */
function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
}

function isName(text: string, end: number): boolean {
  let at = end + 1;
  // JSON whitespace (RFC 8259 §2). At the end of the text, the code is NaN and the loop ends.
  while (text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === COLON;
}

function addName(names: Set<string> | undefined, literal: string): void {
  // Escapes can hide duplicate names: "alg" and "\u0061lg" are equal.
  const name = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
  if (names?.has(name)) throw new JoseError('malformed', 'The JSON text contains a duplicate member name.');
  names?.add(name);
}
