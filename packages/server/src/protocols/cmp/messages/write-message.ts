// Writes responses: header, protection according to the profile, and the certificates that the client needs.
import { randomBytes } from 'node:crypto';
import {
  assemblePkiMessage,
  buildInfo,
  buildName,
  buildProtectedPart,
  deriveMac,
  macCosts,
  MESSAGE_MACS,
  parseAlgorithm,
  passwordBasedMacAlgorithm,
  pbmac1WithSalt,
  replyFields,
  type DerivedMac,
  type GeneralName,
  type PkiHeader,
  type PkiHeaderInput,
} from '@signetry/pki';
import { CMP_SIGNING, type ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import type { SigningCertificates } from '../../../areas/signing-certificates/index.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { CmpReply, Sender } from '../call.ts';

const SALT_OCTETS = 20;
/** RFC 4211 §4.4 */
const LEAST_SALT_OCTETS = 16;
/** Range of iteration counts that are neither weak nor slow. */
const [LEAST_ITERATIONS, MOST_ITERATIONS] = [500, 10_000];
/** Iterations of a PBMAC1 up to which its key is derived again for the response. */
const MOST_REPEATED_WORK = 100_000;

export interface WriteParts {
  readonly clock: Clock;
  readonly signingCertificates: Pick<SigningCertificates, 'reach'>;
}

export interface ResponseInput {
  readonly request: PkiHeader;
  readonly reply: CmpReply;
  readonly nonce: Uint8Array;
  readonly profile: ServedCmpProfile | undefined;
  /** Undefined if the origin of the request was not proven. */
  readonly sender: Sender | undefined;
}

/**
 * Returns whether the response to a request is signed. A profile that protects responses with the shared secret signs
 * those to signed requests if it has a certificate for that, because their senders may not know the secret.
 */
export const signsResponses = (
  profile: ServedCmpProfile | undefined,
  { protectionAlgorithm }: Pick<PkiHeader, 'protectionAlgorithm'>,
): profile is ServedCmpProfile & { readonly signingCertificateUuid: string } => {
  if (profile?.signingCertificateUuid === undefined) return false;
  return profile.responseProtectionMethod === 'signature' || isSignature(protectionAlgorithm);
};

const macs: readonly string[] = Object.values(MESSAGE_MACS);

const isSignature = (algorithm: PkiHeader['protectionAlgorithm']): boolean =>
  algorithm !== undefined && !macs.includes(algorithm.oid);

const NOBODY: GeneralName = { kind: 'directoryName', name: buildName([]) };

export async function writeMessage(parts: WriteParts, answered: ResponseInput): Promise<Uint8Array> {
  const { profile, sender } = answered;
  if (signsResponses(profile, answered.request)) return writeSigned(parts, answered, profile.signingCertificateUuid);
  return sender?.kind === 'mac' ? writeWithMac(parts, answered, sender) : writeUnprotected(parts, answered);
}

/** Writes an unprotected response. Used only for errors, when no secret is known to be shared with the recipient. */
const writeUnprotected = (parts: WriteParts, answered: ResponseInput): Uint8Array =>
  assemblePkiMessage(buildProtectedPart(headerOf(parts, answered, { sender: NOBODY }), answered.reply.body), {
    extraCerts: answered.reply.extraCerts ?? [],
  });

/** Protects a response with the same type of MAC as the client uses. */
async function writeWithMac(
  parts: WriteParts,
  answered: ResponseInput,
  sender: Extract<Sender, { kind: 'mac' }>,
): Promise<Uint8Array> {
  const mac = await macOfResponse(sender);
  const header = headerOf(parts, answered, {
    sender: NOBODY,
    senderKid: sender.reference,
    protectionAlgorithm: mac.algorithm,
  });
  const part = buildProtectedPart(header, answered.reply.body);
  return assemblePkiMessage(part, { protection: mac.over(part), extraCerts: answered.reply.extraCerts ?? [] });
}

/**
 * Returns the MAC of the request, whose key is already derived; the derivation accounts for most of the cost of such a
 * message. Clients that use PBMAC1 expect their own parameters with a new salt, unless that derivation is costly. If
 * the salt or the iteration count makes a PasswordBasedMac too weak or too slow, returns a MAC with the server's own
 * values. The client has proven that it knows the secret.
 */
async function macOfResponse({ mac, secret, deriving }: Extract<Sender, { kind: 'mac' }>): Promise<DerivedMac> {
  const asked = macCosts(mac.algorithm);
  const input = { secret: Buffer.from(secret.reveal()), ...deriving };
  if (mac.algorithm.oid === MESSAGE_MACS.pbmac1) {
    if (asked.work > MOST_REPEATED_WORK) return mac;
    return deriveMac(parseAlgorithm(pbmac1WithSalt(mac.algorithm, randomBytes(SALT_OCTETS))), input);
  }
  const iterations = Math.min(Math.max(asked.iterations, LEAST_ITERATIONS), MOST_ITERATIONS);
  if (iterations === asked.iterations && asked.saltLength >= LEAST_SALT_OCTETS) return mac;
  return deriveMac(parseAlgorithm(passwordBasedMacAlgorithm({ salt: randomBytes(SALT_OCTETS), iterations })), input);
}

async function writeSigned(parts: WriteParts, answered: ResponseInput, certificateUuid: string): Promise<Uint8Array> {
  const { certificate, chain, algorithm, sign } = await parts.signingCertificates.reach(certificateUuid, CMP_SIGNING);
  const header = headerOf(parts, answered, {
    sender: { kind: 'directoryName', name: certificate.subject },
    senderKid: certificate.subjectKeyIdentifier,
    protectionAlgorithm: algorithm,
  });
  const part = buildProtectedPart(header, answered.reply.body);
  const extraCerts = [...chain, ...(answered.reply.extraCerts ?? [])];
  return assemblePkiMessage(part, { protection: await sign(part), extraCerts });
}

const headerOf = (
  { clock }: WriteParts,
  { request, reply, nonce }: ResponseInput,
  own: Pick<PkiHeaderInput, 'sender' | 'senderKid' | 'protectionAlgorithm'>,
): PkiHeaderInput => ({
  pvno: request.pvno === 3 ? 3 : 2,
  ...replyFields(request),
  ...own,
  messageTimeMs: clock.now().getTime(),
  senderNonce: nonce,
  generalInfo: reply.implicitConfirm ? [buildInfo('implicitConfirm', null)] : [],
});
