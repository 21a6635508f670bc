// Decoding of SignedData (RFC 5652 §5). For signature verification, see verify-signer.ts.
import { withFieldNames } from '../der/field-names.ts';
import { SIGNED_DATA_FIELDS } from '../der/known-fields.ts';
import {
  DerCursor,
  elementBytes,
  explicitContent,
  openElement,
  parseDer,
  readIntegerBetween,
  readOctetString,
  readOid,
  type DerElement,
} from '../der/reader.ts';
import {
  messageDigestFromOid,
  readAlgorithm,
  type AlgorithmIdentifier,
  type DigestName,
  type XofName,
} from '../algorithms.ts';
import { encodeDer, setOf } from '../der/writer.ts';
import { DerError } from '../errors.ts';
import {
  identifiesCertificate,
  readCertificateIdentifier,
  type CertificateIdentifier,
} from './certificate-identifier.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { readAttributes, type Attribute } from '../x509/attributes.ts';
import { TAG } from '../der/tags.ts';
import type { Digest } from '../crypto.ts';

/** Limits per message: a chain or two, the issuers' CRLs, and far more signers than protocols use. */
const MAX_CERTIFICATES = 1000;
const MAX_CRLS = 100;
const MAX_SIGNERS = 32;
const MAX_DIGESTS = 32;

/** Signed or unsigned attributes of a signer. */
export interface AttributeSet {
  /** SET OF Attribute in DER: the bytes that the signature covers (RFC 5652 §5.4). */
  readonly der: Uint8Array;
  readonly list: readonly Attribute[];
}

export interface SignerInfo {
  readonly identifier: CertificateIdentifier;
  readonly digestAlgorithm: AlgorithmIdentifier;
  /** `undefined` for an unsupported digest. */
  readonly digestName: DigestName | XofName | undefined;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  readonly signedAttributes: AttributeSet | undefined;
  readonly unsignedAttributes: AttributeSet | undefined;
}

export interface SignedData {
  /** Content type: `OID.pkcs7Data` for arbitrary data. */
  readonly contentType: string;
  /** `undefined` for a detached signature. */
  readonly content: Uint8Array | undefined;
  /** X.509 certificates in DER, not parsed: a malformed certificate does no harm if it is not used. */
  readonly certificates: readonly Uint8Array[];
  /** CRLs in DER. */
  readonly crls: readonly Uint8Array[];
  readonly signers: readonly SignerInfo[];
}

/** Reads a SignedData in DER. If it has an IMPLICIT tag, pass it as `tag`. Throws `DerError`. See `openContentInfo`. */
export function parseSignedData(der: Uint8Array, tag: number = TAG.sequence): SignedData {
  return withFieldNames(der, SIGNED_DATA_FIELDS, (whole) => readWhole(whole, tag));
}

function readWhole(der: Uint8Array, tag: number): SignedData {
  const cursor = openElement(parseDer(der), tag);
  readIntegerBetween(cursor.next(), { min: 1, max: 5 });
  members(cursor.take(TAG.set), { max: MAX_DIGESTS, read: readAlgorithm });
  const { contentType, content } = readEncapsulated(cursor.next());
  const certificates = cursor.optional(0xa0);
  const crls = cursor.optional(0xa1);
  const signers = members(cursor.take(TAG.set), { max: MAX_SIGNERS, read: readSigner });
  cursor.finish();
  return {
    contentType,
    content,
    certificates: readSignedObjects(certificates, MAX_CERTIFICATES),
    crls: readSignedObjects(crls, MAX_CRLS),
    signers,
  };
}

function members<T>(element: DerElement, options: { max: number; read: (element: DerElement) => T }): T[] {
  const cursor = new DerCursor(element);
  const list: T[] = [];
  while (!cursor.atEnd) {
    if (list.length === options.max) throw new DerError('too-many-elements', cursor.offset);
    list.push(options.read(cursor.next()));
  }
  return list;
}

/**
 * Returns the X.509 members of a CertificateSet or RevocationInfoChoices; all other choices have context tags (RFC 5652
 * §10.2).
 */
export function readSignedObjects(element: DerElement | undefined, max: number): Uint8Array[] {
  if (element === undefined) return [];
  return members(element, { max, read: (each) => each })
    .filter((each) => each.tag === TAG.sequence)
    .map(elementBytes);
}

/** Reads an EncapsulatedContentInfo (RFC 5652 §5.2). */
function readEncapsulated(element: DerElement): { contentType: string; content: Uint8Array | undefined } {
  const cursor = openElement(element, TAG.sequence);
  const contentType = readOid(cursor.next());
  const content = cursor.optional(0xa0);
  cursor.finish();
  return { contentType, content: content && readOctetString(explicitContent(content)) };
}

function readSigner(element: DerElement): SignerInfo {
  const cursor = openElement(element, TAG.sequence);
  // Some programs set a version that does not match the identifier type.
  readIntegerBetween(cursor.next(), { min: 1, max: 3 });
  const identifier = readCertificateIdentifier(cursor.next());
  const digestAlgorithm = readAlgorithm(cursor.next());
  const signed = cursor.optional(0xa0);
  const signatureAlgorithm = readAlgorithm(cursor.next());
  const signature = readOctetString(cursor.next());
  const unsigned = cursor.optional(0xa1);
  cursor.finish();
  return {
    identifier,
    digestAlgorithm,
    digestName: messageDigestFromOid(digestAlgorithm.oid),
    signatureAlgorithm,
    signature,
    signedAttributes: signed && readAttributeSet(signed),
    unsignedAttributes: unsigned && readAttributeSet(unsigned),
  };
}

function readAttributeSet(element: DerElement): AttributeSet {
  const list = readAttributes(element).map(({ type, values }) => ({ type, values: values.map(elementBytes) }));
  // The signature covers DER, in which sets are sorted, regardless of the order on the wire (RFC 5652 §5.4).
  const der = encodeDer(setOf(members(element, { max: list.length, read: elementBytes })));
  return { der, list };
}

/**
 * Returns the only value of an attribute, encoded, or `undefined` if it is absent. Throws `DerError` unless it has
 * exactly one value.
 */
export function attributeValue(attributes: AttributeSet | undefined, type: string): Uint8Array | undefined {
  const attribute = attributes?.list.find((each) => each.type === type);
  if (attribute === undefined) return undefined;
  const [value, ...more] = attribute.values;
  if (value === undefined) throw new DerError('missing-element', 0);
  if (more.length > 0) throw new DerError('duplicate-element', 0);
  return value;
}

/**
 * Returns the signer's certificate from the message; malformed certificates are skipped. The certificate is only a
 * claim: use `validatePath` to decide whether to trust it.
 */
export function findSignerCertificate(
  signedData: SignedData,
  signer: SignerInfo,
  digest: Digest,
): Certificate | undefined {
  for (const der of signedData.certificates) {
    try {
      const certificate = parseCertificate(der);
      if (identifiesCertificate(signer.identifier, certificate, digest)) return certificate;
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
    }
  }
  return undefined;
}
