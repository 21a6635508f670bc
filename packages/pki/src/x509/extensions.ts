// Certificate extensions (RFC 5280 §4.2): the raw list, and a reader for each value that platforms use. Readers accept
// an explicit `FALSE`, which DER forbids (X.690 §11.5), because many issuers write it.
import {
  contentBytes,
  DerCursor,
  elementBytes,
  explicitContent,
  openElement,
  parseDer,
  readBoolean,
  readIntegerBetween,
  readNamedBits,
  readOctetString,
  readOid,
  readSmallInteger,
  readIntegerBytes,
  type DerElement,
} from '../der/reader.ts';
import { contextPrimitive, TAG } from '../der/tags.ts';
import { DerError } from '../errors.ts';
import { equalBytes } from '../bytes.ts';
import { OID } from '../oids.ts';
import { readGeneralName, readGeneralNames, type GeneralName } from './general-names.ts';
import { readName, type Rdn } from '../names.ts';

/** Maximum number of extensions in one certificate, request or CRL. Real ones contain up to about twenty. */
export const MAX_EXTENSIONS = 128;
/** Maximum number of members in a list inside an extension (usages, policies, access descriptions, subtrees). */
const MAX_MEMBERS = 4096;

export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  /** Contents of the OCTET STRING, usually an encoded element. */
  readonly value: Uint8Array;
}

/**
 * Reads an Extensions SEQUENCE. Throws `DerError`, with `duplicate-element` if an OID appears twice (RFC 5280 §4.2).
 */
export function readExtensions(element: DerElement): Extension[] {
  const cursor = openElement(element, TAG.sequence);
  const extensions: Extension[] = [];
  while (!cursor.atEnd) {
    if (extensions.length === MAX_EXTENSIONS) throw new DerError('too-many-elements', cursor.offset);
    const at = cursor.offset;
    const extension = readExtension(cursor.next());
    for (const other of extensions) if (other.oid === extension.oid) throw new DerError('duplicate-element', at);
    extensions.push(extension);
  }
  return extensions;
}

function readExtension(element: DerElement): Extension {
  const cursor = openElement(element, TAG.sequence);
  const oid = readOid(cursor.next());
  const flag = cursor.optional(TAG.boolean);
  const critical = flag !== undefined && readBoolean(flag);
  const value = readOctetString(cursor.next());
  cursor.finish();
  return { oid, critical, value };
}

/** Returns the extension with this OID. */
export function findExtension(extensions: readonly Extension[], oid: string): Extension | undefined {
  for (const extension of extensions) if (extension.oid === oid) return extension;
  return undefined;
}

function openValue(value: Uint8Array): DerCursor {
  return openElement(parseDer(value), TAG.sequence);
}

function readList<T>(value: Uint8Array, readMember: (element: DerElement) => T): T[] {
  const cursor = openValue(value);
  const members: T[] = [];
  while (!cursor.atEnd) {
    if (members.length === MAX_MEMBERS) throw new DerError('too-many-elements', cursor.offset);
    members.push(readMember(cursor.next()));
  }
  return members;
}

export interface BasicConstraints {
  readonly ca: boolean;
  /** Maximum number of CA certificates that can follow in a path; undefined means any number. */
  readonly pathLength?: number;
}

/** RFC 5280 §4.2.1.9. */
export function readBasicConstraints(value: Uint8Array): BasicConstraints {
  const cursor = openValue(value);
  const flag = cursor.optional(TAG.boolean);
  const ca = flag !== undefined && readBoolean(flag);
  if (cursor.atEnd) return { ca };
  const pathLength = readIntegerBetween(cursor.next(), { min: 0, max: 0xffff_ffff });
  cursor.finish();
  return { ca, pathLength };
}

/** Names of key usage bits by number (RFC 5280 §4.2.1.3), as used in the API. */
export const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;

export type KeyUsage = (typeof KEY_USAGES)[number];

/** Reads keyUsage (RFC 5280 §4.2.1.3). Bits beyond the nine named bits are ignored. */
export function readKeyUsage(value: Uint8Array): KeyUsage[] {
  const flags = readNamedBits(parseDer(value));
  return KEY_USAGES.filter((_, bit) => flags & (1 << bit));
}

/** Returns the purpose OIDs in order (RFC 5280 §4.2.1.12). An empty list is not an error here; lint rejects it. */
export function readExtKeyUsage(value: Uint8Array): string[] {
  return readList(value, (element) => readOid(element));
}

