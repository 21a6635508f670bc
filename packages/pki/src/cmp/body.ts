// PKIBody (RFC 9810 §5.1.2, §5.3): the request or response in a message. Body types for enrollment, revocation and
// general messages are decoded; body types for challenge-based proof of possession, key recovery and announcements
// remain encoded.
import {
  elementBytes,
  explicitContent,
  openElement,
  readIntegerBetween,
  readNull,
  readOctetString,
  readSmallInteger,
  type DerElement,
} from '../der/reader.ts';
import { DerError } from '../errors.ts';
import { readCertReqMessages, type CertReqMsg } from '../crmf/request.ts';
import { readCrmfCertId, type CrmfCertId } from '../crmf/controls.ts';
import { readEncryptedKey, type EncryptedKey } from '../crmf/encrypted-key.ts';
import { readFreeText, readPkiStatusInfo, type PkiStatusInfo } from './status.ts';
import { readInfos, type InfoTypeAndValue } from './info.ts';
import { MAX_CERTIFICATES, MAX_MESSAGES, MAX_TRANSACTIONS } from './limits.ts';
import { parseCertificationRequest, type CertificationRequest } from '../csr.ts';
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { readCertTemplate, type CertTemplate } from '../crmf/template.ts';
import { readExtensions, type Extension } from '../x509/extensions.ts';
import { readMembers, readSequenceDer } from '../der/members.ts';
import { TAG } from '../der/tags.ts';

/** Context tag numbers by body type (RFC 9810 §5.1.2). */
export const BODY_TAGS: Readonly<Record<PkiBodyType, number>> = {
  ir: 0,
  ip: 1,
  cr: 2,
  cp: 3,
  p10cr: 4,
  popdecc: 5,
  popdecr: 6,
  kur: 7,
  kup: 8,
  krr: 9,
  krp: 10,
  rr: 11,
  rp: 12,
  ccr: 13,
  ccp: 14,
  ckuann: 15,
  cann: 16,
  rann: 17,
  crlann: 18,
  pkiconf: 19,
  nested: 20,
  genm: 21,
  genp: 22,
  error: 23,
  certConf: 24,
  pollReq: 25,
  pollRep: 26,
};

// `Object.keys` does not preserve the key type, hence the cast.
const bodyTypes = Object.keys(BODY_TAGS) as PkiBodyType[];
const typesByTag = new Map(bodyTypes.map((type) => [BODY_TAGS[type], type]));

export type RequestType = 'ir' | 'cr' | 'kur' | 'krr' | 'ccr';
export type ResponseType = 'ip' | 'cp' | 'kup' | 'ccp';
type OpaqueType = 'popdecc' | 'popdecr' | 'krp' | 'ckuann' | 'cann' | 'rann' | 'crlann';
export type PkiBodyType = PkiBody['type'];

/** A certificate, or the reason no certificate was issued (RFC 9810 §5.3.4). */
export interface CertResponse {
  /** Request ID; -1 in the response to a p10cr (RFC 9483 §4.1.4). */
  readonly certReqId: number;
  readonly status: PkiStatusInfo;
  readonly certificate: Uint8Array | undefined;
  /** Returned instead of `certificate` if the client must prove possession of a decryption key. */
  readonly encryptedCertificate: EncryptedKey | undefined;
  /** Private key that the CA generated. */
  readonly privateKey: EncryptedKey | undefined;
  /** Encoded PKIPublicationInfo. */
  readonly publicationInfo: Uint8Array | undefined;
  readonly rspInfo: Uint8Array | undefined;
}

/** A revocation request (RFC 9810 §5.3.9). */
export interface RevocationDetails {
  readonly template: CertTemplate;
  /** CRL entry extensions: reason and invalidity date. */
  readonly crlEntryDetails: readonly Extension[];
}

/** CertStatus (RFC 9810 §5.3.18): whether a client accepts its certificate. */
export interface CertConfirmation {
  /** See `certificateHash`. */
  readonly certHash: Uint8Array;
  readonly certReqId: number;
  /** Undefined if the client accepts the certificate. */
  readonly status: PkiStatusInfo | undefined;
  /** Available since CMP version 3, for certificates whose signature algorithm does not specify a digest. */
  readonly hashAlgorithm: AlgorithmIdentifier | undefined;
}

