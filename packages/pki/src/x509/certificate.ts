// Decoding of X.509 certificates (RFC 5280 §4.1). Parsing checks the outer structure; names, key and extension values
// are decoded on first access and cached. All results are views of the input bytes: copy anything that must outlive
// them.
import { withFieldNames } from '../der/field-names.ts';
import { CERTIFICATE_FIELDS } from '../der/known-fields.ts';
import {
  contentBytes,
  elementBytes,
  explicitContent,
  openElement,
  parseDer,
  readIntegerBetween,
  readIntegerBytes,
  readTimeMs,
  type DerElement,
} from '../der/reader.ts';
import { equalNames, readName, type Name } from '../names.ts';
import { equalBytes, numberHex } from '../bytes.ts';
import { DerError } from '../errors.ts';
import { expectSameAlgorithm, parseSigned } from './signed.ts';
import { OID } from '../oids.ts';
import { PEM_LABELS, readDerOrPem } from '../pem.ts';
import { readAlgorithm, signatureAlgorithmName } from '../algorithms.ts';
import { readPublicKey, type PublicKey } from '../keys.ts';
import { TAG } from '../der/tags.ts';
import * as read from './extensions.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';
import type { GeneralName } from './general-names.ts';

interface Frame {
  readonly der: Uint8Array;
  readonly tbs: DerElement;
  readonly version: number;
  readonly serial: DerElement;
  readonly issuer: DerElement;
  readonly subject: DerElement;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly spki: DerElement;
  /** Signature algorithm in the signed part. */
  readonly algorithm: DerElement;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  readonly extensions: readonly read.Extension[];
}

/**
 * A parsed certificate. Getters that decode an extension throw `DerError` if its value is malformed and return
 * `undefined` (or an empty list) if it is absent; `describeCertificate` reads all of them and does not throw for
 * malformed extensions.
 */
export class Certificate {
  private readonly frame: Frame;
  private issuerName: Name | undefined;
  private subjectName: Name | undefined;
  private key: PublicKey | undefined;
  private decoded: Map<string, unknown> | undefined;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  /** The whole certificate. */
  get der(): Uint8Array {
    return this.frame.der;
  }

  /** The bytes that the signature covers. */
  get tbs(): Uint8Array {
    return elementBytes(this.frame.tbs);
  }

  /** 1, 2 or 3. */
  get version(): number {
    return this.frame.version;
  }

  /** Serial number as two's complement bytes. */
  get serialBytes(): Uint8Array {
    return contentBytes(this.frame.serial);
  }

  /**
   * Serial number in lowercase hex without leading zeros. Negative numbers, which some issuers encoded, have a leading
   * `-`.
   */
  get serialNumber(): string {
    return formatSerialNumber(this.serialBytes);
  }

  get issuer(): Name {
    return (this.issuerName ??= readName(this.frame.issuer));
  }

  get subject(): Name {
    return (this.subjectName ??= readName(this.frame.subject));
  }

  /** Encoded issuer. */
  get issuerDer(): Uint8Array {
    return elementBytes(this.frame.issuer);
  }

  /** Encoded subject. */
  get subjectDer(): Uint8Array {
    return elementBytes(this.frame.subject);
  }

  /** First instant of validity, in milliseconds since 1970. */
  get notBeforeMs(): number {
    return this.frame.notBefore;
  }

  /** Last second of validity, in milliseconds since 1970. */
  get notAfterMs(): number {
    return this.frame.notAfter;
  }

  /** Encoded SubjectPublicKeyInfo. */
  get spki(): Uint8Array {
    return elementBytes(this.frame.spki);
  }

  get publicKey(): PublicKey {
    return (this.key ??= readPublicKey(this.frame.spki));
  }

  get signatureAlgorithm(): AlgorithmIdentifier {
    return this.frame.signatureAlgorithm;
  }

  /** `SHA256withRSA`, `Ed25519`, `ML-DSA-65`, or the OID if unknown. */
  get signatureAlgorithmName(): string {
    return signatureAlgorithmName(this.frame.signatureAlgorithm);
  }

