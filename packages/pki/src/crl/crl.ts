// Decoding of certificate revocation lists (RFC 5280 §5). Entries are decoded during iteration and not retained, since
// some CRLs have a million entries. A serial number lookup allocates nothing per entry.
import { withFieldNames } from '../der/field-names.ts';
import { CRL_FIELDS } from '../der/known-fields.ts';
import {
  contentBytes,
  DerCursor,
  elementBytes,
  expectTag,
  openElement,
  parseDer,
  readBoolean,
  readIntegerBetween,
  readIntegerBytes,
  readNamedBits,
  readSmallInteger,
  readTimeMs,
  readUnsignedBytes,
  explicitContent,
  type DerElement,
} from '../der/reader.ts';
import { equalBytes } from '../bytes.ts';
import {
  findExtension,
  readAltNames,
  readAuthorityKeyIdentifier,
  readDistributionPointName,
  readExtensions,
  type AuthorityKeyIdentifier,
  type DistributionPoint,
  type Extension,
} from '../x509/extensions.ts';
import { DerError } from '../errors.ts';
import { expectSameAlgorithm, parseSigned } from '../x509/signed.ts';
import { formatSerialNumber } from '../x509/certificate.ts';
import { OID } from '../oids.ts';
import { PEM_LABELS, readDerOrPem } from '../pem.ts';
import { readName, type Name } from '../names.ts';
import { revocationReasonOf, type RevocationReason } from './reasons.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';
import type { GeneralName } from '../x509/general-names.ts';

/** Maximum number of entries: ten million take about 350 MB, more than any fetch limit allows. */
const MAX_CRL_ENTRIES = 10_000_000;

/** RFC 5280 §5.2.5. */
export interface IssuingDistributionPoint extends Pick<DistributionPoint, 'fullName' | 'nameRelativeToIssuer'> {
  readonly onlyContainsUserCerts: boolean;
  readonly onlyContainsCaCerts: boolean;
  readonly onlyContainsAttributeCerts: boolean;
  /** ReasonFlags bits; undefined means all reasons. */
  readonly onlySomeReasons?: number;
  readonly indirectCrl: boolean;
}

export interface CertificateList {
  readonly der: Uint8Array;
  readonly tbs: Uint8Array;
  /** 1 or 2. */
  readonly version: number;
  readonly issuer: Name;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number | undefined;
  readonly extensions: readonly Extension[];
  /** RFC 5280 §5.2.3. */
  readonly crlNumber: bigint | undefined;
  /** The base CRL's number for a delta CRL (RFC 5280 §5.2.4); `undefined` for a full CRL. */
  readonly baseCrlNumber: bigint | undefined;
  readonly authorityKeyIdentifier: AuthorityKeyIdentifier | undefined;
  readonly issuingDistributionPoint: IssuingDistributionPoint | undefined;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  /** The encoded entries; `undefined` if nothing is revoked. Use `revokedEntries` or `findRevoked`. */
  readonly entries: DerElement | undefined;
}

export interface RevokedEntry {
  /** Lowercase hex without leading zeros. */
  readonly serialNumber: string;
  readonly revocationMs: number;
  /** Undefined means unspecified. */
  readonly reason: RevocationReason | undefined;
  /** Suspected time of the key compromise (RFC 5280 §5.3.2). */
  readonly invalidityMs: number | undefined;
  /** The certificate's issuer in an indirect CRL (RFC 5280 §5.3.3); it also applies to the following entries. */
  readonly certificateIssuer: readonly GeneralName[] | undefined;
  /** OIDs of unknown critical entry extensions. If there are any, the CRL must not be used (§5.3). */
  readonly unknownCritical: readonly string[];
}

/** Reads a CRL in DER, without its entries. Throws `DerError`. */
export function parseCrl(der: Uint8Array): CertificateList {
  return withFieldNames(der, CRL_FIELDS, readWhole);
}

