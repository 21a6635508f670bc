// OCSP responses (RFC 6960 §4.2): encoding for responders, decoding for clients. As for certificates, the caller signs
// between the encoding steps. verify.ts decides whether to accept a response.
import {
  contentBytes,
  DerCursor,
  elementBytes,
  explicitContent,
  openDer,
  openElement,
  readIntegerBetween,
  readOctetString,
  readOid,
  readTimeMs,
  type DerElement,
} from '../der/reader.ts';
import {
  bitStringPart,
  constructed,
  encodeDer,
  enumeratedPart,
  explicitPart,
  generalizedTimePart,
  octetStringOf,
  octetStringPart,
  oidPart,
  primitive,
  sequence,
  type DerPart,
} from '../der/writer.ts';
import { DerError, PkiError } from '../errors.ts';
import { nonceExtensions, readNonce } from './request.ts';
import { OID } from '../oids.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { readCertId, type CertId } from './cert-id.ts';
import { readExtensions, type Extension } from '../x509/extensions.ts';
import { readName, type Name } from '../names.ts';
import { readReason } from '../crl/crl.ts';
import { readSigned } from '../x509/signed.ts';
import { REVOCATION_REASONS, type RevocationReason } from '../crl/reasons.ts';
import { TAG } from '../der/tags.ts';
import type { AlgorithmIdentifier, SignatureAlgorithm } from '../algorithms.ts';

/** Limits for a response: as many statuses as a request can ask for, and a short chain. */
const MAX_RESPONSES = 128;
const MAX_RESPONSE_CERTIFICATES = 16;

/** OCSPResponseStatus (RFC 6960 §4.2.1). Value 4 is not used. */
export const OCSP_RESPONSE_STATUSES = {
  successful: 0,
  malformedRequest: 1,
  internalError: 2,
  tryLater: 3,
  sigRequired: 5,
  unauthorized: 6,
} as const;

export type OcspResponseStatus = keyof typeof OCSP_RESPONSE_STATUSES;
export type OcspErrorStatus = Exclude<OcspResponseStatus, 'successful'>;

export type CertStatus =
  | { readonly status: 'good' }
  | { readonly status: 'revoked'; readonly revocationMs: number; readonly reason?: RevocationReason }
  | { readonly status: 'unknown' };

/** Status of one certificate, for encoding. */
export interface SingleResponseInput {
  /** The CertID as encoded in the request. */
  readonly certId: Uint8Array;
  readonly certStatus: CertStatus;
  readonly thisUpdateMs: number;
  /** Absent if newer information is always available. */
  readonly nextUpdateMs?: number;
}

export interface ResponseDataInput {
  /** SHA-1 of the responder's key (`keyIdentifier`), or its encoded subject. */
  readonly responderId: { readonly keyHash: Uint8Array } | { readonly name: Uint8Array };
  readonly producedAtMs: number;
  readonly responses: readonly SingleResponseInput[];
  /** The request's nonce. */
  readonly nonce?: Uint8Array;
}

/** Returns the encoded ResponseData, to be signed with the responder's key. Throws `PkiError` `bad-argument`. */
export function buildOcspResponseData(input: ResponseDataInput): Uint8Array {
  const { responderId, producedAtMs, responses, nonce } = input;
  if (responses.length === 0)
    throw new PkiError('bad-argument', 'An OCSP response must contain at least one certificate status.');
  const responder =
    'name' in responderId ? explicitPart(1, responderId.name) : explicitPart(2, octetStringPart(responderId.keyHash));
  return encodeDer(
    sequence([
      responder,
      generalizedTimePart(producedAtMs),
      sequence(responses.map(singleResponsePart)),
      nonce === undefined ? undefined : explicitPart(1, nonceExtensions(nonce)),
    ]),
  );
}

function singleResponsePart(response: SingleResponseInput): DerPart {
  const { certId, certStatus, thisUpdateMs, nextUpdateMs } = response;
  return sequence([
    certId,
    certStatusPart(certStatus),
    generalizedTimePart(thisUpdateMs),
    nextUpdateMs === undefined ? undefined : explicitPart(0, generalizedTimePart(nextUpdateMs)),
  ]);
}

const EMPTY = new Uint8Array();

function certStatusPart(certStatus: CertStatus): DerPart {
  switch (certStatus.status) {
    case 'good':
      return primitive(0x80, EMPTY);
    case 'revoked': {
      const { revocationMs, reason } = certStatus;
      const code = reason === undefined || reason === 'unspecified' ? undefined : REVOCATION_REASONS[reason];
      const reasonPart = code === undefined ? undefined : explicitPart(0, enumeratedPart(code));
      return constructed(0xa1, [generalizedTimePart(revocationMs), reasonPart]);
    }
    case 'unknown':
      return primitive(0x82, EMPTY);
  }
}

export interface SignedResponse {
  readonly algorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
  /** Certificates to include: the delegated responder's certificate. Absent if the CA itself signs. */
  readonly certificates?: readonly Uint8Array[];
}

/** Returns a successful response that contains the signed data. */
export function assembleOcspResponse(responseData: Uint8Array, signed: SignedResponse): Uint8Array {
  const { algorithm, signature, certificates = [] } = signed;
  const basic = sequence([
    responseData,
    algorithm.der,
    bitStringPart(signature),
    certificates.length === 0 ? undefined : explicitPart(0, sequence(certificates)),
  ]);
  const responseBytes = sequence([oidPart(OID.ocspBasic), octetStringOf(basic)]);
  return encodeDer(sequence([enumeratedPart(OCSP_RESPONSE_STATUSES.successful), explicitPart(0, responseBytes)]));
}

