// PKIHeader (RFC 9810 §5.1.1): sender, recipient, transaction, and message protection.
import {
  explicitContent,
  expectTag,
  openElement,
  readIntegerBetween,
  readOctetString,
  readTimeMs,
  type DerCursor,
  type DerElement,
} from '../der/reader.ts';
import { DerError, PkiError } from '../errors.ts';
import { explicitPart, generalizedTimePart, integerPart, octetStringPart, sequence } from '../der/writer.ts';
import { freeTextPart, readFreeText } from './status.ts';
import { generalNamePart, readGeneralName, type GeneralName } from '../x509/general-names.ts';
import { infosPart, readInfos, type InfoTypeAndValue } from './info.ts';
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { TAG } from '../der/tags.ts';
import type { DerPart } from '../der/writer.ts';

/**
 * Maximum identifier length in bytes. Transaction IDs and nonces are 16 bytes long (RFC 9483 §3.1), key identifiers up
 * to 64.
 */
const MAX_IDENTIFIER = 1024;

/** A header to encode. */
export interface PkiHeaderInput {
  /** 1 (RFC 2510), 2 (RFC 4210) or 3 (RFC 9480). */
  readonly pvno: number;
  readonly sender: GeneralName;
  readonly recipient: GeneralName;
  /** Milliseconds since 1970; truncated to whole seconds. */
  readonly messageTimeMs?: number | undefined;
  /** Undefined in unprotected messages. */
  readonly protectionAlgorithm?: Pick<AlgorithmIdentifier, 'der'> | undefined;
  /** Identifies the key or shared secret that protects the message. */
  readonly senderKid?: Uint8Array | undefined;
  readonly recipientKid?: Uint8Array | undefined;
  readonly transactionId?: Uint8Array | undefined;
  readonly senderNonce?: Uint8Array | undefined;
  readonly recipientNonce?: Uint8Array | undefined;
  readonly freeText?: readonly string[];
  readonly generalInfo?: readonly InfoTypeAndValue[];
}

export interface PkiHeader extends PkiHeaderInput {
  /** The version as received, even if it is unknown: the error response needs the rest of the header. */
  readonly pvno: number;
  readonly protectionAlgorithm: AlgorithmIdentifier | undefined;
  readonly freeText: readonly string[];
  readonly generalInfo: readonly InfoTypeAndValue[];
}

/** Reads a PKIHeader. Throws `DerError`. */
export function readPkiHeader(element: DerElement): PkiHeader {
  const cursor = openElement(element, TAG.sequence);
  const pvno = readIntegerBetween(cursor.next(), { min: 0, max: 255 });
  const sender = readGeneralName(cursor.next());
  const recipient = readGeneralName(cursor.next());
  const time = optionalExplicit(cursor, 0xa0);
  const algorithm = optionalExplicit(cursor, 0xa1);
  const [senderKid, recipientKid, transactionId, senderNonce, recipientNonce] = [0xa2, 0xa3, 0xa4, 0xa5, 0xa6].map(
    (tag) => readIdentifier(optionalExplicit(cursor, tag)),
  );
  const freeText = optionalExplicit(cursor, 0xa7);
  const generalInfo = optionalExplicit(cursor, 0xa8);
  cursor.finish();
  if (time !== undefined) expectTag(time, TAG.generalizedTime);
  return {
    pvno,
    sender,
    recipient,
    messageTimeMs: time && readTimeMs(time),
    protectionAlgorithm: algorithm && readAlgorithm(algorithm),
    senderKid,
    recipientKid,
    transactionId,
    senderNonce,
    recipientNonce,
    freeText: freeText === undefined ? [] : readFreeText(freeText),
    generalInfo: generalInfo === undefined ? [] : readInfos(generalInfo),
  };
}

function optionalExplicit(cursor: DerCursor, tag: number): DerElement | undefined {
  const outer = cursor.optional(tag);
  return outer && explicitContent(outer);
}

function readIdentifier(element: DerElement | undefined): Uint8Array | undefined {
  if (element === undefined) return undefined;
  const octets = readOctetString(element);
  if (octets.length > MAX_IDENTIFIER) throw new DerError('bad-value', element.start, 'The identifier is too long');
  return octets;
}

/** Encodes a PKIHeader. Throws `PkiError` `bad-argument`. */
export function pkiHeaderPart(input: PkiHeaderInput): DerPart {
  const { pvno, messageTimeMs, protectionAlgorithm, freeText, generalInfo = [] } = input;
  if (![1, 2, 3].includes(pvno)) throw new PkiError('bad-argument', `CMP version ${pvno} does not exist.`);
  const text = freeTextPart(freeText);
  const identifier = (number: number, octets: Uint8Array | undefined): DerPart | undefined =>
    octets && explicitPart(number, octetStringPart(octets));
  return sequence([
    integerPart(pvno),
    generalNamePart(input.sender),
    generalNamePart(input.recipient),
    messageTimeMs === undefined ? undefined : explicitPart(0, generalizedTimePart(messageTimeMs)),
    protectionAlgorithm && explicitPart(1, protectionAlgorithm.der),
    identifier(2, input.senderKid),
    identifier(3, input.recipientKid),
    identifier(4, input.transactionId),
    identifier(5, input.senderNonce),
    identifier(6, input.recipientNonce),
    text && explicitPart(7, text),
    generalInfo.length === 0 ? undefined : explicitPart(8, infosPart(generalInfo)),
  ]);
}

/**
 * Returns the header fields that a response copies from the request (RFC 9810 §5.1.1). The caller sets the sender and
 * sender nonce.
 */
export function replyFields(
  request: PkiHeader,
): Pick<PkiHeaderInput, 'recipient' | 'transactionId' | 'recipientNonce'> {
  return {
    recipient: request.sender,
    transactionId: request.transactionId,
    recipientNonce: request.senderNonce,
  };
}
