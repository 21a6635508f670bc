// PKCS #10 certification requests (RFC 2986): decoding, verification and encoding. The decoder is lenient about the
// wrapping (PEM with either label, bare base64, DER) and a missing attribute list, and strict about everything else.
import { withFieldNames } from './der/field-names.ts';
import { CERTIFICATION_REQUEST_FIELDS } from './der/known-fields.ts';
import {
  contentBytes,
  elementBytes,
  openElement,
  parseDer,
  readBitStringBytes,
  readIntegerBetween,
} from './der/reader.ts';
import { decodeText } from './der/text.ts';
import { DerError, PkiError } from './errors.ts';
import {
  bitStringPart,
  encodeDer,
  implicitConstructed,
  integerPart,
  printableStringPart,
  sequence,
  setOf,
  utf8StringPart,
  type DerPart,
} from './der/writer.ts';
import {
  attributePart,
  readAttributes,
  singleValue,
  type Attribute,
  type AttributeElements,
} from './x509/attributes.ts';
import { extensionsPart, type ExtensionInput } from './x509/extension-parts.ts';
import { findExtension, readAltNames, readExtensions, type Extension } from './x509/extensions.ts';
import { isPrintable } from './der/text.ts';
import { OID } from './oids.ts';
import { PEM_LABELS, readDerOrPem } from './pem.ts';
import { parseAlgorithm, resolveSignatureAlgorithm, signatureAlgorithmName } from './algorithms.ts';
import { readName, type Name } from './names.ts';
import { parsePublicKey, readPublicKey, type PublicKey } from './keys.ts';
import { assembleSigned, parseSigned } from './x509/signed.ts';
import { TAG } from './der/tags.ts';
import type { GeneralName } from './x509/general-names.ts';
import type { AlgorithmIdentifier, DigestName, SignatureAlgorithm } from './algorithms.ts';
import type { VerifySignature } from './crypto.ts';

export type RequestAttribute = Attribute;

export interface CertificationRequest {
  readonly der: Uint8Array;
  /** The bytes that the signature covers. */
  readonly info: Uint8Array;
  readonly subject: Name;
  readonly publicKey: PublicKey;
  readonly attributes: readonly RequestAttribute[];
  /** From the extensionRequest attribute (RFC 2985 §5.4.2) or Microsoft's equivalent; empty if there is none. */
  readonly extensions: readonly Extension[];
  /** RFC 2985 §5.4.1: SCEP's shared secret. Must never be logged. */
  readonly challengePassword: string | undefined;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
}

/** Highest accepted version number, far higher than any client writes. */
const MAX_VERSION = 127;

/** Reads a request in DER. Throws `DerError`. Does not verify the signature: see `verifyCertificationRequest`. */
export function parseCertificationRequest(der: Uint8Array): CertificationRequest {
  return withFieldNames(der, CERTIFICATION_REQUEST_FIELDS, readWhole);
}

function readWhole(der: Uint8Array): CertificationRequest {
  const { tbs: info, signatureAlgorithm, signature } = parseSigned(der);
  const cursor = openElement(info, TAG.sequence);
  // v1 is the only version (RFC 2986 §4.1), but some clients write a different number, and nothing depends on it.
  readIntegerBetween(cursor.next(), { min: 0, max: MAX_VERSION });
  const subject = readName(cursor.next());
  const publicKey = readPublicKey(cursor.next());
  const attributeSet = cursor.optional(0xa0); // Required by RFC 2986, but some clients omit it if it is empty.
  cursor.finish();
  const attributes = attributeSet === undefined ? [] : readAttributes(attributeSet);
  return {
    der: info.source,
    info: elementBytes(info),
    subject,
    publicKey,
    attributes: attributes.map(({ type, values }) => ({ type, values: values.map(elementBytes) })),
    extensions: requestedExtensions(attributes),
    challengePassword: challengePassword(attributes),
    signatureAlgorithm,
    signature,
  };
}

/** Reads a request from DER, PEM (`CERTIFICATE REQUEST` or `NEW CERTIFICATE REQUEST`) or base64. Throws `PkiError`. */
export function readCertificationRequest(input: Uint8Array | string): CertificationRequest {
  return parseCertificationRequest(readDerOrPem(input, PEM_LABELS.certificateRequest));
}