export interface PollWait {
  readonly certReqId: number;
  readonly checkAfterSeconds: number;
  readonly reason?: readonly string[];
}

/** Body types with the same structure for reading and writing. */
export type SymmetricBody =
  | { readonly type: 'genm' | 'genp'; readonly infos: readonly InfoTypeAndValue[] }
  | { readonly type: 'pkiconf' }
  | { readonly type: 'pollReq'; readonly certReqIds: readonly number[] }
  | { readonly type: 'pollRep'; readonly waits: readonly PollWait[] }
  /** Encoded messages. Parse each with `parsePkiMessage`; the caller must limit the nesting depth. */
  | { readonly type: 'nested'; readonly messages: readonly Uint8Array[] }
  /** The element inside the body's context tag. */
  | { readonly type: OpaqueType; readonly value: Uint8Array };

export type PkiBody =
  | SymmetricBody
  | { readonly type: RequestType; readonly requests: readonly CertReqMsg[] }
  | {
      readonly type: ResponseType;
      readonly caPubs: readonly Uint8Array[];
      readonly responses: readonly CertResponse[];
    }
  | { readonly type: 'p10cr'; readonly request: CertificationRequest }
  | { readonly type: 'rr'; readonly details: readonly RevocationDetails[] }
  | {
      readonly type: 'rp';
      /** One status per requested revocation, in the same order. */
      readonly statuses: readonly PkiStatusInfo[];
      readonly certIds: readonly CrmfCertId[];
      readonly crls: readonly Uint8Array[];
    }
  | { readonly type: 'certConf'; readonly confirmations: readonly CertConfirmation[] }
  | {
      readonly type: 'error';
      readonly status: PkiStatusInfo;
      readonly errorCode: number | undefined;
      readonly details: readonly string[];
    };

/** Returns the name of a body type based on its tag. Throws `DerError`. */
export function bodyTypeOf(element: DerElement): PkiBodyType {
  const type = (element.tag & 0xe0) === 0xa0 ? typesByTag.get(element.tag & 0x1f) : undefined;
  if (type === undefined) throw new DerError('unexpected-tag', element.start, 'CMP does not define this body type');
  return type;
}

/** Reads a PKIBody. Throws `DerError`. */
export function readBody(element: DerElement): PkiBody {
  const type = bodyTypeOf(element);
  const inner = explicitContent(element);
  switch (type) {
    case 'ir':
    case 'cr':
    case 'kur':
    case 'krr':
    case 'ccr':
      return { type, requests: readCertReqMessages(inner) };
    case 'ip':
    case 'cp':
    case 'kup':
    case 'ccp':
      return { type, ...readCertRepMessage(inner) };
    case 'p10cr':
      return { type, request: parseCertificationRequest(elementBytes(inner)) };
    case 'rr':
      return { type, details: readMembers(inner, { ...transactions, read: readRevocation }) };
    case 'rp':
      return { type, ...readRevRep(inner) };
    case 'genm':
    case 'genp':
      return { type, infos: readInfos(inner) };
    case 'certConf':
      return { type, confirmations: readMembers(inner, { max: MAX_TRANSACTIONS, read: readConfirmation }) };
    case 'pkiconf':
      readNull(inner);
      return { type };
    case 'pollReq':
      return { type, certReqIds: readMembers(inner, { ...transactions, read: readPollReq }) };
    case 'pollRep':
      return { type, waits: readMembers(inner, { ...transactions, read: readPollRep }) };
    case 'nested':
      return { type, messages: readMembers(inner, { min: 1, max: MAX_MESSAGES, read: readSequenceDer }) };
    case 'error':
      return { type, ...readError(inner) };
    default:
      return { type, value: elementBytes(inner) };
  }
}

const transactions = { min: 1, max: MAX_TRANSACTIONS } as const;

function readCertificates(element: DerElement | undefined): Uint8Array[] {
  if (element === undefined) return [];
  return readMembers(explicitContent(element), { max: MAX_CERTIFICATES, read: readSequenceDer });
}

function readCertRepMessage(element: DerElement): { caPubs: Uint8Array[]; responses: CertResponse[] } {
  const cursor = openElement(element, TAG.sequence);
  const caPubs = readCertificates(cursor.optional(0xa1));
  const responses = readMembers(cursor.next(), { max: MAX_TRANSACTIONS, read: readCertResponse });
  cursor.finish();
  return { caPubs, responses };
}

