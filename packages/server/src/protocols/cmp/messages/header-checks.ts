// Checks of a message header (RFC 9483 §3.1, §3.5). Profiles that enforce RFC 9483 also check what RFC 9810 leaves
// open. Pure.
import { infoType, infoValue, isPkiError, type InfoTypeAndValue, type PkiHeader, type PkiMessage } from '@signetry/pki';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import { CmpRejection } from '../rejection.ts';

const MIN_IDENTIFIER = 16;
const MAX_IDENTIFIER = 64;

/** Bodies that start a transaction. */
const FIRST: readonly string[] = ['ir', 'cr', 'kur', 'p10cr', 'rr', 'genm'];

export interface ReceivedHeader {
  readonly message: Pick<PkiMessage, 'header' | 'bodyType'>;
  readonly profile: ServedCmpProfile;
  /** Number of enclosing messages. */
  readonly level: number;
  readonly nowMs: number;
}

/** Rejects versions that cannot be answered or that the profile does not support. */
export function checkVersion({ pvno }: PkiHeader, { variant }: ServedCmpProfile): void {
  if (pvno !== 2 && pvno !== 3)
    throw new CmpRejection('unsupportedVersion', `CMP version ${pvno} is not supported; use version 2.`);
  if (pvno === 3 && variant !== 'v3')
    throw new CmpRejection(
      'unsupportedVersion',
      'The profile supports only CMP version 2; the variant v3 also supports version 3.',
    );
}

/** Checks the header, except for the version and the fields that depend on the protection. */
export function checkHeader(received: ReceivedHeader): void {
  const { transactionId, senderNonce } = received.message.header;
  if (!transactionId || transactionId.length < MIN_IDENTIFIER || transactionId.length > MAX_IDENTIFIER)
    throw new CmpRejection('badDataFormat', 'The transactionID must have 16 to 64 bytes.');
  if (!senderNonce || senderNonce.length < MIN_IDENTIFIER)
    throw new CmpRejection('badSenderNonce', 'The senderNonce must have at least 16 bytes.');
  checkGeneralInfo(received);
  if (!received.profile.strictMessages) return;
  checkTime(received);
  const { header, bodyType } = received.message;
  if (header.recipientNonce && FIRST.includes(bodyType))
    throw new CmpRejection('badRecipientNonce', 'The first message of a transaction must not contain a recipNonce.');
}

/** A forwarded message may have waited at the registration authority, so only the outer message's time is checked. */
function checkTime({ message, profile, level, nowMs }: ReceivedHeader): void {
  const { messageTimeMs } = message.header;
  const { messageTimeTolerance: tolerance } = profile;
  if (messageTimeMs === undefined || tolerance === 0 || level > 0) return;
  const differenceS = Math.round(Math.abs(messageTimeMs - nowMs) / 1_000);
  if (differenceS <= tolerance) return;
  throw new CmpRejection(
    'badTime',
    `The messageTime differs by ${differenceS} s from the platform's clock; up to ${tolerance} s are accepted. Set the device's clock, or raise messageTimeTolerance in the CMP profile ${profile.name}.`,
  );
}

function checkGeneralInfo({ message: { header }, profile }: ReceivedHeader): void {
  const { generalInfo } = header;
  const confirmation = generalInfo.filter(({ type }) => type === infoType('implicitConfirm'));
  if (confirmation.length > 1)
    throw new CmpRejection('badRequest', 'The header must contain implicitConfirm at most once.');
  const [info] = confirmation;
  if (info && !isConfirmation(info, profile))
    throw new CmpRejection('badRequest', 'The value of implicitConfirm in the header must be NULL.');
  if (!profile.strictMessages) return;
  const waitTime = infoValue(generalInfo, 'confirmWaitTime');
  if (info && waitTime !== undefined)
    throw new CmpRejection('badRequest', 'The header must not contain both implicitConfirm and confirmWaitTime.');
}

/** RFC 9810 §5.1.1.1 requires NULL; some clients omit the value. */
function isConfirmation(info: InfoTypeAndValue, { strictMessages }: ServedCmpProfile): boolean {
  if (info.value === undefined) return !strictMessages;
  try {
    return infoValue([info], 'implicitConfirm') === null;
  } catch (error) {
    if (isPkiError(error)) return false;
    throw error;
  }
}
