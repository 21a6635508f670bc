// CertTemplate (RFC 4211 §5): optional certificate fields in a request, a revocation request or a template suggested by
// the CA.
import { DerCursor, elementBytes, explicitContent, openElement, parseDer } from '../der/reader.ts';
import { readBitString, readIntegerBytes, readSmallInteger, readTimeMs, type DerElement } from '../der/reader.ts';
import {
  constructed,
  encodeDer,
  explicitPart,
  implicitConstructed,
  integerPart,
  primitive,
  timePart,
  type DerPart,
} from '../der/writer.ts';
import { extensionsPart, type ExtensionInput } from '../x509/extension-parts.ts';
import { DerError } from '../errors.ts';
import { nextAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { parsePublicKey, type PublicKey } from '../keys.ts';
import { readExtensions, type Extension } from '../x509/extensions.ts';
import { readImplicitAlgorithm } from './implicit-algorithm.ts';
import { readName, type Name } from '../names.ts';
import { retag, retagElement } from '../der/members.ts';
import { TAG } from '../der/tags.ts';

/** The same limit as for certificates: 20 bytes are allowed, but old issuers wrote longer serial numbers. */
const MAX_SERIAL_OCTETS = 64;

/** A template to encode. A decoded `CertTemplate` is also accepted and is encoded unchanged. */
export interface CertTemplateInput {
  /** The value 2 means version 3. */
  readonly version?: number | undefined;
  /** Two's complement bytes, as in `Certificate.serialBytes`. */
  readonly serialBytes?: Uint8Array | undefined;
  readonly signingAlgorithm?: Pick<AlgorithmIdentifier, 'der'> | undefined;
  readonly issuer?: Name | Uint8Array | undefined;
  readonly validity?: CertTemplateValidity | undefined;
  readonly subject?: Name | Uint8Array | undefined;
  /** Encoded SubjectPublicKeyInfo. To have the CA generate the key, see `keylessSpki`. */
  readonly spki?: Uint8Array | undefined;
  /** Contents of the obsolete BIT STRINGs issuerUID and subjectUID. */
  readonly issuerUid?: Uint8Array | undefined;
  readonly subjectUid?: Uint8Array | undefined;
  readonly extensions?: readonly ExtensionInput[] | undefined;
}

/** Requested validity in milliseconds since 1970. The CA chooses omitted values. */
export interface CertTemplateValidity {
  readonly notBeforeMs?: number | undefined;
  readonly notAfterMs?: number | undefined;
}

export interface CertTemplate extends CertTemplateInput {
  /** The template as a SEQUENCE, regardless of its original tag. */
  readonly der: Uint8Array;
  readonly signingAlgorithm: AlgorithmIdentifier | undefined;
  readonly issuer: Name | undefined;
  readonly subject: Name | undefined;
  /**
   * Undefined if absent, or if the CA is to generate the key (RFC 9483 §4.1.6). In the latter case, only `keyAlgorithm`
   * is set.
   */
  readonly publicKey: PublicKey | undefined;
  readonly keyAlgorithm: AlgorithmIdentifier | undefined;
  readonly extensions: readonly Extension[] | undefined;
}

/** Reads a CertTemplate with the SEQUENCE tag or an IMPLICIT tag. Throws `DerError`. */
export function readCertTemplate(element: DerElement, tag: number = TAG.sequence): CertTemplate {
  const cursor = openElement(element, tag);
  const version = cursor.optional(0x80);
  const serial = cursor.optional(0x81);
  const signingAlgorithm = cursor.optional(0xa2);
  const issuer = cursor.optional(0xa3);
  const validity = cursor.optional(0xa4);
  const subject = cursor.optional(0xa5);
  const key = cursor.optional(0xa6);
  const issuerUid = cursor.optional(0x87);
  const subjectUid = cursor.optional(0x88);
  const extensions = cursor.optional(0xa9);
  cursor.finish();
  return {
    der: tag === TAG.sequence ? elementBytes(element) : retagElement(element, TAG.sequence),
    version: version && readSmallInteger(version, 0x80),
    serialBytes: serial && readSerial(serial),
    signingAlgorithm: signingAlgorithm && readImplicitAlgorithm(signingAlgorithm),
    issuer: issuer && readName(explicitContent(issuer)), // Name is a CHOICE, so its tag is EXPLICIT (X.680 §31.2.7).
    validity: validity && readValidity(validity),
    subject: subject && readName(explicitContent(subject)),
    ...readKey(key),
    issuerUid: issuerUid && uidContents(issuerUid),
    subjectUid: subjectUid && uidContents(subjectUid),
    extensions: extensions && readExtensions({ ...extensions, tag: TAG.sequence }),
  };
}

/** Reads a CertTemplate that spans the whole buffer. Throws `DerError`. */
export function parseCertTemplate(der: Uint8Array): CertTemplate {
  return readCertTemplate(parseDer(der));
}

function readSerial(element: DerElement): Uint8Array {
  const octets = readIntegerBytes(element, 0x81);
  if (octets.length > MAX_SERIAL_OCTETS) throw new DerError('integer-too-large', element.start);
  return octets;
}

function uidContents(element: DerElement): Uint8Array {
  readBitString(element, element.tag);
  return element.source.subarray(element.content, element.end);
}

function readValidity(element: DerElement): CertTemplateValidity {
  const cursor = new DerCursor(element);
  const notBefore = cursor.optional(0xa0); // Time is also a CHOICE, so its tag is EXPLICIT.
  const notAfter = cursor.optional(0xa1);
  cursor.finish();
  return {
    notBeforeMs: notBefore && readTimeMs(explicitContent(notBefore)),
    notAfterMs: notAfter && readTimeMs(explicitContent(notAfter)),
  };
}

function readKey(element: DerElement | undefined): Pick<CertTemplate, 'spki' | 'publicKey' | 'keyAlgorithm'> {
  if (element === undefined) return { spki: undefined, publicKey: undefined, keyAlgorithm: undefined };
  const spki = retagElement(element, TAG.sequence);
  const cursor = new DerCursor(element);
  const keyAlgorithm = nextAlgorithm(cursor);
  const bits = readBitString(cursor.next());
  cursor.finish();
  const isForCa = bits.bytes.length === 0;
  return { spki, publicKey: isForCa ? undefined : parsePublicKey(spki), keyAlgorithm };
}

/**
 * Returns a SubjectPublicKeyInfo with an algorithm but no key, which requests that the CA generate the key (RFC 9483
 * §4.1.6).
 */
export function keylessSpki(algorithm: Pick<AlgorithmIdentifier, 'der'>): Uint8Array {
  return encodeDer(constructed(TAG.sequence, [algorithm.der, primitive(TAG.bitString, Uint8Array.of(0))]));
}

/** Returns a CertTemplate in DER. Throws `PkiError`. */
export function buildCertTemplate(input: CertTemplateInput): Uint8Array {
  return encodeDer(constructed(TAG.sequence, templateParts(input)));
}

function templateParts(input: CertTemplateInput): (DerPart | undefined)[] {
  const { version, serialBytes, signingAlgorithm, issuer, validity, subject, spki, extensions } = input;
  return [
    version === undefined ? undefined : integerPart(version, 0x80),
    serialBytes && primitive(0x81, serialBytes),
    signingAlgorithm && retag(signingAlgorithm.der, 0xa2),
    issuer && explicitPart(3, nameDer(issuer)),
    validity &&
      implicitConstructed(4, [validityTimePart(0, validity.notBeforeMs), validityTimePart(1, validity.notAfterMs)]),
    subject && explicitPart(5, nameDer(subject)),
    spki && retag(spki, 0xa6),
    input.issuerUid && primitive(0x87, input.issuerUid),
    input.subjectUid && primitive(0x88, input.subjectUid),
    extensions && retag(encodeDer(extensionsPart(extensions)), 0xa9),
  ];
}

function validityTimePart(number: number, epochMs: number | undefined): DerPart | undefined {
  return epochMs === undefined ? undefined : explicitPart(number, timePart(epochMs));
}

function nameDer(name: Name | Uint8Array): Uint8Array {
  return name instanceof Uint8Array ? name : name.der;
}