/** Returns an unsigned error response, which contains only a status. */
export function buildOcspError(status: OcspErrorStatus): Uint8Array {
  return encodeDer(sequence([enumeratedPart(OCSP_RESPONSE_STATUSES[status])]));
}

export interface SingleResponse {
  readonly certId: CertId;
  readonly certStatus: CertStatus;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number | undefined;
  readonly extensions: readonly Extension[];
}

export interface BasicOcspResponse {
  /** The bytes that the signature covers. */
  readonly tbs: Uint8Array;
  readonly responderId: { readonly keyHash: Uint8Array } | { readonly name: Name };
  readonly producedAtMs: number;
  readonly responses: readonly SingleResponse[];
  readonly nonce: Uint8Array | undefined;
  readonly extensions: readonly Extension[];
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  readonly certificates: readonly Certificate[];
}

export type OcspResponse =
  { readonly status: 'successful'; readonly basic: BasicOcspResponse } | { readonly status: OcspErrorStatus };

/**
 * Reads a response in DER. Throws `DerError`, or `PkiError` `unsupported-algorithm` for a response type other than
 * basic.
 */
export function parseOcspResponse(der: Uint8Array): OcspResponse {
  const outer = openDer(der);
  const statusElement = outer.next();
  const code = readIntegerBetween(statusElement, { min: 0, max: 6, tag: TAG.enumerated });
  const bytes = outer.optional(0xa0);
  outer.finish();
  const status = statusOfCode(code);
  if (status === undefined) throw new DerError('bad-value', statusElement.start, 'The response status is not defined');
  if (status !== 'successful') return { status };
  if (bytes === undefined) throw new DerError('missing-element', statusElement.end);
  const cursor = openElement(explicitContent(bytes), TAG.sequence);
  const type = readOid(cursor.next());
  const response = readOctetString(cursor.next());
  cursor.finish();
  if (type !== OID.ocspBasic)
    throw new PkiError('unsupported-algorithm', `OCSP response type ${type} is not supported.`);
  return { status, basic: parseBasicResponse(response) };
}

function statusOfCode(code: number): OcspResponseStatus | undefined {
  // `Object.keys` does not preserve the key type, hence the cast.
  const names = Object.keys(OCSP_RESPONSE_STATUSES) as OcspResponseStatus[];
  return names.find((name) => OCSP_RESPONSE_STATUSES[name] === code);
}

function parseBasicResponse(der: Uint8Array): BasicOcspResponse {
  const outer = openDer(der);
  const { tbs, signatureAlgorithm, signature } = readSigned(outer);
  const certificatesTag = outer.optional(0xa0);
  outer.finish();
  const cursor = openElement(tbs, TAG.sequence);
  const version = cursor.optional(0xa0);
  if (version !== undefined) readIntegerBetween(explicitContent(version), { min: 0, max: 0 });
  const responderId = readResponderId(cursor.next());
  const producedAtMs = readTimeMs(cursor.take(TAG.generalizedTime));
  const responses = readMembers(cursor.take(TAG.sequence), { max: MAX_RESPONSES, read: readSingleResponse });
  const extensionsTag = cursor.optional(0xa1);
  cursor.finish();
  const extensions = extensionsTag === undefined ? [] : readExtensions(explicitContent(extensionsTag));
  const readCertificate = (element: DerElement): Certificate => parseCertificate(elementBytes(element));
  return {
    tbs: elementBytes(tbs),
    responderId,
    producedAtMs,
    responses,
    nonce: readNonce(extensions),
    extensions,
    signatureAlgorithm,
    signature,
    certificates:
      certificatesTag === undefined
        ? []
        : readMembers(explicitContent(certificatesTag), { max: MAX_RESPONSE_CERTIFICATES, read: readCertificate }),
  };
}

function readMembers<T>(element: DerElement, options: { max: number; read: (element: DerElement) => T }): T[] {
  const cursor = openElement(element, TAG.sequence);
  const members: T[] = [];
  while (!cursor.atEnd) {
    if (members.length === options.max) throw new DerError('too-many-elements', cursor.offset);
    members.push(options.read(cursor.next()));
  }
  return members;
}

function readResponderId(element: DerElement): BasicOcspResponse['responderId'] {
  if (element.tag === 0xa1) return { name: readName(explicitContent(element)) };
  if (element.tag === 0xa2) return { keyHash: readOctetString(explicitContent(element)) };
  throw new DerError('unexpected-tag', element.start);
}

function readSingleResponse(element: DerElement): SingleResponse {
  const cursor = openElement(element, TAG.sequence);
  const certId = readCertId(cursor.next());
  const certStatus = readCertStatus(cursor.next());
  const thisUpdateMs = readTimeMs(cursor.take(TAG.generalizedTime));
  const next = cursor.optional(0xa0);
  const extensions = cursor.optional(0xa1);
  cursor.finish();
  return {
    certId,
    certStatus,
    thisUpdateMs,
    nextUpdateMs: next && readTimeMs(explicitContent(next)),
    extensions: extensions === undefined ? [] : readExtensions(explicitContent(extensions)),
  };
}

function readCertStatus(element: DerElement): CertStatus {
  switch (element.tag) {
    case 0x80:
    case 0x82:
      if (contentBytes(element).length > 0) throw new DerError('bad-null', element.start);
      return { status: element.tag === 0x80 ? 'good' : 'unknown' };
    case 0xa1: {
      const cursor = new DerCursor(element);
      const revocationMs = readTimeMs(cursor.take(TAG.generalizedTime));
      const reason = cursor.optional(0xa0);
      cursor.finish();
      return { status: 'revoked', revocationMs, ...(reason && { reason: readReason(explicitContent(reason)) }) };
    }
    default:
      throw new DerError('unexpected-tag', element.start);
  }
}