/**
 * Returns the alternative key of a hybrid certificate request, from an attribute with the extension's type (X.509 2019
 * §9.8) or from the requested extension. Returns undefined if there is none. Throws `DerError`.
 */
export function requestedAlternativeKey(request: CertificationRequest): PublicKey | undefined {
  const spki = alternativeValue(request, OID.subjectAltPublicKeyInfo);
  return spki && parsePublicKey(spki);
}

/**
 * Returns the name of the alternative signature algorithm, in the same form as `Certificate.signatureAlgorithmName`.
 * Uses the same sources as the key. Throws `DerError`.
 */
export function requestedAlternativeSignatureAlgorithmName(request: CertificationRequest): string | undefined {
  const algorithm = alternativeValue(request, OID.altSignatureAlgorithm);
  return algorithm && signatureAlgorithmName(parseAlgorithm(algorithm));
}

function alternativeValue({ attributes, extensions }: CertificationRequest, type: string): Uint8Array | undefined {
  const attribute = attributes.find((each) => each.type === type);
  if (attribute === undefined) return findExtension(extensions, type)?.value;
  const [value, ...more] = attribute.values;
  if (value === undefined) throw new DerError('missing-element', 0);
  if (more.length > 0) throw new DerError('duplicate-element', 0);
  return value;
}

function requestedExtensions(attributes: readonly AttributeElements[]): readonly Extension[] {
  // The standard attribute takes precedence; Windows clients send both or only Microsoft's.
  const attribute =
    attributes.find(({ type }) => type === OID.extensionRequest) ??
    attributes.find(({ type }) => type === OID.msExtensionRequest);
  return attribute === undefined ? [] : readExtensions(singleValue(attribute));
}

function challengePassword(attributes: readonly AttributeElements[]): string | undefined {
  const attribute = attributes.find(({ type }) => type === OID.challengePassword);
  if (attribute === undefined) return undefined;
  const value = singleValue(attribute);
  const text = decodeText(value.tag, contentBytes(value));
  if (text === undefined) throw new DerError('bad-text', value.start);
  return text;
}

/** Returns the requested subject alternative names, if any. Throws `DerError`. */
export function requestedAltNames(request: Pick<CertificationRequest, 'extensions'>): readonly GeneralName[] {
  const extension = findExtension(request.extensions, OID.subjectAltName);
  return extension === undefined ? [] : readAltNames(extension.value);
}

/** Names of digests that are broken for signatures (RFC 6149 §6, RFC 6151 §2, RFC 6194 §3.1). */
const BROKEN_DIGESTS = { md2: 'MD2', md5: 'MD5', sha1: 'SHA-1' } as const;
const REMEDY = 'sign it with SHA-256 or stronger';
/** RFC 8017 appendix C. Neither the algorithm nor its digest is supported. */
const MD2_WITH_RSA = '1.2.840.113549.1.1.2';

/**
 * Returns why the request's signature is unacceptable and how to fix it, as a clause without a period, or undefined if
 * it is acceptable. Unknown algorithms are left to `verifyCertificationRequest`.
 */
export function requestSignatureProblem({ signatureAlgorithm }: CertificationRequest): string | undefined {
  const digest = signatureAlgorithm.oid === MD2_WITH_RSA ? 'md2' : digestOfSignature(signatureAlgorithm);
  // NIST SP 800-131A rev. 2 permits 112 bits of security only until 2030; no browser or CA accepts SHA-224.
  if (digest === 'sha224') return `it is signed with SHA-224, which is too short; ${REMEDY}`;
  if (digest !== 'md2' && digest !== 'md5' && digest !== 'sha1') return undefined;
  return `it is signed with ${BROKEN_DIGESTS[digest]}, which is broken; ${REMEDY}`;
}