function readWhole(der: Uint8Array): CertificateList {
  const { tbs, signatureAlgorithm, signature } = parseSigned(der);
  const cursor = openElement(tbs, TAG.sequence);
  const versionElement = cursor.optional(TAG.integer);
  const version = versionElement === undefined ? 1 : readIntegerBetween(versionElement, { min: 1, max: 1 }) + 1;
  expectSameAlgorithm(cursor.next(), signatureAlgorithm);
  const issuer = readName(cursor.next());
  const thisUpdateMs = readTimeMs(cursor.next());
  const next = cursor.optional(TAG.utcTime) ?? cursor.optional(TAG.generalizedTime);
  const entries = cursor.optional(TAG.sequence);
  const extensionsTag = cursor.optional(0xa0);
  cursor.finish();
  const extensions = extensionsTag === undefined ? [] : readExtensions(explicitContent(extensionsTag));
  const value = <T>(oid: string, decode: (value: Uint8Array) => T): T | undefined => {
    const extension = findExtension(extensions, oid);
    return extension === undefined ? undefined : decode(extension.value);
  };
  return {
    der: tbs.source,
    tbs: elementBytes(tbs),
    version,
    issuer,
    thisUpdateMs,
    nextUpdateMs: next && readTimeMs(next),
    extensions,
    crlNumber: value(OID.crlNumber, readCrlNumber),
    baseCrlNumber: value(OID.deltaCrlIndicator, readCrlNumber),
    authorityKeyIdentifier: value(OID.authorityKeyIdentifier, readAuthorityKeyIdentifier),
    issuingDistributionPoint: value(OID.issuingDistributionPoint, readIssuingDistributionPoint),
    signatureAlgorithm,
    signature,
    entries,
  };
}

/** Reads a CRL from DER, PEM or base64 text. Throws `PkiError`. */
export function readCrl(input: Uint8Array | string): CertificateList {
  return parseCrl(readDerOrPem(input, PEM_LABELS.crl));
}

/** CRL numbers are at most 20 bytes long (RFC 5280 §5.2.3). */
function readCrlNumber(value: Uint8Array): bigint {
  const element = parseDer(value);
  const octets = readUnsignedBytes(element);
  if (octets.length > 20) throw new DerError('integer-too-large', element.start);
  return BigInt(`0x${octets.toHex()}`);
}

function readIssuingDistributionPoint(value: Uint8Array): IssuingDistributionPoint {
  const cursor = openElement(parseDer(value), TAG.sequence);
  const flag = (tag: number): boolean => {
    const element = cursor.optional(tag);
    return element !== undefined && readBoolean(element, tag);
  };
  const name = cursor.optional(0xa0);
  const onlyContainsUserCerts = flag(0x81);
  const onlyContainsCaCerts = flag(0x82);
  const reasons = cursor.optional(0x83);
  const indirectCrl = flag(0x84);
  const onlyContainsAttributeCerts = flag(0x85);
  cursor.finish();
  return {
    ...(name && readDistributionPointName(name)),
    ...(reasons && { onlySomeReasons: readNamedBits(reasons, 0x83) }),
    onlyContainsUserCerts,
    onlyContainsCaCerts,
    onlyContainsAttributeCerts,
    indirectCrl,
  };
}

/** Iterates over the entries in order. Throws `DerError` at the first malformed entry. */
export function* revokedEntries(crl: CertificateList): Generator<RevokedEntry, void, undefined> {
  if (crl.entries === undefined) return;
  const cursor = new DerCursor(crl.entries);
  let certificateIssuer: readonly GeneralName[] | undefined;
  for (let count = 0; !cursor.atEnd; count++) {
    if (count === MAX_CRL_ENTRIES) throw new DerError('too-many-elements', cursor.offset);
    const entry = readEntry(cursor.next(), certificateIssuer);
    certificateIssuer = entry.certificateIssuer;
    yield entry;
  }
}

/** Returns the entry at an offset in the CRL, with the certificate issuer that applies to it in an indirect CRL. */
export function readEntryAt(
  crl: CertificateList,
  place: number,
  certificateIssuer: readonly GeneralName[] | undefined,
): RevokedEntry {
  if (crl.entries === undefined) throw new DerError('missing-element', place);
  return readEntry(new DerCursor({ ...crl.entries, content: place }).next(), certificateIssuer);
}

const KNOWN_ENTRY_EXTENSIONS: ReadonlySet<string> = new Set([
  OID.reasonCode,
  OID.invalidityDate,
  OID.certificateIssuer,
]);

function readEntry(element: DerElement, previousIssuer: readonly GeneralName[] | undefined): RevokedEntry {
  const cursor = openElement(element, TAG.sequence);
  const serialNumber = formatSerialNumber(readIntegerBytes(cursor.next()));
  const revocationMs = readTimeMs(cursor.next());
  const entry = { serialNumber, revocationMs, certificateIssuer: previousIssuer };
  if (cursor.atEnd) return { ...entry, reason: undefined, invalidityMs: undefined, unknownCritical: [] };
  const extensions = readExtensions(cursor.next());
  cursor.finish();
  const reason = findExtension(extensions, OID.reasonCode);
  const invalidity = findExtension(extensions, OID.invalidityDate);
  const issuer = findExtension(extensions, OID.certificateIssuer);
  return {
    ...entry,
    reason: reason && readReason(parseDer(reason.value)),
    invalidityMs: invalidity && readTimeMs(parseDer(invalidity.value)),
    certificateIssuer: issuer === undefined ? previousIssuer : readAltNames(issuer.value),
    unknownCritical: extensions
      .filter(({ oid, critical }) => critical && !KNOWN_ENTRY_EXTENSIONS.has(oid))
      .map(({ oid }) => oid),
  };
}

