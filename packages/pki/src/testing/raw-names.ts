// Names that `buildName` rejects: unusual string types and malformed values.
import { encodeDer, oidPart, sequence, setOf } from '../der/writer.ts';
import { encodeUtf16 } from '../der/text.ts';

/** Encodes a name with one attribute per RDN from encoded values. */
export function rawName(attributes: readonly (readonly [oid: string, value: Uint8Array])[]): Uint8Array {
  return encodeDer(sequence(attributes.map(([oid, value]) => setOf([sequence([oidPart(oid), value])]))));
}

export function bmpString(text: string): Uint8Array {
  const content = encodeUtf16(text);
  return Uint8Array.from([0x1e, content.length, ...content]);
}
