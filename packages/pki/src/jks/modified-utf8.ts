// Text encoding of Java's DataOutput ("modified UTF-8"): each UTF-16 code unit is encoded separately, without zero
// bytes.
import { PkiError } from '../errors.ts';

export function encodeModifiedUtf8(text: string): Uint8Array<ArrayBuffer> {
  const octets: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== 0 && unit < 0x80) octets.push(unit);
    else if (unit < 0x800) octets.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else octets.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Uint8Array.from(octets);
}

/** Decodes modified UTF-8. Throws `PkiError` `bad-text`. */
export function decodeModifiedUtf8(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i] as number; // The loop condition keeps the index within bounds.
    const length = first < 0x80 ? 1 : first >> 5 === 0b110 ? 2 : first >> 4 === 0b1110 ? 3 : 0;
    if (length === 0 || i + length > bytes.length) throw malformed();
    let unit = length === 1 ? first : first & (length === 2 ? 0x1f : 0x0f);
    for (let k = 1; k < length; k++) {
      const next = bytes[i + k] as number; // The index is within the bounds checked above.
      if (next >> 6 !== 0b10) throw malformed();
      unit = (unit << 6) | (next & 0x3f);
    }
    text += String.fromCharCode(unit);
    i += length;
  }
  return text;
}

const malformed = (): PkiError => new PkiError('bad-text', 'A text in the key store is not valid modified UTF-8.');
