// Unambiguous certificate file formats that no RFC defines: UTF-16 text from Windows, OpenSSL blocks, bytes after the
// DER. Used to read external files; these formats are never written.
import { openDer } from './der/reader.ts';
import { TAG } from './der/tags.ts';
import { PkiError } from './errors.ts';

/** A variant that was accepted although no standard defines it. */
export type LenientForm =
  'utf-16' | 'escaped-line-breaks' | 'trusted-certificate' | 'trailing-bytes' | 'pkcs7-label' | 'rsa-parameters';

/** Findings for each variant, as sentences. */
export const LENIENT_FORM_TEXTS: Readonly<Record<LenientForm, string>> = {
  'utf-16': 'The text is encoded in UTF-16 instead of ASCII.',
  'escaped-line-breaks': 'Line breaks are written as the two characters "\\n".',
  'trusted-certificate': 'The OpenSSL trust settings after the certificate (TRUSTED CERTIFICATE) were ignored.',
  'trailing-bytes': 'Padding after the end of the DER was ignored.',
  'pkcs7-label': 'PKCS #7 is labeled CERTIFICATE.',
  'rsa-parameters': 'The parameters of the RSA signature algorithm are NULL in one place and absent in the other.',
};

/** Bytes after DER are usually line endings and padding from copying. */
const PADDING: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x1a, 0x20]);

/**
 * Decodes UTF-16 text as written by PowerShell and Windows editors, recognized by its byte order mark or the zero bytes
 * of ASCII characters. Returns undefined for any other input.
 */
export function utf16Text(octets: Uint8Array): string | undefined {
  const order = byteOrderOf(octets);
  if (order === undefined || octets.length % 2 !== 0) return undefined;
  return new TextDecoder(order === 'little' ? 'utf-16le' : 'utf-16be').decode(octets);
}

function byteOrderOf([first, second, third, fourth]: Uint8Array): 'little' | 'big' | undefined {
  if (first === 0xff && second === 0xfe) return 'little';
  if (first === 0xfe && second === 0xff) return 'big';
  const [isLittle, isBig] = [second === 0 && fourth === 0, first === 0 && third === 0];
  if (isLittle === isBig) return undefined;
  const letters = isLittle ? [first, third] : [second, fourth];
  return letters.every((letter = 0) => letter >= 0x20 && letter < 0x7f) ? (isLittle ? 'little' : 'big') : undefined;
}

/** Returns the first element if only padding follows it, otherwise all bytes unchanged. */
export function withoutPadding(octets: Uint8Array): Uint8Array {
  const length = firstElementLength(octets);
  if (length === undefined || length >= octets.length) return octets;
  return octets.subarray(length).every((octet) => PADDING.has(octet)) ? octets.subarray(0, length) : octets;
}

/** Returns the certificate from an OpenSSL TRUSTED CERTIFICATE, in which trust settings follow it. */
export const firstElement = (octets: Uint8Array): Uint8Array => octets.subarray(0, firstElementLength(octets));

/** Returns undefined if the input is not a SEQUENCE with a definite length. */
function firstElementLength(octets: Uint8Array): number | undefined {
  const [tag, first = 0] = octets;
  if (tag !== TAG.sequence || first === 0x80) return undefined;
  if (first < 0x80) return 2 + first;
  const lengthOctets = first & 0x7f;
  if (lengthOctets > 4) return undefined;
  const content = octets.subarray(2, 2 + lengthOctets).reduce((sum, octet) => sum * 256 + octet, 0);
  return 2 + lengthOctets + content;
}

/**
 * Returns whether the bytes are PKCS #7, which begins with the OID of its content type, even in a PEM block labeled
 * CERTIFICATE.
 */
export function isPkcs7(octets: Uint8Array): boolean {
  if (octets[0] !== TAG.sequence) return false;
  if (octets[1] === 0x80) return octets[2] === TAG.oid;
  try {
    return openDer(octets).peekTag() === TAG.oid;
  } catch (error) {
    if (error instanceof PkiError) return false;
    throw error;
  }
}

/** Replaces line endings written as two-character escapes, as in JSON and environment variables. */
export const unescapeLineBreaks = (text: string): string =>
  text.includes('\\n') || text.includes('\\r') ? text.replaceAll(/\\r\\n|\\n|\\r/g, '\n') : text;
