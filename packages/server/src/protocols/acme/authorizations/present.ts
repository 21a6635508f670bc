// Authorizations and challenges in the form of the protocol (RFC 8555 §7.1.4, §8).
import type { AcmeAuthorization, AcmeChallenge } from '@signetry/contract';
import { presentProblem } from '../model/problems.ts';
import type { AcmeUrls } from '../model/urls.ts';
import { challengeTypes, type ChallengeType, type Identifier } from '../model/vocabulary.ts';
import type { AuthorizationView } from './store.ts';

/** Control of a wildcard's domain is proven in the DNS alone; addresses have no zone to be proven in (RFC 8738 §7). */
export function offeredChallenges(
  authorization: Pick<AuthorizationView, 'identifier_type' | 'wildcard'>,
): readonly ChallengeType[] {
  if (authorization.wildcard) return ['dns-01'];
  return authorization.identifier_type === 'ip' ? challengeTypes.filter((type) => type !== 'dns-01') : challengeTypes;
}

export function authorizationStatus(authorization: AuthorizationView, now: Date): AcmeAuthorization['status'] {
  const isOpen = authorization.status === 'pending' || authorization.status === 'valid';
  return isOpen && authorization.expires_at.getTime() <= now.getTime() ? 'expired' : authorization.status;
}

export function presentAuthorization(
  authorization: AuthorizationView,
  { urls, now }: { readonly urls: AcmeUrls; readonly now: Date },
): AcmeAuthorization {
  const { challenge_type: decided } = authorization;
  // Of a decided authorization only the challenge that decided is of interest (RFC 8555 §7.1.4).
  const shown = offeredChallenges(authorization).filter(
    (type) => authorization.status === 'pending' || decided === null || type === decided,
  );
  return {
    identifier: { type: authorization.identifier_type, value: authorization.identifier_value },
    status: authorizationStatus(authorization, now),
    expires: authorization.expires_at.toISOString(),
    challenges: shown.map((type) => presentChallenge(authorization, { type, urls })),
    ...(authorization.wildcard ? { wildcard: true } : {}),
  };
}

export function presentChallenge(
  authorization: AuthorizationView,
  { type, urls }: { readonly type: ChallengeType; readonly urls: AcmeUrls },
): AcmeChallenge {
  const url = urls.challenge(authorization.uuid, type);
  const isTried = authorization.challenge_type === type;
  return {
    type,
    url,
    status: isTried ? (authorization.challenge_status ?? 'pending') : 'pending',
    token: authorization.token,
    ...(isTried && authorization.validated_at ? { validated: authorization.validated_at.toISOString() } : {}),
    ...(isTried && authorization.error ? { error: presentProblem(authorization.error, url) } : {}),
  };
}

/** The identifier as it was ordered. */
export const orderedIdentifier = (
  authorization: Pick<AuthorizationView, 'identifier_type' | 'identifier_value' | 'wildcard'>,
): Identifier => ({
  type: authorization.identifier_type,
  value: `${authorization.wildcard ? '*.' : ''}${authorization.identifier_value}`,
});
