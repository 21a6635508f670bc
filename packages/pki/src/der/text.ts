// Converts ASN.1 character strings to and from JavaScript strings. `decodeText` is strict. `decodeTextLeniently` never
// fails; it is for names in third-party certificates, which an inventory must be able to display in any case.
import { TAG } from './tags.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf8Encoder = new TextEncoder();

/** Characters allowed in PrintableString (X.680 §41.4): letters, digits, space and '()+,-./:=? */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/**
 * Decodes bytes according to the tag's type. Returns `undefined` if they violate its rules or the tag is not a string
 * type.
 */
export function decodeText(tag: number, bytes: Uint8Array): string | undefined {
  switch (tag) {
    case TAG.utf8String:
      return decodeUtf8(bytes);
    case TAG.printableString:
    case TAG.numericString:
    case TAG.ia5String:
    case TAG.visibleString: {
      if (!isAscii(bytes)) return undefined;
      const text = utf8.decode(bytes);
      if (tag === TAG.printableString) return PRINTABLE.test(text) ? text : undefined;
      return tag === TAG.numericString && !/^[0-9 ]*$/.test(text) ? undefined : text;
    }
    case TAG.teletexString:
      return decodeLatin1(bytes);
    case TAG.bmpString:
      return bytes.length % 2 === 0 ? wellFormed(decodeUtf16(bytes)) : undefined;
    case TAG.universalString:
      return decodeUtf32(bytes);
    default:
      return undefined;
  }
}

/**
 * Decodes any bytes. Bytes that violate the rules of their type are read as Latin-1, so that different bytes stay
 * different. U+0000 becomes U+FFFD: databases reject it, and C programs end the string there. Returns `undefined` if
 * the tag is not a string type.
 */
export function decodeTextLeniently(tag: number, bytes: Uint8Array): string | undefined {
  let text: string | undefined;
  switch (tag) {
    case TAG.utf8String:
    case TAG.printableString:
    case TAG.numericString:
    case TAG.ia5String:
    case TAG.visibleString:
      text = decodeUtf8(bytes) ?? decodeLatin1(bytes);
      break;
    case TAG.teletexString:
      text = decodeLatin1(bytes);
      break;
    case TAG.bmpString:
    case TAG.universalString:
      text = decodeText(tag, bytes) ?? decodeLatin1(bytes);
      break;
    default:
      return undefined;
  }
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) >= 0x80) return false; // The index is within bounds.
  return true;
}

/** Decodes UTF-8 strictly; returns `undefined` if it is malformed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined; // The decoder's TypeError has no further details.
  }
}

/** Decodes one character per byte. TextDecoder('latin1') is not an alternative because it decodes windows-1252. */
export function decodeLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return text;
}

function decodeUtf16(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length / 2);
  // The length is even, so both bytes exist.
  for (let i = 0; i < units.length; i++) units[i] = ((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number);
  let text = '';
  for (let i = 0; i < units.length; i += 4096) text += String.fromCharCode(...units.subarray(i, i + 4096));
  return text;
}

function decodeUtf32(bytes: Uint8Array): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const characters: string[] = [];
  for (let i = 0; i < bytes.length; i += 4) {
    const point = view.getUint32(i);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    characters.push(String.fromCodePoint(point));
  }
  return characters.join('');
}

function wellFormed(text: string): string | undefined {
  return text.isWellFormed() ? text : undefined;
}

export function encodeUtf8(text: string): Uint8Array {
  return utf8Encoder.encode(text);
}

export function isPrintable(text: string): boolean {
  return PRINTABLE.test(text);
}

/** Encodes ASCII text; returns `undefined` if it contains other characters. */
export function encodeAscii(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return undefined;
    bytes[i] = code;
  }
  return bytes;
}

/** Encodes as big-endian UTF-16 without a byte order mark, as required for BMPString and PKCS #12 passwords. */
export function encodeUtf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit >> 8;
    bytes[2 * i + 1] = unit & 0xff;
  }
  return bytes;
}
