// Attributes of a SCEP message, stored as authenticated attributes of its signature (RFC 8894 §3.2.1).
import { attributeValue, type AttributeSet } from '../cms/signed-data.ts';
import { equalBytes } from '../bytes.ts';
import { DerError, PkiError } from '../errors.ts';
import { encodeDer, octetStringPart, printableStringPart, utf8StringPart, type DerPart } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { parseDer, readOctetString, readText } from '../der/reader.ts';
import { TAG } from '../der/tags.ts';
import { isPrintable } from '../der/text.ts';
import type { Attribute } from '../x509/attributes.ts';

/** RFC 8894 §3.2.1.2. */
export const SCEP_MESSAGE_TYPES = {
  CertRep: 3,
  RenewalReq: 17,
  PKCSReq: 19,
  CertPoll: 20,
  GetCert: 21,
  GetCRL: 22,
} as const;
export type ScepMessageType = keyof typeof SCEP_MESSAGE_TYPES;

/** RFC 8894 §3.2.1.3. */
export const SCEP_STATUS = { success: 0, failure: 2, pending: 3 } as const;
export type ScepStatus = keyof typeof SCEP_STATUS;

/** RFC 8894 §3.2.1.4. */
export const SCEP_FAIL_INFO = { badAlg: 0, badMessageCheck: 1, badRequest: 2, badTime: 3, badCertId: 4 } as const;
export type ScepFailInfo = keyof typeof SCEP_FAIL_INFO;

/** RFC 8894 §3.2.1.5. */
export const SCEP_NONCE_OCTETS = 16;

/** Transaction IDs are key hashes or random numbers as text; no client uses longer ones. */
const MAX_TRANSACTION_ID = 255;
const MAX_NONCE_OCTETS = 64;

export interface ScepAttributes {
  /** `undefined` for a type that RFC 8894 does not define. */
  readonly messageType: ScepMessageType | undefined;
  /** 1 to 255 characters. */
  readonly transactionId: string;
  /** Empty if an old client does not send a nonce. */
  readonly senderNonce: Uint8Array;
  /** Present only in responses. */
  readonly recipientNonce: Uint8Array | undefined;
  readonly status: ScepStatus | undefined;
  readonly failInfo: ScepFailInfo | undefined;
  readonly failInfoText: string | undefined;
}

/** Reads a signer's attributes. Throws `DerError`, `PkiError` `bad-value`. */
export function readScepAttributes(attributes: AttributeSet | undefined): ScepAttributes {
  const transactionId = textOf(attributes, OID.scepTransactionId) ?? '';
  if (transactionId === '' || transactionId.length > MAX_TRANSACTION_ID)
    throw new PkiError('bad-value', `A transaction ID must have 1 to ${MAX_TRANSACTION_ID} characters.`);
  return {
    transactionId,
    messageType: nameOf(SCEP_MESSAGE_TYPES, textOf(attributes, OID.scepMessageType)),
    senderNonce: nonceOf(attributes, OID.scepSenderNonce) ?? new Uint8Array(),
    recipientNonce: nonceOf(attributes, OID.scepRecipientNonce),
    status: nameOf(SCEP_STATUS, textOf(attributes, OID.scepPkiStatus)),
    failInfo: nameOf(SCEP_FAIL_INFO, textOf(attributes, OID.scepFailInfo)),
    failInfoText: textOf(attributes, OID.scepFailInfoText),
  };
}

function textOf(attributes: AttributeSet | undefined, type: string): string | undefined {
  const value = attributeValue(attributes, type);
  if (value === undefined) return undefined;
  const element = parseDer(value);
  if (element.tag !== TAG.printableString && element.tag !== TAG.utf8String) throw new DerError('unexpected-tag', 0);
  return readText(element);
}

function nonceOf(attributes: AttributeSet | undefined, type: string): Uint8Array | undefined {
  const value = attributeValue(attributes, type);
  const nonce = value && readOctetString(parseDer(value));
  if (nonce !== undefined && nonce.length > MAX_NONCE_OCTETS)
    throw new PkiError('bad-value', `A nonce must have at most ${MAX_NONCE_OCTETS} bytes.`);
  return nonce;
}

/** Numbers are encoded as decimal text. */
function nameOf<Names extends Readonly<Record<string, number>>>(
  names: Names,
  text: string | undefined,
): (keyof Names & string) | undefined {
  return text === undefined ? undefined : Object.keys(names).find((name) => String(names[name]) === text);
}

export type NewScepAttributes = Pick<ScepAttributes, 'transactionId' | 'senderNonce'> & {
  readonly messageType: ScepMessageType;
} & Partial<Pick<ScepAttributes, 'recipientNonce' | 'status' | 'failInfo' | 'failInfoText'>>;

/** Returns attributes for `buildSignedAttributes`. Throws `PkiError` for text that cannot be encoded. */
export function scepAttributes(facts: NewScepAttributes): Attribute[] {
  const { messageType, transactionId, senderNonce, recipientNonce, status, failInfo, failInfoText } = facts;
  return [
    attribute(OID.scepMessageType, printableStringPart(String(SCEP_MESSAGE_TYPES[messageType]))),
    attribute(OID.scepTransactionId, textPart(transactionId)),
    attribute(OID.scepSenderNonce, octetStringPart(senderNonce)),
    ...(recipientNonce === undefined ? [] : [attribute(OID.scepRecipientNonce, octetStringPart(recipientNonce))]),
    ...(status === undefined ? [] : [attribute(OID.scepPkiStatus, printableStringPart(String(SCEP_STATUS[status])))]),
    ...(failInfo === undefined
      ? []
      : [attribute(OID.scepFailInfo, printableStringPart(String(SCEP_FAIL_INFO[failInfo])))]),
    ...(failInfoText === undefined ? [] : [attribute(OID.scepFailInfoText, utf8StringPart(failInfoText))]),
  ];
}

/** Some clients choose IDs that PrintableString does not allow, and expect them back unchanged. */
const textPart = (text: string): DerPart => (isPrintable(text) ? printableStringPart(text) : utf8StringPart(text));

const attribute = (type: string, value: DerPart): Attribute => ({ type, values: [encodeDer(value)] });

/** Returns whether a response belongs to the request (RFC 8894 §3.2.1.5). */
export const matchesNonce = (
  response: Pick<ScepAttributes, 'recipientNonce'>,
  request: Pick<ScepAttributes, 'senderNonce'>,
): boolean => response.recipientNonce !== undefined && equalBytes(response.recipientNonce, request.senderNonce);