  /**
   * Whether the signature algorithm is encoded identically inside and outside the signed part. RSA parameters that are
   * NULL in one place and absent in the other are accepted.
   */
  get hasEqualAlgorithms(): boolean {
    return equalBytes(elementBytes(this.frame.algorithm), this.frame.signatureAlgorithm.der);
  }

  get signature(): Uint8Array {
    return this.frame.signature;
  }

  get extensions(): readonly read.Extension[] {
    return this.frame.extensions;
  }

  /** Returns the value of the extension with this OID. */
  extensionValue(oid: string): Uint8Array | undefined {
    return read.findExtension(this.frame.extensions, oid)?.value;
  }

  get basicConstraints(): read.BasicConstraints | undefined {
    return this.decode(OID.basicConstraints, read.readBasicConstraints);
  }

  /** Whether basicConstraints marks the certificate as a CA. Always false for version 1 certificates. */
  get isCa(): boolean {
    return this.basicConstraints?.ca === true;
  }

  /** `undefined` if the extension is absent, which means that any use is allowed. */
  get keyUsage(): readonly read.KeyUsage[] | undefined {
    return this.decode(OID.keyUsage, read.readKeyUsage);
  }

  /** OIDs of the purposes; `undefined` if the extension is absent. */
  get extKeyUsage(): readonly string[] | undefined {
    return this.decode(OID.extKeyUsage, read.readExtKeyUsage);
  }

  get subjectAltNames(): readonly GeneralName[] {
    return this.decode(OID.subjectAltName, read.readAltNames) ?? [];
  }

  get issuerAltNames(): readonly GeneralName[] {
    return this.decode(OID.issuerAltName, read.readAltNames) ?? [];
  }

  get subjectKeyIdentifier(): Uint8Array | undefined {
    return this.decode(OID.subjectKeyIdentifier, read.readSubjectKeyIdentifier);
  }

  get authorityKeyIdentifier(): read.AuthorityKeyIdentifier | undefined {
    return this.decode(OID.authorityKeyIdentifier, read.readAuthorityKeyIdentifier);
  }

  get crlDistributionPoints(): readonly read.DistributionPoint[] {
    return this.decode(OID.crlDistributionPoints, read.readDistributionPoints) ?? [];
  }

  get crlUrls(): string[] {
    return read.distributionPointUrls(this.crlDistributionPoints);
  }

  /** Delta CRL URLs. */
  get freshestCrlUrls(): string[] {
    return read.distributionPointUrls(this.decode(OID.freshestCrl, read.readDistributionPoints) ?? []);
  }

  get authorityInfoAccess(): readonly read.AccessDescription[] {
    return this.decode(OID.authorityInfoAccess, read.readInfoAccess) ?? [];
  }

  get ocspUrls(): string[] {
    return read.accessUrls(this.authorityInfoAccess, OID.ocsp);
  }

  get caIssuersUrls(): string[] {
    return read.accessUrls(this.authorityInfoAccess, OID.caIssuers);
  }

  get certificatePolicies(): readonly read.PolicyInformation[] {
    return this.decode(OID.certificatePolicies, read.readCertificatePolicies) ?? [];
  }

  get policyMappings(): readonly read.PolicyMapping[] {
    return this.decode(OID.policyMappings, read.readPolicyMappings) ?? [];
  }

  get nameConstraints(): read.NameConstraints | undefined {
    return this.decode(OID.nameConstraints, read.readNameConstraints);
  }

  get policyConstraints(): read.PolicyConstraints | undefined {
    return this.decode(OID.policyConstraints, read.readPolicyConstraints);
  }

  get inhibitAnyPolicy(): number | undefined {
    return this.decode(OID.inhibitAnyPolicy, read.readInhibitAnyPolicy);
  }

  /** Whether issuer and subject are equal (RFC 5280 §6.1: self-issued). */
  get isSelfIssued(): boolean {
    const { issuer, subject } = this.frame;
    return equalBytes(elementBytes(issuer), elementBytes(subject)) || equalNames(this.issuer, this.subject);
  }