/** Reads subject or issuer alternative names (RFC 5280 §4.2.1.6). */
export function readAltNames(value: Uint8Array): GeneralName[] {
  const element = parseDer(value);
  if (element.tag !== TAG.sequence) throw new DerError('unexpected-tag', element.start);
  return readGeneralNames(element);
}

export interface AuthorityKeyIdentifier {
  readonly keyIdentifier?: Uint8Array;
  readonly issuer?: readonly GeneralName[];
  /** Serial number as two's complement bytes. */
  readonly serialNumber?: Uint8Array;
}

/** RFC 5280 §4.2.1.1. */
export function readAuthorityKeyIdentifier(value: Uint8Array): AuthorityKeyIdentifier {
  const cursor = openValue(value);
  const key = cursor.optional(0x80);
  const issuer = cursor.optional(0xa1);
  const serial = cursor.optional(0x82);
  cursor.finish();
  return {
    ...(key && { keyIdentifier: contentBytes(key) }),
    ...(issuer && { issuer: readGeneralNames(issuer) }),
    ...(serial && { serialNumber: readIntegerBytes(serial, 0x82) }),
  };
}

/** RFC 5280 §4.2.1.2. */
export function readSubjectKeyIdentifier(value: Uint8Array): Uint8Array {
  return readOctetString(parseDer(value));
}

export interface DistributionPoint {
  readonly fullName?: readonly GeneralName[];
  readonly nameRelativeToIssuer?: Rdn;
  /** ReasonFlags bits: `reasons & (1 << code)`, RFC 5280 §4.2.1.13; undefined means all reasons. */
  readonly reasons?: number;
  readonly crlIssuer?: readonly GeneralName[];
}

/** Reads distribution points (RFC 5280 §4.2.1.13); freshestCRL (§4.2.1.15) has the same syntax. */
export function readDistributionPoints(value: Uint8Array): DistributionPoint[] {
  return readList(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const name = cursor.optional(0xa0);
    const reasons = cursor.optional(0x81);
    const crlIssuer = cursor.optional(0xa2);
    cursor.finish();
    return {
      ...(name && readDistributionPointName(name)),
      ...(reasons && { reasons: readNamedBits(reasons, 0x81) }),
      ...(crlIssuer && { crlIssuer: readGeneralNames(crlIssuer) }),
    };
  });
}

/** Reads the DistributionPointName inside its EXPLICIT tag. */
export function readDistributionPointName(
  element: DerElement,
): Pick<DistributionPoint, 'fullName' | 'nameRelativeToIssuer'> {
  const choice = explicitContent(element);
  if (choice.tag === 0xa0) return { fullName: readGeneralNames(choice) };
  if (choice.tag !== 0xa1) throw new DerError('unexpected-tag', choice.start);
  return { nameRelativeToIssuer: readRelativeName(choice) };
}

/** Reads an RDN with the IMPLICIT tag [1], as if it were a separate RDN in a name. */
function readRelativeName(element: DerElement): Rdn {
  const asSet = elementBytes(element).slice();
  asSet[0] = TAG.set;
  const length = asSet.length;
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  if (length > 0xffff) throw new DerError('too-many-elements', element.start);
  const name = new Uint8Array(1 + header.length + length);
  name[0] = TAG.sequence;
  name.set(header, 1);
  name.set(asSet, 1 + header.length);
  return readName(parseDer(name)).rdns[0] ?? [];
}

/** Returns the URLs in the distribution points' full names. */
export function distributionPointUrls(points: readonly DistributionPoint[]): string[] {
  return points.flatMap((point) => urlsOf(point.fullName ?? []));
}

/** Returns the URLs in an encoded DistributionPointName. Throws `DerError`. */
export function distributionPointNameUrls(der: Uint8Array): string[] {
  const choice = parseDer(der);
  return choice.tag === 0xa0 ? urlsOf(readGeneralNames(choice)) : [];
}

function urlsOf(names: readonly GeneralName[]): string[] {
  return names.flatMap((name) => (name.kind === 'uniformResourceIdentifier' ? [name.value] : []));
}

export interface AccessDescription {
  readonly method: string;
  readonly location: GeneralName;
}

/** Reads authority or subject information access (RFC 5280 §4.2.2.1, §4.2.2.2). */
export function readInfoAccess(value: Uint8Array): AccessDescription[] {
  return readList(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const method = readOid(cursor.next());
    const location = readGeneralName(cursor.next());
    cursor.finish();
    return { method, location };
  });
}

