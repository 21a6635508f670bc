// GeneralName (RFC 5280 §4.2.1.6): decoding, encoding and the text forms in which platforms display alternative names.
import { contentBytes, DerCursor, elementBytes, explicitContent, readOid, type DerElement } from '../der/reader.ts';
import {
  constructed,
  encodeDer,
  explicitPart,
  ia5StringPart,
  implicitPrimitive,
  primitive,
  utf8StringPart,
  oidPart,
  type DerPart,
} from '../der/writer.ts';
import { decodeTextLeniently } from '../der/text.ts';
import { DerError, PkiError } from '../errors.ts';
import { encodeOid } from '../der/oid.ts';
import { formatIpAddress, parseIpAddress } from './ip-address.ts';
import { formatNameRfc4514 } from '../name-text.ts';
import { readName, type Name } from '../names.ts';
import { TAG } from '../der/tags.ts';

/**
 * Maximum number of names in one extension. Certificates with a few thousand names exist; larger numbers are an attack
 * on systems that display them.
 */
export const MAX_GENERAL_NAMES = 20_000;

/** Name types by tag number. The names match the keys of the API's map of alternative names. */
export const GENERAL_NAME_KINDS = [
  'otherName',
  'rfc822Name',
  'dNSName',
  'x400Address',
  'directoryName',
  'ediPartyName',
  'uniformResourceIdentifier',
  'iPAddress',
  'registeredID',
] as const;

export type GeneralNameKind = (typeof GENERAL_NAME_KINDS)[number];

export type GeneralName =
  | { readonly kind: 'otherName'; readonly type: string; readonly value: Uint8Array }
  | { readonly kind: 'rfc822Name' | 'dNSName' | 'uniformResourceIdentifier'; readonly value: string }
  | { readonly kind: 'directoryName'; readonly name: Name }
  /** 4 or 16 bytes; in name constraints, 8 or 32 bytes for address and mask. */
  | { readonly kind: 'iPAddress'; readonly octets: Uint8Array }
  | { readonly kind: 'registeredID'; readonly oid: string }
  | { readonly kind: 'x400Address' | 'ediPartyName'; readonly der: Uint8Array };

/** Reads one GeneralName. Throws `DerError`. */
export function readGeneralName(element: DerElement): GeneralName {
  switch (element.tag) {
    case 0xa0: {
      const cursor = new DerCursor(element);
      const type = readOid(cursor.next());
      const value = elementBytes(explicitContent(cursor.take(0xa0)));
      cursor.finish();
      return { kind: 'otherName', type, value };
    }
    case 0x81:
      return { kind: 'rfc822Name', value: readIa5(element) };
    case 0x82:
      return { kind: 'dNSName', value: readIa5(element) };
    case 0xa3:
      return { kind: 'x400Address', der: elementBytes(element) };
    case 0xa4:
      // directoryName is a CHOICE, so its tag is EXPLICIT (X.680 §31.2.7).
      return { kind: 'directoryName', name: readName(explicitContent(element)) };
    case 0xa5:
      return { kind: 'ediPartyName', der: elementBytes(element) };
    case 0x86:
      return { kind: 'uniformResourceIdentifier', value: readIa5(element) };
    case 0x87:
      return { kind: 'iPAddress', octets: contentBytes(element) };
    case 0x88:
      return { kind: 'registeredID', oid: readOid(element, 0x88) };
    default:
      throw new DerError('unexpected-tag', element.start);
  }
}

function readIa5(element: DerElement): string {
  return decodeTextLeniently(TAG.ia5String, contentBytes(element)) ?? '';
}

/** Reads the members of a GeneralNames element, whose own tag the caller must check. Throws `DerError`. */
export function readGeneralNames(element: DerElement): GeneralName[] {
  const cursor = new DerCursor(element);
  const names: GeneralName[] = [];
  while (!cursor.atEnd) {
    if (names.length === MAX_GENERAL_NAMES) throw new DerError('too-many-elements', cursor.offset);
    names.push(readGeneralName(cursor.next()));
  }
  return names;
}

/**
 * Returns the display text of a name: IP addresses in their usual form, directory names as RFC 4514 text, other names
 * as `OID=text` (`OID=#hex` if the value is not text), and names without a text form as `#hex`.
 */