function digestOfSignature(algorithm: AlgorithmIdentifier): DigestName | undefined {
  try {
    return resolveSignatureAlgorithm(algorithm).digest;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/**
 * Returns whether the request is signed with its own key (proof of possession). Throws `PkiError`
 * `unsupported-algorithm`.
 */
export function verifyCertificationRequest(request: CertificationRequest, verify: VerifySignature): boolean {
  const algorithm = resolveSignatureAlgorithm(request.signatureAlgorithm);
  return verify(request.publicKey.spki, { algorithm, data: request.info, signature: request.signature });
}

/** Returns whether a request has any alternative key or signature attribute, even a malformed one. */
export const isHybridRequest = ({ attributes }: CertificationRequest): boolean =>
  attributes.some(({ type }) => HYBRID_ATTRIBUTES.has(type));

const HYBRID_ATTRIBUTES: ReadonlySet<string> = new Set([
  OID.subjectAltPublicKeyInfo,
  OID.altSignatureAlgorithm,
  OID.altSignatureValue,
]);

/**
 * Returns whether the request is also signed with its alternative key. The signature covers the
 * CertificationRequestInfo without the attribute that contains it. Returns false if any of the three attributes is
 * missing. Throws `PkiError`.
 */
export function verifyAlternativeRequestSignature(request: CertificationRequest, verify: VerifySignature): boolean {
  const key = requestedAlternativeKey(request);
  const identifier = alternativeValue(request, OID.altSignatureAlgorithm);
  const value = alternativeValue(request, OID.altSignatureValue);
  if (!key || !identifier || !value) return false;
  return verify(key.spki, {
    algorithm: resolveSignatureAlgorithm(parseAlgorithm(identifier)),
    data: alternativeSignedInfo(request),
    signature: readBitStringBytes(parseDer(value)),
  });
}

function alternativeSignedInfo({ info }: CertificationRequest): Uint8Array {
  const cursor = openElement(parseDer(info), TAG.sequence);
  const [version, subject, spki] = [cursor.next(), cursor.next(), cursor.next()].map(elementBytes);
  const attributes = readAttributes(cursor.next()).filter(({ type }) => type !== OID.altSignatureValue);
  const parts = attributes.map(({ type, values }) => attributePart(type, values.map(elementBytes)));
  return encodeDer(sequence([version, subject, spki, setOf(parts, 0xa0)]));
}

/** Returns the attributes of a hybrid certificate request that are covered by its alternative signature. */
export const alternativeKeyAttributes = (spki: Uint8Array, algorithm: SignatureAlgorithm): RequestAttribute[] => [
  { type: OID.subjectAltPublicKeyInfo, values: [spki] },
  { type: OID.altSignatureAlgorithm, values: [algorithm.der] },
];

/** Returns the attribute with the alternative signature, which is created before the main one. */
export const alternativeSignatureAttribute = (signature: Uint8Array): RequestAttribute => ({
  type: OID.altSignatureValue,
  values: [encodeDer(bitStringPart(signature))],
});

export interface CertificationRequestInput {
  readonly subject: Name | Uint8Array;
  /** Encoded SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
  readonly extensions?: readonly ExtensionInput[];
  readonly challengePassword?: string;
  /** Additional attributes with encoded values. */
  readonly attributes?: readonly RequestAttribute[];
}

/** Returns an encoded CertificationRequestInfo, to be signed with the private key that matches `spki`. */
export function buildCertificationRequestInfo(input: CertificationRequestInput): Uint8Array {
  const attributes: DerPart[] = [];
  const { extensions = [], challengePassword: secret } = input;
  if (extensions.length > 0) attributes.push(attributePart(OID.extensionRequest, [extensionsPart(extensions)]));
  if (secret !== undefined) {
    const value = isPrintable(secret) ? printableStringPart(secret) : utf8StringPart(secret);
    attributes.push(attributePart(OID.challengePassword, [value]));
  }
  for (const { type, values } of input.attributes ?? []) attributes.push(attributePart(type, values));
  const subject = input.subject instanceof Uint8Array ? input.subject : input.subject.der;
  const sorted = setOf(attributes, 0xa0);
  return encodeDer(
    sequence([integerPart(0), subject, input.spki, attributes.length === 0 ? implicitConstructed(0, []) : sorted]),
  );
}

/** Assembles the request from info, algorithm and signature. */
export const assembleCertificationRequest: (
  info: Uint8Array,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
) => Uint8Array = assembleSigned;