/** Returns the URLs for one access method. */
export function accessUrls(descriptions: readonly AccessDescription[], method: string): string[] {
  return urlsOf(descriptions.filter((entry) => entry.method === method).map((entry) => entry.location));
}

export interface PolicyInformation {
  readonly oid: string;
  readonly cpsUrls: readonly string[];
  /** Whether there are qualifiers other than CPS pointers. */
  readonly hasOtherQualifiers: boolean;
}

/** RFC 5280 §4.2.1.4. */
export function readCertificatePolicies(value: Uint8Array): PolicyInformation[] {
  return readList(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const oid = readOid(cursor.next());
    const cpsUrls: string[] = [];
    let hasOtherQualifiers = false;
    if (!cursor.atEnd) {
      const qualifiers = cursor.open(TAG.sequence);
      cursor.finish();
      while (!qualifiers.atEnd) {
        const qualifier = qualifiers.open(TAG.sequence);
        const type = readOid(qualifier.next());
        const content = qualifier.next();
        qualifier.finish();
        const isCps = type === OID.cpsQualifier && content.tag === TAG.ia5String;
        if (isCps && cpsUrls.length < MAX_MEMBERS) cpsUrls.push(new TextDecoder().decode(contentBytes(content)));
        else hasOtherQualifiers = true;
      }
    }
    return { oid, cpsUrls, hasOtherQualifiers };
  });
}

export interface PolicyMapping {
  readonly issuerDomainPolicy: string;
  readonly subjectDomainPolicy: string;
}

/** RFC 5280 §4.2.1.5. */
export function readPolicyMappings(value: Uint8Array): PolicyMapping[] {
  return readList(value, (element) => {
    const cursor = openElement(element, TAG.sequence);
    const issuerDomainPolicy = readOid(cursor.next());
    const subjectDomainPolicy = readOid(cursor.next());
    cursor.finish();
    return { issuerDomainPolicy, subjectDomainPolicy };
  });
}

export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

/**
 * Reads nameConstraints (RFC 5280 §4.2.1.10). `minimum` must be 0 and `maximum` absent; all other values are rejected.
 */
export function readNameConstraints(value: Uint8Array): NameConstraints {
  const cursor = openValue(value);
  const permitted = cursor.optional(0xa0);
  const excluded = cursor.optional(0xa1);
  cursor.finish();
  return { permitted: readSubtrees(permitted), excluded: readSubtrees(excluded) };
}

function readSubtrees(element: DerElement | undefined): GeneralName[] {
  if (element === undefined) return [];
  const cursor = new DerCursor(element);
  const bases: GeneralName[] = [];
  while (!cursor.atEnd) {
    if (bases.length === MAX_MEMBERS) throw new DerError('too-many-elements', cursor.offset);
    const subtree = cursor.open(TAG.sequence);
    bases.push(readGeneralName(subtree.next()));
    const minimum = subtree.optional(contextPrimitive(0));
    if (minimum !== undefined) readIntegerBetween(minimum, { min: 0, max: 0, tag: contextPrimitive(0) });
    subtree.finish();
  }
  return bases;
}

export interface PolicyConstraints {
  readonly requireExplicitPolicy?: number;
  readonly inhibitPolicyMapping?: number;
}

/** RFC 5280 §4.2.1.11. */
export function readPolicyConstraints(value: Uint8Array): PolicyConstraints {
  const cursor = openValue(value);
  const explicit = cursor.optional(0x80);
  const mapping = cursor.optional(0x81);
  cursor.finish();
  return {
    ...(explicit && { requireExplicitPolicy: readSmallInteger(explicit, 0x80) }),
    ...(mapping && { inhibitPolicyMapping: readSmallInteger(mapping, 0x81) }),
  };
}

/** Returns SkipCerts from inhibitAnyPolicy (RFC 5280 §4.2.1.14). */
export function readInhibitAnyPolicy(value: Uint8Array): number {
  return readIntegerBetween(parseDer(value), { min: 0, max: 0xffff_ffff });
}

/** Returns whether two lists contain the same extensions in the same order. */
export function equalExtensions(a: readonly Extension[], b: readonly Extension[]): boolean {
  return (
    a.length === b.length &&
    a.every((extension, index) => {
      const other = b[index];
      return (
        other !== undefined &&
        extension.oid === other.oid &&
        extension.critical === other.critical &&
        equalBytes(extension.value, other.value)
      );
    })
  );
}
