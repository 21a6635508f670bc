// Distinguished names (RFC 5280 §4.1.2.4): decoding, encoding, and the platform's two text forms. For RFC 4514 text,
// see name-text.ts. Values in third-party names are decoded leniently, because an inventory must be able to display
// them.
import {
  contentBytes,
  DerCursor,
  elementBytes,
  openElement,
  parseDer,
  readOid,
  type DerElement,
} from './der/reader.ts';
import { DerError, PkiError } from './errors.ts';
import { compareBytes, equalBytes } from './bytes.ts';
import { decodeTextLeniently } from './der/text.ts';
import {
  encodeDer,
  ia5StringPart,
  oidPart,
  printableStringPart,
  sequence,
  setOf,
  utf8StringPart,
  type DerNode,
} from './der/writer.ts';
import { isOid } from './der/oid.ts';
import { NAME_ATTRIBUTE_TYPES, OID } from './oids.ts';
import { TAG } from './der/tags.ts';

/** Maximum number of attributes in a name; longer names are rejected. Real names have fewer than twenty. */
export const MAX_NAME_ATTRIBUTES = 256;

export interface NameAttribute {
  /** Dotted OID. */
  readonly type: string;
  /** Text of the value, or `#` and the hex of its encoding if it is not a character string. */
  readonly value: string;
  /** Identifier octet of the value. */
  readonly tag: number;
}

/** A relative distinguished name: one attribute, rarely more. */
export type Rdn = readonly NameAttribute[];

/** A name. `rdns` are in encoded order (usually country first). */
export interface Name {
  readonly der: Uint8Array;
  readonly rdns: readonly Rdn[];
}

/** Reads a Name element. Throws `DerError`. */
export function readName(element: DerElement): Name {
  const rdns: Rdn[] = [];
  const outer = openElement(element, TAG.sequence);
  let count = 0;
  while (!outer.atEnd) {
    const set = outer.open(TAG.set);
    if (++count > MAX_NAME_ATTRIBUTES) throw new DerError('too-many-elements', set.offset);
    const rdn: NameAttribute[] = [];
    while (!set.atEnd) {
      if (rdn.length > 0 && ++count > MAX_NAME_ATTRIBUTES) throw new DerError('too-many-elements', set.offset);
      rdn.push(readAttribute(set));
    }
    // X.501 §9.3 forbids empty sets, but some libraries wrote one at the end of every name. They have no meaning, so
    // they are skipped.
    if (rdn.length > 0) rdns.push(rdn);
  }
  return { der: elementBytes(element), rdns };
}

function readAttribute(set: DerCursor): NameAttribute {
  const pair = set.open(TAG.sequence);
  const type = readOid(pair.next());
  const value = pair.next();
  pair.finish();
  const text = decodeTextLeniently(value.tag, contentBytes(value));
  return { type, value: text ?? `#${elementBytes(value).toHex()}`, tag: value.tag };
}

/** Reads a Name that spans the whole buffer. Throws `DerError`. */
export function parseName(der: Uint8Array): Name {
  return readName(parseDer(der));
}

/** An attribute to encode. `type` is a code (`CN`, in any case) or a dotted OID. */
export interface NameAttributeInput {
  readonly type: string;
  readonly value: string;
}

/** An RDN to encode: one attribute, or multiple for a multi-valued RDN. */
export type RdnInput = NameAttributeInput | readonly NameAttributeInput[];

/**
 * Additional platform-specific codes: `byOid` for formatting, `byCode` (uppercase) for parsing. They override the
 * built-in codes.
 */
export interface NameCodes {
  readonly byOid: ReadonlyMap<string, string>;
  readonly byCode: ReadonlyMap<string, string>;
}

const builtInCodes: NameCodes = {
  byOid: new Map(NAME_ATTRIBUTE_TYPES.map(({ oid, code }) => [oid, code])),
  byCode: new Map(
    NAME_ATTRIBUTE_TYPES.flatMap(({ oid, code, otherCodes = [] }) => [code, ...otherCodes].map((name) => [name, oid])),
  ),
};

/** Returns the short code of an attribute type, or its OID if it has none. */
export function codeOfAttributeType(oid: string, codes?: NameCodes): string {
  return codes?.byOid.get(oid) ?? builtInCodes.byOid.get(oid) ?? oid;
}

/** Returns the OID for a code (in any case), for `OID.1.2.3` or for a dotted OID; `undefined` if it is unknown. */
export function attributeTypeOfCode(code: string, codes?: NameCodes): string | undefined {
  const upper = code.toUpperCase();
  const known = codes?.byCode.get(upper) ?? builtInCodes.byCode.get(upper);
  if (known !== undefined) return known;
  const dotted = upper.startsWith('OID.') ? upper.slice(4) : upper;
  return isOid(dotted) ? dotted : undefined;
}

/**
 * Builds a name from RDNs in encoded order. C, SERIALNUMBER and DNQ are encoded as PrintableString, DC and EMAIL as
 * IA5String (RFC 5280 appendix A), everything else as UTF8String. Throws `PkiError` `bad-name` for an unknown type or
 * an empty value, and `bad-argument` for characters that the type does not allow.
 */
export function buildName(rdns: readonly RdnInput[], codes?: NameCodes): Name {
  const sets = rdns.map((rdn) => {
    const attributes = 'type' in rdn ? [rdn] : rdn;
    if (attributes.length === 0)
      throw new PkiError('bad-name', 'A relative distinguished name must contain an attribute.');
    return setOf(attributes.map((attribute) => attributePart(attribute, codes)));
  });
  return parseName(encodeDer(sequence(sets)));
}

