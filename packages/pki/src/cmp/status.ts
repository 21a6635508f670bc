// PKIStatusInfo (RFC 9810 §5.2.3): the outcome of a request. Rejection reasons are encoded as bits.
import { DerError, isPkiError } from '../errors.ts';
import { encodeDer, integerPart, namedBitsPart, sequence, utf8StringPart, type DerPart } from '../der/writer.ts';
import { openElement, readBitString, readIntegerBetween, readText, type DerElement } from '../der/reader.ts';
import { readMembers } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { PkiErrorCode } from '../errors.ts';

/** PKIStatus names by number. */
export const PKI_STATUSES = [
  'accepted',
  'grantedWithMods',
  'rejection',
  'waiting',
  'revocationWarning',
  'revocationNotification',
  'keyUpdateWarning',
] as const;
export type PkiStatus = (typeof PKI_STATUSES)[number];

/** PKIFailureInfo names by bit. */
export const PKI_FAILURES = [
  'badAlg',
  'badMessageCheck',
  'badRequest',
  'badTime',
  'badCertId',
  'badDataFormat',
  'wrongAuthority',
  'incorrectData',
  'missingTimeStamp',
  'badPOP',
  'certRevoked',
  'certConfirmed',
  'wrongIntegrity',
  'badRecipientNonce',
  'timeNotAvailable',
  'unacceptedPolicy',
  'unacceptedExtension',
  'addInfoNotAvailable',
  'badSenderNonce',
  'badCertTemplate',
  'signerNotTrusted',
  'transactionIdInUse',
  'unsupportedVersion',
  'notAuthorized',
  'systemUnavail',
  'systemFailure',
  'duplicateCertReq',
] as const;
export type PkiFailure = (typeof PKI_FAILURES)[number];

const MAX_TEXTS = 64;

/** A status to encode. */
export interface PkiStatusInput {
  readonly status: PkiStatus;
  readonly texts?: readonly string[];
  readonly failures?: readonly PkiFailure[];
}

export interface PkiStatusInfo extends PkiStatusInput {
  readonly texts: readonly string[];
  /** In bit order; bits not defined by RFC 9810 are omitted. */
  readonly failures: readonly PkiFailure[];
}

/** Reads a PKIStatusInfo. Throws `DerError`. */
export function readPkiStatusInfo(element: DerElement): PkiStatusInfo {
  const cursor = openElement(element, TAG.sequence);
  const number = cursor.next();
  const status = PKI_STATUSES[readIntegerBetween(number, { min: 0, max: PKI_STATUSES.length - 1 })];
  const texts = cursor.optional(TAG.sequence);
  const bits = cursor.optional(TAG.bitString);
  cursor.finish();
  if (status === undefined) throw new DerError('bad-value', number.start); // Every number in the range has a name.
  return {
    status,
    texts: texts === undefined ? [] : readFreeText(texts),
    failures: bits === undefined ? [] : readFailures(bits),
  };
}

function readFailures(element: DerElement): PkiFailure[] {
  const { bytes } = readBitString(element);
  return PKI_FAILURES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Builds a PKIStatusInfo. */
export function pkiStatusInfoPart({ status, texts = [], failures = [] }: PkiStatusInput): DerPart {
  let flags = 0;
  for (const failure of failures) flags |= 1 << PKI_FAILURES.indexOf(failure);
  return sequence([
    integerPart(PKI_STATUSES.indexOf(status)),
    freeTextPart(texts),
    failures.length === 0 ? undefined : namedBitsPart(flags),
  ]);
}

/** Returns an encoded PKIStatusInfo. */
export function buildPkiStatusInfo(input: PkiStatusInput): Uint8Array {
  return encodeDer(pkiStatusInfoPart(input));
}

/** Reads a PKIFreeText. Throws `DerError`. */
export function readFreeText(element: DerElement): string[] {
  return readMembers(element, { max: MAX_TEXTS, read: (member) => readText(member, TAG.utf8String) });
}

/** Builds a PKIFreeText, or returns undefined if there is no text, since ASN.1 does not allow an empty one. */
export function freeTextPart(texts: readonly string[] = []): DerPart | undefined {
  return texts.length === 0 ? undefined : sequence(texts.map(utf8StringPart));
}

const failuresByCode: Readonly<Partial<Record<PkiErrorCode, PkiFailure>>> = {
  'unsupported-algorithm': 'badAlg',
  'unsupported-version': 'unsupportedVersion',
  'bad-signature': 'badMessageCheck',
  'wrong-password': 'badMessageCheck',
  'bound-exceeded': 'badRequest',
  'too-deep': 'badRequest',
  'too-many-elements': 'badRequest',
  'bad-argument': 'systemFailure',
};

/**
 * Returns the PKIFailureInfo bit for an error: `badDataFormat` for malformed input, `systemFailure` for errors from
 * outside this package.
 */
export function failureOfError(error: unknown): PkiFailure {
  return isPkiError(error) ? (failuresByCode[error.code] ?? 'badDataFormat') : 'systemFailure';
}
