// SCEP server operations (RFC 8894 §4).
import { SCEP_MESSAGE } from '@signetry/contract';
import { buildDegenerate, formatName, type ScepMessage } from '@signetry/pki';
import type { ServedScepProfile, ServedScepProfiles } from '../../areas/scep-profiles/index.ts';
import { SCEP_CA } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificate, SigningCertificates } from '../../areas/signing-certificates/index.ts';
import type { ProfileFamily } from '../../areas/protocol-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import { nonProtocolError } from '../../kernel/errors.ts';
import { processMessage, type ProcessParts } from './process-message.ts';
import { nextCertificate } from './next-certificate.ts';
import { assertSigned, openContent, problemOfMessage, readMessage } from './open-message.ts';
import { ScepRejection } from './rejection.ts';
import { respond, respondWithRejection } from './respond.ts';

export interface ScepParts extends ProcessParts {
  readonly profiles: Pick<ServedScepProfiles, 'find'>;
  readonly signingCertificates: Pick<SigningCertificates, 'reach' | 'successorOf'>;
}

export interface ScepRequest {
  readonly family: ProfileFamily;
  readonly name: string;
  readonly operation: string;
  /** Message of PKIOperation. */
  readonly message: Uint8Array;
  /** Why the message could not be read from the HTTP request. */
  readonly problem?: string;
}

export interface ScepReply {
  readonly media: string;
  readonly body: Uint8Array | string;
}

export async function serve(parts: ScepParts, request: ScepRequest, context: RequestContext): Promise<ScepReply> {
  const profile = await servedProfile(parts, request);
  const ca = await parts.signingCertificates.reach(profile.caCertificateUuid, SCEP_CA);
  switch (request.operation) {
    case 'GetCACert':
      return certificatesOf(ca);
    case 'GetCACaps': {
      const hasNext = (await parts.signingCertificates.successorOf(profile.caCertificateUuid, SCEP_CA)) !== undefined;
      return { media: 'text/plain', body: `${capabilitiesOf(profile, hasNext).join('\n')}\n` };
    }
    case 'GetNextCACert': {
      const next = await parts.signingCertificates.successorOf(profile.caCertificateUuid, SCEP_CA);
      if (!next)
        throw nonProtocolError(
          `No successor has been issued yet for the RA certificate of the SCEP profile ${profile.name}.`,
        );
      return { media: 'application/x-x509-next-ca-cert', body: await nextCertificate(ca, next) };
    }
    case 'PKIOperation': {
      const body = await operate(parts, { profile, ca, octets: request.message, problem: request.problem }, context);
      return { media: SCEP_MESSAGE, body };
    }
    default:
      throw nonProtocolError(
        `The operation ${request.operation.slice(0, 100)} is not supported; GetCACaps lists the supported ones.`,
      );
  }
}

async function servedProfile({ profiles }: ScepParts, { family, name }: ScepRequest): Promise<ServedScepProfile> {
  if (name === '') throw nonProtocolError('The URL must contain the name of a SCEP profile.');
  const profile = await profiles.find(family, name);
  if (!profile?.enabled) throw nonProtocolError(`No SCEP profile is served under the name ${name.slice(0, 100)}.`);
  if (!profile.raProfile?.enabled)
    throw nonProtocolError(`The SCEP profile ${profile.name} has no enabled RA profile.`);
  return profile;
}

/** RFC 8894 §4.2.1. */
const certificatesOf = ({ chain }: SigningCertificate): ScepReply =>
  chain.length === 1 && chain[0]
    ? { media: 'application/x-x509-ca-cert', body: chain[0] }
    : { media: 'application/x-x509-ca-ra-cert', body: buildDegenerate({ certificates: chain }) };

/**
 * Returns the capabilities (RFC 8894 §3.5.2). `SHA-384` is not a standard keyword, but the algorithm is accepted:
 * without it in the list, strongSwan 5.9.8 recognizes neither AES nor SCEPStandard.
 */
const capabilitiesOf = ({ allowOldClients }: ServedScepProfile, hasNext: boolean): string[] => [
  'AES',
  'POSTPKIOperation',
  'Renewal',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SCEPStandard',
  ...(hasNext ? ['GetNextCACert'] : []),
  ...(allowOldClients ? ['SHA-1', 'DES3'] : []),
];

interface OperationRequest {
  readonly profile: ServedScepProfile;
  readonly ca: SigningCertificate;
  readonly octets: Uint8Array;
  readonly problem: string | undefined;
}

async function operate(
  parts: ScepParts,
  { profile, ca, octets, problem }: OperationRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  const message = readMessage(octets);
  const address = context.source?.ipAddress;
  if (!message) return rejectUnreadable(parts, { profile, reason: problem ?? problemOfMessage(octets), address });
  try {
    assertSigned(message, profile);
    const { content, ...encryption } = await openContent(message, { profile, ca });
    const outcome = await processMessage(parts, { profile, ca, message, content }, context);
    return await respond({ message, ca, encryption }, outcome);
  } catch (error) {
    if (!(error instanceof ScepRejection)) throw error;
    await recordRejection(parts, { profile, message, refusal: error, address });
    return respondWithRejection({ message, ca }, error);
  }
}

/** No response is possible, because it could not be encrypted. */
async function rejectUnreadable(
  { enrollments }: ScepParts,
  { profile, reason, address }: Pick<RejectedMessage, 'profile' | 'address'> & { readonly reason: string | undefined },
): Promise<never> {
  const problem = `The message is not a DER-encoded SCEP message (RFC 8894 §3).${reason === undefined ? '' : ` ${reason}`}`;
  const unread = { transactionId: '', kind: '', requester: 'not authenticated' };
  await enrollments.recordRejection({ protocol: 'scep', profile, ...unread, problem, address });
  throw nonProtocolError(problem);
}

interface RejectedMessage {
  readonly profile: ServedScepProfile;
  readonly message: ScepMessage;
  readonly refusal: ScepRejection;
  readonly address: string | null | undefined;
}

const recordRejection = (
  { enrollments }: ScepParts,
  { profile, message, refusal, address }: RejectedMessage,
): Promise<void> =>
  enrollments.recordRejection({
    protocol: 'scep',
    profile,
    transactionId: message.transactionId,
    kind: message.messageType ?? '',
    requester: formatName(message.certificate.subject),
    problem: `${refusal.message} (${refusal.failInfo})`,
    address,
  });
