// Authorizes a request for a first certificate by its challenge password (RFC 8894 §2.4). The password must match the
// profile or a one-time secret, or be accepted by the operator's server.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { CertificationRequest, ScepMessage } from '@signetry/pki';
import type { RequestFacts } from '../../areas/certificates/index.ts';
import { describeExcessNames, type Enrollments } from '../../areas/enrollments/index.ts';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { reject } from './rejection.ts';
import type { ChallengeWebhook } from './webhook.ts';

export interface ChallengeParts {
  readonly enrollments: Pick<Enrollments, 'secrets'>;
  readonly webhook: ChallengeWebhook;
}

export interface ChallengedRequest {
  readonly profile: ServedScepProfile;
  readonly message: ScepMessage;
  readonly request: CertificationRequest;
  readonly facts: RequestFacts;
}

export interface Admission {
  /** UUID of the one-time secret that is consumed when the transaction starts. */
  readonly oneTimeSecretUuid?: string;
}

/** Checks the challenge password. If one is required, a missing password counts as a wrong one. */
export async function admit(
  { enrollments, webhook }: ChallengeParts,
  challenged: ChallengedRequest,
): Promise<Admission> {
  const { profile, request, facts, message } = challenged;
  const { challengePassword, oneTimeChallenges, challengeWebhookUrl, raProfile } = profile;
  if (challengePassword === undefined && !oneTimeChallenges && challengeWebhookUrl === undefined) return {};
  const given = request.challengePassword ?? '';
  if (challengePassword !== undefined && isSame(challengePassword.reveal(), given)) return {};
  if (oneTimeChallenges && given !== '' && raProfile) {
    const query = { protocol: 'scep', raProfileUuid: raProfile.uuid, secret: given } as const;
    const secret = await enrollments.secrets.findBySecret(query);
    const beyond = secret?.names && describeExcessNames(secret.names, facts);
    if (beyond !== undefined) reject('badRequest', beyond);
    if (secret) return { oneTimeSecretUuid: secret.uuid };
  }
  if (challengeWebhookUrl !== undefined && given !== '') {
    const { name } = profile;
    const question = { profile: name, transactionId: message.transactionId, subject: facts.subject_dn };
    const encoded = Buffer.from(request.der).toString('base64');
    if (await webhook(challengeWebhookUrl, { ...question, challengePassword: given, request: encoded })) return {};
  }
  return reject('badMessageCheck', 'The challenge password is missing or incorrect.');
}

/** Compares in a time that reveals neither length nor content. */
const isSame = (expected: string, given: string): boolean => timingSafeEqual(digestOf(expected), digestOf(given));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