/** Reads a CRLReason. Undefined codes are read as `unspecified` because the certificate is revoked in any case. */
export function readReason(element: DerElement): RevocationReason {
  return revocationReasonOf(readSmallInteger(element, TAG.enumerated)) ?? 'unspecified';
}

/**
 * Returns the entry for a serial number, passed as INTEGER contents (`Certificate.serialBytes`). Scans linearly and
 * decodes only the matching entry. Indirect CRLs contain entries from multiple issuers: use `revokedEntries` for them.
 * Throws `DerError`.
 */
export function findRevoked(crl: CertificateList, serialBytes: Uint8Array): RevokedEntry | undefined {
  if (crl.entries === undefined) return undefined;
  const { source, end } = crl.entries;
  const wanted = serialBytes.length;
  for (let at = crl.entries.content; at < end;) {
    // Entry header: nearly all entries are shorter than 128 bytes; the cursor handles longer ones.
    const length = source[at + 1];
    if (source[at] !== TAG.sequence || length === undefined || length >= 0x80)
      return findSequentially(crl, serialBytes);
    const content = at + 2;
    const next = content + length;
    // The serial number comes first and is short, so its header is two bytes long. Compare it in place.
    const serialLength = source[content + 1];
    if (
      source[content] !== TAG.integer ||
      serialLength === undefined ||
      content + 2 + serialLength > next ||
      next > end
    ) {
      throw new DerError('unexpected-tag', content);
    }
    if (serialLength === wanted) {
      let i = 0;
      while (i < wanted && source[content + 2 + i] === serialBytes[i]) i++;
      if (i === wanted) return readEntry(new DerCursor({ ...crl.entries, content: at }).next(), undefined);
    }
    at = next;
  }
  return undefined;
}

/** Slower lookup for CRLs that contain an entry of 128 bytes or more. */
function findSequentially(crl: CertificateList, serialBytes: Uint8Array): RevokedEntry | undefined {
  if (crl.entries === undefined) return undefined;
  const cursor = new DerCursor(crl.entries);
  while (!cursor.atEnd) {
    const element = cursor.next();
    const serial = openElement(element, TAG.sequence).next();
    expectTag(serial, TAG.integer);
    if (equalBytes(contentBytes(serial), serialBytes)) return readEntry(element, undefined);
  }
  return undefined;
}

/**
 * Indexes all entries by serial number, for repeated lookups. If a serial number occurs more than once, its last entry
 * wins.
 */
export function indexRevoked(crl: CertificateList): Map<string, RevokedEntry> {
  const index = new Map<string, RevokedEntry>();
  for (const entry of revokedEntries(crl)) index.set(entry.serialNumber, entry);
  return index;
}

const KNOWN_CRL_EXTENSIONS: ReadonlySet<string> = new Set([
  OID.authorityKeyIdentifier,
  OID.issuerAltName,
  OID.crlNumber,
  OID.deltaCrlIndicator,
  OID.issuingDistributionPoint,
  OID.freshestCrl,
  OID.authorityInfoAccess,
]);

/** Returns the OIDs of unknown critical CRL extensions. A CRL that contains any must not be used (RFC 5280 §5.2). */
export function unknownCriticalCrlExtensions(crl: CertificateList): string[] {
  return crl.extensions.filter(({ oid, critical }) => critical && !KNOWN_CRL_EXTENSIONS.has(oid)).map(({ oid }) => oid);
}

/**
 * Returns whether a delta CRL applies to this full CRL: it has the same issuer and scope and is not older (RFC 5280
 * §5.2.4).
 */
export function deltaFits(full: CertificateList, delta: CertificateList): boolean {
  if (full.crlNumber === undefined || delta.crlNumber === undefined || delta.baseCrlNumber === undefined) return false;
  const scope = (crl: CertificateList): Uint8Array =>
    findExtension(crl.extensions, OID.issuingDistributionPoint)?.value ?? new Uint8Array();
  const key = (crl: CertificateList): Uint8Array => crl.authorityKeyIdentifier?.keyIdentifier ?? new Uint8Array();
  return (
    full.baseCrlNumber === undefined &&
    equalBytes(full.issuer.der, delta.issuer.der) &&
    equalBytes(scope(full), scope(delta)) &&
    equalBytes(key(full), key(delta)) &&
    full.crlNumber >= delta.baseCrlNumber &&
    full.crlNumber <= delta.crlNumber
  );
}
