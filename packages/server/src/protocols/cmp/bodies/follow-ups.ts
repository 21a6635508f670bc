// Follow-up messages of a transaction: polling and confirmation (RFC 9810 §5.3.18, §5.3.22).
import { confirmsCertificate, parseCertificate, type PkiBody } from '@signetry/pki';
import { nodeCrypto, shake256 } from '@signetry/pki/node';
import type { Enrolment, Enrolments } from '../../../areas/enrolments/index.ts';
import { identityOfSender, type CmpCall, type CmpReply } from '../call.ts';
import { CmpRefusal } from '../refusal.ts';
import { answerOf, CHECK_AFTER_S, type CertificateParts, type CmpDetail } from './certificates.ts';

export interface FollowUpParts extends CertificateParts {
  readonly enrolments: Pick<Enrolments, 'enrol' | 'find' | 'settle'>;
}

/** Returns the transaction that the message continues; its nonce proves that the client received the last response. */
async function transactionOf({ enrolments }: FollowUpParts, call: CmpCall): Promise<Enrolment> {
  const { profile, transactionId, message } = call;
  const found = await enrolments.find({ protocol: 'cmp', profileUuid: profile.uuid, transactionId });
  if (!found) throw new CmpRefusal('badRequest', 'Transaction not found; start with a certificate request.');
  const { nonce, sender } = found.detail as CmpDetail; // Every CMP transaction has this detail.
  if (sender !== identityOfSender(call.sender))
    throw new CmpRefusal('notAuthorized', 'A different sender started this transaction.');
  const repeated = Buffer.from(message.header.recipientNonce ?? []).toString('hex');
  if (repeated !== nonce)
    throw new CmpRefusal('badRecipientNonce', 'The message does not repeat the nonce of the last response.');
  return found;
}

export async function poll(
  parts: FollowUpParts,
  call: CmpCall,
  { certReqIds }: Extract<PkiBody, { type: 'pollReq' }>,
): Promise<CmpReply> {
  let found = await transactionOf(parts, call);
  const detail = found.detail as CmpDetail; // Every CMP transaction has this detail.
  const unknown = certReqIds.find((id) => id !== detail.certReqId);
  if (unknown !== undefined)
    throw new CmpRefusal('badRequest', `The transaction has no request with certReqId ${unknown}.`);
  const nonce = Buffer.from(call.nonce).toString('hex');
  // A decision may be made between the read and the write; the response nonce must be stored with the resulting state.
  while (!(await keep(parts, found, { ...detail, nonce }))) found = await transactionOf(parts, call);
  if (found.state !== 'waiting') return answerOf(parts, found);
  // The client was told to poll only after the certificate had been requested, so a user has deleted the request.
  if (!found.isAskedFor) return answerOf(parts, await refuseDeleted(parts, found));
  const wait = { certReqId: detail.certReqId, checkAfterSeconds: CHECK_AFTER_S };
  return { body: { type: 'pollRep', waits: [wait] } };
}

async function refuseDeleted({ enrolments }: FollowUpParts, found: Enrolment): Promise<Enrolment> {
  const refused = { state: 'refused', problem: 'The request was deleted before a decision was made.' } as const;
  await enrolments.settle(found.uuid, { from: ['waiting'], ...refused });
  return { ...found, ...refused };
}

const keep = ({ enrolments }: FollowUpParts, { uuid, state }: Enrolment, detail: CmpDetail): Promise<boolean> =>
  enrolments.settle(uuid, { from: [state], state, detail });

export async function confirm(
  parts: FollowUpParts,
  call: CmpCall,
  { confirmations }: Extract<PkiBody, { type: 'certConf' }>,
): Promise<CmpReply> {
  const found = await transactionOf(parts, call);
  if (found.state === 'confirmed') throw new CmpRefusal('certConfirmed', 'The certificate is already confirmed.');
  if (found.state !== 'issued' || !found.certificate)
    throw new CmpRefusal('badRequest', 'The transaction has no certificate awaiting confirmation.');
  const [confirmation, ...others] = confirmations;
  const certificate = parseCertificate(found.certificate);
  const functions = { digest: nodeCrypto.digest, shake256 };
  // A message without confirmations rejects every certificate of the transaction (RFC 9810 §5.3.18).
  if (confirmation && (others.length > 0 || !confirmsCertificate(confirmation, { ...functions, certificate })))
    throw new CmpRefusal('badCertId', 'The hash in the confirmation does not match the certificate.');
  const isTaken = confirmation && (confirmation.status?.status ?? 'accepted') === 'accepted';
  if (!isTaken) await giveUp(parts, call, found);
  const state = isTaken ? 'confirmed' : 'revoked';
  const problem = isTaken
    ? undefined
    : `The client rejected the certificate. ${confirmation?.status?.texts.join(' ') ?? ''}`.trim();
  if (!(await parts.enrolments.settle(found.uuid, { from: ['issued'], state, problem })))
    throw new CmpRefusal('certConfirmed', 'The certificate is already confirmed.');
  return { body: { type: 'pkiconf' } };
}

/**
 * Handles an error message, which ends the transaction: if a certificate was issued but not confirmed, it is revoked.
 */
export async function end(
  parts: FollowUpParts,
  call: CmpCall,
  { status: { texts } }: Extract<PkiBody, { type: 'error' }>,
): Promise<CmpReply> {
  const found = await transactionOf(parts, call);
  const { implicit } = found.detail as CmpDetail; // Every CMP transaction has this detail.
  if (found.state === 'issued' && !implicit) {
    await giveUp(parts, call, found);
    const problem = `The client ended the transaction with an error. ${texts.join(' ')}`.trim();
    await parts.enrolments.settle(found.uuid, { from: ['issued'], state: 'revoked', problem });
  }
  return { body: { type: 'pkiconf' } };
}

/** Revokes a certificate that its client did not accept. */
const giveUp = (
  { certificates }: FollowUpParts,
  { raProfile, profile, context }: CmpCall,
  { certificateUuid }: Enrolment,
): Promise<void> =>
  certificates.revoke(
    {
      authorityUuid: raProfile.authorityUuid,
      raProfileUuid: raProfile.uuid,
      certificateUuid,
      reason: 'cessationOfOperation',
      attributes: profile.revokeAttributes,
    },
    context,
  );
