// CRMF certificate requests (RFC 4211 §3, §5): decoding and encoding of CertReqMessages.
import { controlsPart, readControls, type Control } from './controls.ts';
import { elementBytes, openElement, parseDer, readSmallInteger, type DerElement } from '../der/reader.ts';
import { encodeDer, integerPart, sequence, type DerPart } from '../der/writer.ts';
import { PkiError } from '../errors.ts';
import { readCertTemplate, type CertTemplate } from './template.ts';
import { readMembers } from '../der/members.ts';
import { readProofOfPossession, type ProofOfPossession } from './possession.ts';
import { TAG } from '../der/tags.ts';

/** Maximum number of requests in a message. Messages contain one (RFC 9483 §4.1), or a few in a batch. */
export const MAX_CERT_REQUESTS = 64;

export interface CertRequest {
  /** The CertRequest as received: the bytes that the proof of possession signs. */
  readonly der: Uint8Array;
  /** Copied into the response. */
  readonly certReqId: number;
  readonly template: CertTemplate;
  readonly controls: readonly Control[];
}

export interface CertReqMsg {
  readonly der: Uint8Array;
  readonly request: CertRequest;
  readonly proof: ProofOfPossession | undefined;
  readonly regInfo: readonly Control[];
}

/** Reads CertReqMessages. Throws `DerError`. */
export function readCertReqMessages(element: DerElement): CertReqMsg[] {
  return readMembers(element, { min: 1, max: MAX_CERT_REQUESTS, read: readCertReqMsg });
}

/** Reads CertReqMessages that span the whole buffer. Throws `DerError`. */
export function parseCertReqMessages(der: Uint8Array): CertReqMsg[] {
  return readCertReqMessages(parseDer(der));
}

/** Reads a CertReqMsg that spans the whole buffer. Throws `DerError`. */
export function parseCertReqMsg(der: Uint8Array): CertReqMsg {
  return readCertReqMsg(parseDer(der));
}

function readCertReqMsg(element: DerElement): CertReqMsg {
  const cursor = openElement(element, TAG.sequence);
  const request = readCertRequest(cursor.next());
  const isProof = (cursor.peekTag() & 0xc0) === 0x80; // All proof alternatives have context tags; regInfo does not.
  const proof = isProof ? readProofOfPossession(cursor.next()) : undefined;
  const regInfo = cursor.optional(TAG.sequence);
  cursor.finish();
  return { der: elementBytes(element), request, proof, regInfo: regInfo === undefined ? [] : readControls(regInfo) };
}

function readCertRequest(element: DerElement): CertRequest {
  const cursor = openElement(element, TAG.sequence);
  const certReqId = readSmallInteger(cursor.next());
  const template = readCertTemplate(cursor.next());
  const controls = cursor.optional(TAG.sequence);
  cursor.finish();
  return {
    der: elementBytes(element),
    certReqId,
    template,
    controls: controls === undefined ? [] : readControls(controls),
  };
}

export interface CertRequestInput {
  readonly certReqId: number;
  /** Encoded template (see `buildCertTemplate`). */
  readonly template: Uint8Array;
  readonly controls?: readonly Control[];
}

/** Returns an encoded CertRequest, to be signed with the key in its template. */
export function buildCertRequest(input: CertRequestInput): Uint8Array {
  return encodeDer(sequence([integerPart(input.certReqId), input.template, controlsPart(input.controls)]));
}

export interface CertReqMsgInput {
  /** Encoded request (see `buildCertRequest`). */
  readonly request: Uint8Array;
  /** Encoded proof (see `signatureProof`). */
  readonly proof?: Uint8Array | undefined;
  readonly regInfo?: readonly Control[];
}

/** Builds a CertReqMsg: the request with its proof. */
export function buildCertReqMsg({ request, proof, regInfo }: CertReqMsgInput): Uint8Array {
  return encodeDer(sequence([request, proof, controlsPart(regInfo)]));
}

/** Builds CertReqMessages from encoded CertReqMsgs. Throws `PkiError` `bad-argument` if there are none. */
export function certReqMessagesPart(messages: readonly Uint8Array[]): DerPart {
  if (messages.length === 0) throw new PkiError('bad-argument', 'A request message must contain at least one request.');
  return sequence(messages);
}