function readCertResponse(element: DerElement): CertResponse {
  const cursor = openElement(element, TAG.sequence);
  const certReqId = readSmallInteger(cursor.next());
  const status = readPkiStatusInfo(cursor.next());
  const pair = cursor.optional(TAG.sequence);
  const rspInfo = cursor.optional(TAG.octetString);
  cursor.finish();
  return { certReqId, status, ...readCertifiedKeyPair(pair), rspInfo: rspInfo && readOctetString(rspInfo) };
}

type CertifiedKeyPair = Pick<CertResponse, 'certificate' | 'encryptedCertificate' | 'privateKey' | 'publicationInfo'>;

function readCertifiedKeyPair(element: DerElement | undefined): CertifiedKeyPair {
  if (element === undefined)
    return {
      certificate: undefined,
      encryptedCertificate: undefined,
      privateKey: undefined,
      publicationInfo: undefined,
    };
  const cursor = openElement(element, TAG.sequence);
  const choice = cursor.next();
  const key = cursor.optional(0xa0);
  const publication = cursor.optional(0xa1);
  cursor.finish();
  if (choice.tag !== 0xa0 && choice.tag !== 0xa1) throw new DerError('unexpected-tag', choice.start);
  const inner = explicitContent(choice);
  return {
    certificate: choice.tag === 0xa0 ? readSequenceDer(inner) : undefined,
    encryptedCertificate: choice.tag === 0xa1 ? readEncryptedKey(inner) : undefined,
    privateKey: key && readEncryptedKey(explicitContent(key)),
    publicationInfo: publication && elementBytes(explicitContent(publication)),
  };
}

function readRevocation(element: DerElement): RevocationDetails {
  const cursor = openElement(element, TAG.sequence);
  const template = readCertTemplate(cursor.next());
  const extensions = cursor.optional(TAG.sequence);
  cursor.finish();
  return { template, crlEntryDetails: extensions === undefined ? [] : readExtensions(extensions) };
}

function readRevRep(element: DerElement): { statuses: PkiStatusInfo[]; certIds: CrmfCertId[]; crls: Uint8Array[] } {
  const cursor = openElement(element, TAG.sequence);
  const statuses = readMembers(cursor.next(), { ...transactions, read: readPkiStatusInfo });
  const ids = cursor.optional(0xa0);
  const crls = readCertificates(cursor.optional(0xa1));
  cursor.finish();
  const certIds = ids && readMembers(explicitContent(ids), { max: MAX_TRANSACTIONS, read: readCrmfCertId });
  return { statuses, certIds: certIds ?? [], crls };
}

function readConfirmation(element: DerElement): CertConfirmation {
  const cursor = openElement(element, TAG.sequence);
  const certHash = readOctetString(cursor.next());
  const certReqId = readSmallInteger(cursor.next());
  const status = cursor.optional(TAG.sequence);
  const algorithm = cursor.optional(0xa0);
  cursor.finish();
  return {
    certHash,
    certReqId,
    status: status && readPkiStatusInfo(status),
    hashAlgorithm: algorithm && readAlgorithm(explicitContent(algorithm)),
  };
}

function readPollReq(element: DerElement): number {
  const cursor = openElement(element, TAG.sequence);
  const certReqId = readSmallInteger(cursor.next());
  cursor.finish();
  return certReqId;
}

function readPollRep(element: DerElement): PollWait {
  const cursor = openElement(element, TAG.sequence);
  const certReqId = readSmallInteger(cursor.next());
  const checkAfterSeconds = readIntegerBetween(cursor.next(), { min: 0, max: 2 ** 32 });
  const reason = cursor.optional(TAG.sequence);
  cursor.finish();
  return { certReqId, checkAfterSeconds, reason: reason === undefined ? [] : readFreeText(reason) };
}

function readError(element: DerElement): { status: PkiStatusInfo; errorCode: number | undefined; details: string[] } {
  const cursor = openElement(element, TAG.sequence);
  const status = readPkiStatusInfo(cursor.next());
  const code = cursor.optional(TAG.integer);
  const details = cursor.optional(TAG.sequence);
  cursor.finish();
  return {
    status,
    errorCode: code && readSmallInteger(code),
    details: details === undefined ? [] : readFreeText(details),
  };
}
