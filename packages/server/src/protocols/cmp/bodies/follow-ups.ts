// Follow-up messages of a transaction: polling and confirmation (RFC 9810 §5.3.18, §5.3.22).
import {
  confirmationDigest,
  confirmsCertificate,
  parseCertificate,
  type CertConfirmation,
  type PkiBody,
} from '@signetry/pki';
import { nodeCrypto, shake256 } from '@signetry/pki/node';
import type { Enrollment, Enrollments } from '../../../areas/enrollments/index.ts';
import { identityOfSender, type CmpCall, type CmpReply } from '../call.ts';
import { CmpRejection } from '../rejection.ts';
import { responseFor, CHECK_AFTER_S, type CertificateParts, type CmpDetail } from './certificates.ts';

export interface FollowUpParts extends CertificateParts {
  readonly enrollments: Pick<Enrollments, 'enroll' | 'find' | 'settle'>;
}

/** Identity of a sender that signs, in contrast to a secret. */
const SIGNED = /^[0-9a-f]{64}$/;

/**
 * Returns whether a follow-up message refers to the transaction's request. A p10cr has no certReqId; some clients
 * repeat the -1 of the response, others (OpenSSL 3.0) count from 0.
 */
const refersTo = (id: number, { certReqId }: CmpDetail): boolean => id === certReqId || (certReqId === -1 && id === 0);

/** Returns the transaction that the message continues; its nonce proves that the client received the last response. */
async function transactionOf({ enrollments }: FollowUpParts, call: CmpCall): Promise<Enrollment> {
  const { profile, transactionId, message } = call;
  const found = await enrollments.find({ protocol: 'cmp', profileUuid: profile.uuid, transactionId });
  if (!found) throw new CmpRejection('badRequest', 'Transaction not found; start with a certificate request.');
  const { nonce, sender } = found.detail as CmpDetail; // Every CMP transaction has this detail.
  if (SIGNED.test(sender) !== (call.sender.kind === 'signature'))
    throw new CmpRejection(
      'wrongIntegrity',
      'The message must have the same kind of protection as the first message of the transaction.',
    );
  if (sender !== identityOfSender(call.sender))
    throw new CmpRejection('notAuthorized', 'A different sender started this transaction.');
  const repeated = Buffer.from(message.header.recipientNonce ?? []).toString('hex');
  if (repeated !== nonce)
    throw new CmpRejection('badRecipientNonce', 'The message does not repeat the nonce of the last response.');
  return found;
}

export async function poll(
  parts: FollowUpParts,
  call: CmpCall,
  { certReqIds }: Extract<PkiBody, { type: 'pollReq' }>,
): Promise<CmpReply> {
  let found = await transactionOf(parts, call);
  const detail = found.detail as CmpDetail; // Every CMP transaction has this detail.
  const unknown = certReqIds.find((id) => !refersTo(id, detail));
  if (unknown !== undefined)
    throw new CmpRejection('badRequest', `The transaction has no request with certReqId ${unknown}.`);
  const nonce = Buffer.from(call.nonce).toString('hex');
  // A decision may be made between the read and the write; the response nonce must be stored with the resulting state.
  while (!(await storeDetail(parts, found, { ...detail, nonce }))) found = await transactionOf(parts, call);
  if (found.state !== 'waiting') return responseFor(parts, found);
  // The client was told to poll only after the certificate had been requested, so a user has deleted the request.
  if (!found.isAskedFor) return responseFor(parts, await rejectDeleted(parts, found));
  const wait = { certReqId: certReqIds[0] ?? detail.certReqId, checkAfterSeconds: CHECK_AFTER_S };
  return { body: { type: 'pollRep', waits: [wait] } };
}

async function rejectDeleted({ enrollments }: FollowUpParts, found: Enrollment): Promise<Enrollment> {
  const refused = { state: 'refused', problem: 'The request was deleted before a decision was made.' } as const;
  await enrollments.settle(found.uuid, { from: ['waiting'], ...refused });
  return { ...found, ...refused };
}

