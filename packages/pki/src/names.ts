// Distinguished names (RFC 5280 §4.1.2.4): reading DER, building DER, and the two text forms of the platform.
// RFC 4514 text is in name-text.ts. Values of foreign names are decoded leniently, because an inventory must show them.
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

/** Bound of attributes in one name; longer ones are refused. Real names have fewer than twenty. */
export const MAX_NAME_ATTRIBUTES = 256;

export interface NameAttribute {
  /** Dotted object identifier. */
  readonly type: string;
  /** Text of the value; `#` and hex of its encoding when it is no character string. */
  readonly value: string;
  /** Identifier octet of the value. */
  readonly tag: number;
}

/** A relative distinguished name: one attribute, seldom more. */
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
    // X.501 §9.3 forbids empty sets; some libraries wrote one at the end of every name. They say nothing, so they are
    // skipped.
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

/** Reads a Name that fills a buffer. Throws `DerError`. */
export function parseName(der: Uint8Array): Name {
  return readName(parseDer(der));
}

/** One attribute to write. `type` is a code (`CN`, any case) or a dotted identifier. */
export interface NameAttributeInput {
  readonly type: string;
  readonly value: string;
}

/** An RDN to write: one attribute, or several for a multi-valued one. */
export type RdnInput = NameAttributeInput | readonly NameAttributeInput[];

/**
 * Own codes of a platform: `byOid` for writing text, `byCode` (upper case) for reading it. They win over the built-in
 * ones.
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

/** The short code of an attribute type, or the identifier itself when it has none. */
export function codeOfAttributeType(oid: string, codes?: NameCodes): string {
  return codes?.byOid.get(oid) ?? builtInCodes.byOid.get(oid) ?? oid;
}

/** The identifier of a code (any case), of `OID.1.2.3` or of a dotted identifier; `undefined` when unknown. */
export function attributeTypeOfCode(code: string, codes?: NameCodes): string | undefined {
  const upper = code.toUpperCase();
  const known = codes?.byCode.get(upper) ?? builtInCodes.byCode.get(upper);
  if (known !== undefined) return known;
  const dotted = upper.startsWith('OID.') ? upper.slice(4) : upper;
  return isOid(dotted) ? dotted : undefined;
}

/**
 * Builds a name from RDNs in encoded order. C, SERIALNUMBER and DNQ become PrintableString, DC and EMAIL IA5String (RFC
 * 5280 appendix A), everything else UTF8String. Throws `PkiError` `bad-name` for an unknown type or an empty value and
 * `bad-argument` for characters that the type cannot hold.
 */
export function buildName(rdns: readonly RdnInput[], codes?: NameCodes): Name {
  const sets = rdns.map((rdn) => {
    const attributes = 'type' in rdn ? [rdn] : rdn;
    if (attributes.length === 0) throw new PkiError('bad-name', 'A relative distinguished name needs an attribute.');
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
 * The interface form: RDNs in the reverse of encoded order, joined by `, `; attributes as `CODE=value`, several in one
 * RDN joined by `+`. Values are not escaped, so the text is for people and must not be parsed. The empty name gives ''.
 */
export function formatName(name: Name, codes?: NameCodes): string {
  let text = '';
  for (let i = name.rdns.length - 1; i >= 0; i--) {
    const rdn = name.rdns[i] as Rdn; // i < length
    for (let j = 0; j < rdn.length; j++) {
      const { type, value } = rdn[j] as NameAttribute; // j < length
      text += `${j > 0 ? '+' : text === '' ? '' : ', '}${codeOfAttributeType(type, codes)}=${value}`;
    }
  }
  return text;
}

/**
 * The normalized form for matching issuers: `OID=value` sorted by OID and joined by `,`. Values are compared as RFC
 * 5280 §7.1 asks: case folded, compatibility forms unified, white space trimmed and collapsed. `,` and `\` in values
 * are escaped, so that different names cannot give one text. Attributes of one type keep their order.
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
    // Array.prototype.sort is stable; only the identifier before '=' is compared.
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
 * No run of more than 30 combining marks, as Unicode's Stream-Safe Text Format breaks them up (UAX #15 §13): bringing
 * longer ones into their order takes time with the square of their length, and no writing needs them.
 */
function streamSafe(text: string): string {
  return text.replace(/[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu, '$&\u034f');
}

/** Whether two names are the same: equal encodings, or RDN by RDN equal after normalization (RFC 5280 §7.1). */
export function equalNames(a: Name, b: Name): boolean {
  if (equalBytes(a.der, b.der)) return true;
  if (a.rdns.length !== b.rdns.length) return false;
  return a.rdns.every((rdn, index) => equalRdns(rdn, b.rdns[index] ?? []));
}

/** RDNs are sets: the order of attributes in a multi-valued one does not matter after normalization. */
export function equalRdns(a: Rdn, b: Rdn): boolean {
  if (a.length !== b.length) return false;
  return rdnKey(a) === rdnKey(b);
}

/**
 * One text for all RDNs that are the same: attributes normalized and sorted. The escapes of values keep it unambiguous.
 */
export function rdnKey(rdn: Rdn): string {
  const [only] = rdn;
  if (only !== undefined && rdn.length === 1) return `${only.type}=${normalizeValue(only.value)}`;
  return rdn
    .map(({ type, value }) => `${type}=${normalizeValue(value)}`)
    .sort()
    .join(',');
}

/** The values of one attribute type, in encoded order. */
export function attributeValues(name: Name, oid: string): string[] {
  const values: string[] = [];
  for (const rdn of name.rdns) for (const { type, value } of rdn) if (type === oid) values.push(value);
  return values;
}

/** The common name; of several, the most specific one, which is encoded last. */
export function commonName(name: Name): string | undefined {
  return attributeValues(name, OID.commonName).at(-1);
}

/** Total order of encodings, for deterministic listings. */
export function compareNames(a: Name, b: Name): number {
  return compareBytes(a.der, b.der);
}

export function isEmptyName(name: Name): boolean {
  return name.rdns.length === 0;
}