export function formatGeneralName(name: GeneralName): string {
  switch (name.kind) {
    case 'otherName':
      return `${name.type}=${otherNameText(name.value)}`;
    case 'directoryName':
      return formatNameRfc4514(name.name);
    case 'iPAddress':
      return formatIpAddress(name.octets) ?? addressWithMask(name.octets) ?? `#${name.octets.toHex()}`;
    case 'registeredID':
      return name.oid;
    case 'x400Address':
    case 'ediPartyName':
      return `#${name.der.toHex()}`;
    default:
      return name.value;
  }
}

function otherNameText(der: Uint8Array): string {
  const headerLength = (der[1] ?? 0) < 0x80 ? 2 : 2 + ((der[1] ?? 0) & 0x7f);
  return decodeTextLeniently(der[0] ?? 0, der.subarray(headerLength)) ?? `#${der.toHex()}`;
}

function addressWithMask(octets: Uint8Array): string | undefined {
  const half = octets.length / 2;
  if (half !== 4 && half !== 16) return undefined;
  const address = formatIpAddress(octets.subarray(0, half)) ?? '';
  return `${address}/${formatIpAddress(octets.subarray(half)) ?? ''}`;
}

export type GeneralNameMap = Readonly<Record<GeneralNameKind, readonly string[]>>;

/** Returns the names' texts by type, in order. Every type is present. */
export function groupGeneralNames(names: readonly GeneralName[]): GeneralNameMap {
  const map: Record<GeneralNameKind, string[]> = {
    otherName: [],
    rfc822Name: [],
    dNSName: [],
    x400Address: [],
    directoryName: [],
    ediPartyName: [],
    uniformResourceIdentifier: [],
    iPAddress: [],
    registeredID: [],
  };
  for (const name of names) map[name.kind].push(formatGeneralName(name));
  return map;
}

/**
 * Returns a key that is the same for equal names: host names are case-insensitive, including in mailboxes (RFC 5280
 * §7.2, §7.5). Everything else is case-sensitive.
 */
export function generalNameKey(kind: GeneralNameKind, text: string): string {
  if (kind === 'dNSName') return `${kind}:${text.toLowerCase()}`;
  const host = kind === 'rfc822Name' ? text.lastIndexOf('@') + 1 : text.length;
  return `${kind}:${text.slice(0, host)}${text.slice(host).toLowerCase()}`;
}

/** Returns each name once, in the spelling of its first occurrence. */
export function distinctGeneralNames(names: readonly GeneralName[]): readonly GeneralName[] {
  const byKey = new Map<string, GeneralName>();
  for (const name of names) {
    const key = generalNameKey(name.kind, distinctText(name));
    if (!byKey.has(key)) byKey.set(key, name);
  }
  return [...byKey.values()];
}

/**
 * Returns a text that differs for different names, because values of different types can have the same display text.
 */
const distinctText = (name: GeneralName): string => {
  if (name.kind === 'otherName') return `${name.type}=${name.value.toHex()}`;
  return name.kind === 'directoryName' ? name.name.der.toHex() : formatGeneralName(name);
};

/** Encodes a name. Throws `PkiError` `bad-argument` for non-ASCII text and for IP addresses of the wrong length. */
export function generalNamePart(name: GeneralName): DerPart {
  switch (name.kind) {
    case 'otherName':
      return constructed(0xa0, [oidPart(name.type), explicitPart(0, name.value)]);
    case 'rfc822Name':
      return ia5StringPart(name.value, 0x81);
    case 'dNSName':
      return ia5StringPart(name.value, 0x82);
    case 'uniformResourceIdentifier':
      return ia5StringPart(name.value, 0x86);
    case 'directoryName':
      return explicitPart(4, name.name.der);
    case 'iPAddress':
      if (![4, 8, 16, 32].includes(name.octets.length)) {
        throw new PkiError('bad-argument', 'An IP address must have 4 or 16 bytes, or 8 or 32 in name constraints.');
      }
      return implicitPrimitive(7, name.octets);
    case 'registeredID':
      return primitive(0x88, encodeOid(name.oid));
    case 'x400Address':
    case 'ediPartyName':
      return name.der;
  }
}

/** Returns a name of type iPAddress from text. Throws `PkiError` `bad-argument`. */
export function ipAddressName(text: string): GeneralName {
  const octets = parseIpAddress(text);
  if (octets === undefined) throw new PkiError('bad-argument', `"${text.slice(0, 64)}" is not an IP address.`);
  return { kind: 'iPAddress', octets };
}

/** Returns a name of type otherName whose value is a UTF8String, as used for user principal names. */
export function textOtherName(type: string, text: string): GeneralName {
  return { kind: 'otherName', type, value: encodeDer(utf8StringPart(text)) };
}