function attributePart({ type, value }: NameAttributeInput, codes: NameCodes | undefined): DerNode {
  const oid = attributeTypeOfCode(type, codes);
  if (oid === undefined) throw new PkiError('bad-name', `"${type.slice(0, 64)}" is not a known name attribute.`);
  if (value === '') throw new PkiError('bad-name', `The name attribute ${type} must not be empty.`);
  return sequence([oidPart(oid), valuePart(oid, value)]);
}

function valuePart(oid: string, value: string): DerNode {
  switch (oid) {
    case OID.countryName:
    case OID.jurisdictionCountry:
    case OID.serialNumber:
    case OID.dnQualifier:
      return printableStringPart(value);
    case OID.domainComponent:
    case OID.emailAddress:
      return ia5StringPart(value);
    default:
      return utf8StringPart(value);
  }
}

/**
 * Returns the form used in the API: RDNs in reverse encoded order, joined by `, `; attributes as `CODE=value`, multiple
 * attributes of one RDN joined by `+`. Values are not escaped, so the text is only for display and must not be parsed.
 * Returns '' for the empty name.
 */
export function formatName(name: Name, codes?: NameCodes): string {
  let text = '';
  for (let i = name.rdns.length - 1; i >= 0; i--) {
    const rdn = name.rdns[i] as Rdn; // The index is within bounds.
    for (let j = 0; j < rdn.length; j++) {
      const { type, value } = rdn[j] as NameAttribute; // The index is within bounds.
      text += `${j > 0 ? '+' : text === '' ? '' : ', '}${codeOfAttributeType(type, codes)}=${value}`;
    }
  }
  return text;
}

/**
 * Returns the normalized form for matching issuers: `OID=value`, sorted by OID and joined by `,`. Values are compared
 * as specified in RFC 5280 §7.1: case folded, compatibility forms unified, whitespace trimmed and collapsed. `,` and
 * `\` in values are escaped, so that different names cannot produce the same text. Attributes of the same type keep
 * their order.
 */
export function normalizeName(name: Name): string {
  const parts: string[] = [];
  let previous = '';
  let sorted = true;
  for (const rdn of name.rdns) {
    for (const { type, value } of rdn) {
      if (type < previous) sorted = false;
      previous = type;
      parts.push(`${type}=${normalizeValue(value)}`);
    }
  }
  if (!sorted) {
    // Array.prototype.sort is stable; only the OID before '=' is compared.
    parts.sort((a, b) => {
      const left = a.slice(0, a.indexOf('='));
      const right = b.slice(0, b.indexOf('='));
      return left < right ? -1 : left > right ? 1 : 0;
    });
  }
  return parts.join(',');
}

const PLAIN_VALUE = /^[a-z0-9.\-@*'()+/:=?_]*$/;

function normalizeValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  // Lower-casing after upper-casing folds more than lower-casing alone (ß and SS, final sigma), close to RFC 4518 §2.2.
  // oxlint-disable-next-line no-control-regex -- the expression tests for ASCII, which includes the controls
  const ascii = /^[\x00-\x7f]*$/.test(value);
  const folded = ascii ? value.toLowerCase() : streamSafe(value).normalize('NFKC').toUpperCase().toLowerCase();
  return folded.trim().replace(/\s+/g, ' ').replace(/[\\,]/g, '\\$&');
}

/**
 * Splits runs of more than 30 combining marks, like Unicode's Stream-Safe Text Format (UAX #15 §13): sorting longer
 * runs takes quadratic time, and no script needs them.
 */
function streamSafe(text: string): string {
  return text.replace(/[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu, '$&\u034f');
}

/** Returns whether two names are equal: identical encodings, or equal RDNs after normalization (RFC 5280 §7.1). */
export function equalNames(a: Name, b: Name): boolean {
  if (equalBytes(a.der, b.der)) return true;
  if (a.rdns.length !== b.rdns.length) return false;
  return a.rdns.every((rdn, index) => equalRdns(rdn, b.rdns[index] ?? []));
}

/**
 * Returns whether two RDNs are equal after normalization. RDNs are sets, so the order of attributes does not matter.
 */
export function equalRdns(a: Rdn, b: Rdn): boolean {
  if (a.length !== b.length) return false;
  return rdnKey(a) === rdnKey(b);
}

/** Returns the same text for all equal RDNs: attributes normalized and sorted. Escaped values keep it unambiguous. */
export function rdnKey(rdn: Rdn): string {
  const [only] = rdn;
  if (only !== undefined && rdn.length === 1) return `${only.type}=${normalizeValue(only.value)}`;
  return rdn
    .map(({ type, value }) => `${type}=${normalizeValue(value)}`)
    .sort()
    .join(',');
}

/** Returns the values of one attribute type, in encoded order. */
export function attributeValues(name: Name, oid: string): string[] {
  const values: string[] = [];
  for (const rdn of name.rdns) for (const { type, value } of rdn) if (type === oid) values.push(value);
  return values;
}

/** Returns the common name. If there are multiple, returns the most specific one, which is encoded last. */
export function commonName(name: Name): string | undefined {
  return attributeValues(name, OID.commonName).at(-1);
}

/** Compares names by their encodings, so that lists have a deterministic order. */
export function compareNames(a: Name, b: Name): number {
  return compareBytes(a.der, b.der);
}

export function isEmptyName(name: Name): boolean {
  return name.rdns.length === 0;
}