  private decode<T>(oid: string, decoder: (value: Uint8Array) => T): T | undefined {
    this.decoded ??= new Map();
    const known = this.decoded.get(oid);
    if (known !== undefined) return known as T; // Each OID has one decoder, hence the cast.
    const value = this.extensionValue(oid);
    if (value === undefined) return undefined;
    const made = decoder(value);
    this.decoded.set(oid, made);
    return made;
  }
}

/** Formats a serial number from two's complement bytes. */
export function formatSerialNumber(octets: Uint8Array): string {
  if ((octets[0] ?? 0) < 0x80) return numberHex(octets);
  const magnitude = -BigInt.asIntN(octets.length * 8, BigInt(`0x${octets.toHex()}`));
  return `-${magnitude.toString(16)}`;
}

/**
 * Maximum length of a decoded serial number, in bytes: RFC 5280 §4.1.2.2 allows 20, but some old issuers wrote more.
 */
const MAX_READ_SERIAL_OCTETS = 64;

/**
 * Reads a certificate in DER. Throws `DerError`: `duplicate-element` if an extension appears twice, `bad-value` if the
 * inner algorithm differs from the outer one (RFC 5280 §4.1.1.2).
 */
export function parseCertificate(der: Uint8Array): Certificate {
  return withFieldNames(der, CERTIFICATE_FIELDS, readWhole);
}

function readWhole(der: Uint8Array): Certificate {
  const { tbs, signatureAlgorithm, signature } = parseSigned(der);
  const fields = readTbs(tbs);
  expectSameAlgorithm(fields.algorithm, signatureAlgorithm);
  return new Certificate({ der: tbs.source, tbs, signatureAlgorithm, signature, ...fields });
}

/**
 * Reads a TBSCertificate, to inspect a certificate before it is signed. `der` and `tbs` are the same bytes and
 * `signature` is empty. Throws `DerError`.
 */
export function parseTbsCertificate(tbs: Uint8Array): Certificate {
  const element = parseDer(tbs);
  const fields = readTbs(element);
  const signatureAlgorithm = readAlgorithm(fields.algorithm);
  return new Certificate({
    der: element.source,
    tbs: element,
    signatureAlgorithm,
    signature: new Uint8Array(),
    ...fields,
  });
}

type TbsFields = Omit<Frame, 'der' | 'tbs' | 'signatureAlgorithm' | 'signature'>;

function readTbs(tbs: DerElement): TbsFields {
  const cursor = openElement(tbs, TAG.sequence);
  const versionTag = cursor.optional(0xa0);
  const version = versionTag ? readIntegerBetween(explicitContent(versionTag), { min: 0, max: 2 }) + 1 : 1;
  const serial = cursor.next();
  if (readIntegerBytes(serial).length > MAX_READ_SERIAL_OCTETS) throw new DerError('integer-too-large', serial.start);
  const algorithm = cursor.take(TAG.sequence);
  const issuer = cursor.take(TAG.sequence);
  const validity = cursor.open(TAG.sequence);
  const notBefore = readTimeMs(validity.next());
  const notAfter = readTimeMs(validity.next());
  validity.finish();
  const subject = cursor.take(TAG.sequence);
  const spki = cursor.take(TAG.sequence);
  cursor.optional(0x81); // issuerUniqueID and subjectUniqueID are skipped: they have been unused since 1999.
  cursor.optional(0x82);
  const extensionsTag = cursor.optional(0xa3);
  cursor.finish();
  const extensions = extensionsTag ? read.readExtensions(explicitContent(extensionsTag)) : [];
  return { version, serial, algorithm, issuer, subject, notBefore, notAfter, spki, extensions };
}

/** Reads a certificate from DER, PEM (bytes or text) or base64 text. Throws `PkiError`. */
export function readCertificate(input: Uint8Array | string): Certificate {
  return parseCertificate(readDerOrPem(input, PEM_LABELS.certificate));
}
