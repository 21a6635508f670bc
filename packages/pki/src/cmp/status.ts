// PKIStatusInfo (RFC 9810 §5.2.3): the outcome of a request, with the reasons of a refusal as bits.
import { DerError, isPkiError } from '../errors.ts';
import { encodeDer, integerPart, namedBitsPart, sequence, utf8StringPart, type DerPart } from '../der/writer.ts';
import { openElement, readBitString, readIntegerBetween, readText, type DerElement } from '../der/reader.ts';
import { readMembers } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { PkiErrorCode } from '../errors.ts';

/** By number. */
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

/** PKIFailureInfo by bit. */
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

/** A status to write. */
export interface PkiStatusInput {
  readonly status: PkiStatus;
  readonly texts?: readonly string[];
  readonly failures?: readonly PkiFailure[];
}

export interface PkiStatusInfo extends PkiStatusInput {
  readonly texts: readonly string[];
  /** In the order of their bits; bits that RFC 9810 does not name are left out. */
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
  if (status === undefined) throw new DerError('bad-value', number.start); // each number in the range has a name
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

/** A PKIStatusInfo to write. */
export function pkiStatusInfoPart({ status, texts = [], failures = [] }: PkiStatusInput): DerPart {
  let flags = 0;
  for (const failure of failures) flags |= 1 << PKI_FAILURES.indexOf(failure);
  return sequence([
    integerPart(PKI_STATUSES.indexOf(status)),
    freeTextPart(texts),
    failures.length === 0 ? undefined : namedBitsPart(flags),
  ]);
}

/** The same, encoded. */
export function buildPkiStatusInfo(input: PkiStatusInput): Uint8Array {
  return encodeDer(pkiStatusInfoPart(input));
}

/** Reads a PKIFreeText. Throws `DerError`. */
export function readFreeText(element: DerElement): string[] {
  return readMembers(element, { max: MAX_TEXTS, read: (member) => readText(member, TAG.utf8String) });
}

/** A PKIFreeText; undefined for no text, which ASN.1 does not allow. */
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
 * The bit of PKIFailureInfo that answers an error: `badDataFormat` for octets that cannot be read, `systemFailure` for
 * an error that is not of this package.
 */
export function failureOfError(error: unknown): PkiFailure {
  return isPkiError(error) ? (failuresByCode[error.code] ?? 'badDataFormat') : 'systemFailure';
}