const storeDetail = (
  { enrollments }: FollowUpParts,
  { uuid, state }: Enrollment,
  detail: CmpDetail,
): Promise<boolean> => enrollments.settle(uuid, { from: [state], state, detail });

export async function confirm(
  parts: FollowUpParts,
  call: CmpCall,
  { confirmations }: Extract<PkiBody, { type: 'certConf' }>,
): Promise<CmpReply> {
  const found = await transactionOf(parts, call);
  if (found.state === 'confirmed') throw new CmpRejection('certConfirmed', 'The certificate is already confirmed.');
  if (found.state !== 'issued' || !found.certificate)
    throw new CmpRejection('badRequest', 'The transaction has no certificate awaiting confirmation.');
  const [confirmation, ...others] = confirmations;
  if (others.length > 0)
    throw new CmpRejection('badRequest', 'The transaction has one certificate; confirm only that one.');
  // A message without confirmations rejects every certificate of the transaction (RFC 9810 §5.3.18).
  if (confirmation) assertConfirms(confirmation, { found, der: found.certificate, pvno: call.message.header.pvno });
  const isTaken = confirmation && (confirmation.status?.status ?? 'accepted') === 'accepted';
  if (!isTaken) await revokeUnaccepted(parts, call, found);
  const state = isTaken ? 'confirmed' : 'revoked';
  const problem = isTaken
    ? undefined
    : `The client rejected the certificate. ${confirmation?.status?.texts.join(' ') ?? ''}`.trim();
  if (!(await parts.enrollments.settle(found.uuid, { from: ['issued'], state, problem })))
    throw new CmpRejection('certConfirmed', 'The certificate is already confirmed.');
  return { body: { type: 'pkiconf' } };
}

/** Checks a confirmation's members (RFC 9483 §4.1.1). */
function assertConfirms(
  confirmation: CertConfirmation,
  { found, der, pvno }: { readonly found: Enrollment; readonly der: Uint8Array; readonly pvno: number },
): void {
  const { certReqId, status, hashAlgorithm } = confirmation;
  if (!refersTo(certReqId, found.detail as CmpDetail))
    // Every CMP transaction has this detail.
    throw new CmpRejection('badRequest', `The transaction has no request with certReqId ${certReqId}.`);
  const isAccepted = status === undefined || status.status === 'accepted';
  if (!isAccepted && status.status !== 'rejection')
    throw new CmpRejection('badRequest', 'The statusInfo of a confirmation must be accepted or rejection.');
  if (isAccepted && (status?.failures.length ?? 0) > 0)
    throw new CmpRejection('badRequest', 'The statusInfo accepts the certificate, but it contains failInfo.');
  const certificate = parseCertificate(der);
  // Without hashAlg, certificates whose signature algorithm names no digest could not be confirmed at all.
  if (hashAlgorithm && pvno < 3 && confirmationDigest(certificate) === undefined)
    throw new CmpRejection('badCertId', 'The confirmation contains hashAlg, which requires CMP version 3.');
  const functions = { digest: nodeCrypto.digest, shake256 };
  if (!confirmsCertificate(confirmation, { ...functions, certificate }))
    throw new CmpRejection('badCertId', 'The hash in the confirmation does not match the certificate.');
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
    await revokeUnaccepted(parts, call, found);
    const problem = `The client ended the transaction with an error. ${texts.join(' ')}`.trim();
    await parts.enrollments.settle(found.uuid, { from: ['issued'], state: 'revoked', problem });
  }
  return { body: { type: 'pkiconf' } };
}

/** Revokes a certificate that its client did not accept. */
const revokeUnaccepted = (
  { certificates }: FollowUpParts,
  { raProfile, profile, context }: CmpCall,
  { certificateUuid }: Enrollment,
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
