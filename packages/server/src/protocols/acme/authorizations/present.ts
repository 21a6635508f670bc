// Authorizations and challenges in the form of the protocol (RFC 8555 §7.1.4, §8).
import type { AcmeAdditionalChallenge, AcmeAuthorization, AcmeChallenge } from '@signetry/contract';
import { presentProblem } from '../model/problems.ts';
import type { AcmeUrls } from '../model/urls.ts';
import {
  challengesOf,
  challengeTypes,
  isDnsChallenge,
  type ChallengeType,
  type Identifier,
} from '../model/vocabulary.ts';
import type { AuthorizationView } from './store.ts';

/** What a profile adds to the challenges that all offer. */
export interface Offers {
  readonly additionalChallenges: readonly AcmeAdditionalChallenge[];
  /** By which records of dns-persist-01 know this authority. */
  readonly issuerDomainNames: readonly string[];
}

/** Control of a wildcard's domain is proven in the DNS alone; addresses have no zone to be proven in (RFC 8738 §7). */
export function offeredChallenges(
  authorization: Pick<AuthorizationView, 'identifier_type' | 'wildcard'>,
  { additionalChallenges }: Pick<Offers, 'additionalChallenges'>,
): readonly ChallengeType[] {
  const offered = challengesOf(additionalChallenges);
  if (authorization.wildcard) return offered.filter(isDnsChallenge);
  return authorization.identifier_type === 'ip' ? offered.filter((type) => !isDnsChallenge(type)) : offered;
}

export function authorizationStatus(authorization: AuthorizationView, now: Date): AcmeAuthorization['status'] {
  const isOpen = authorization.status === 'pending' || authorization.status === 'valid';
  return isOpen && authorization.expires_at.getTime() <= now.getTime() ? 'expired' : authorization.status;
}

export interface Shown {
  readonly urls: AcmeUrls;
  readonly offers: Offers;
}

export function presentAuthorization(
  authorization: AuthorizationView,
  { urls, offers, now }: Shown & { readonly now: Date },
): AcmeAuthorization {
  const { challenge_type: tried } = authorization;
  const isOpen = authorization.status === 'pending' || tried === null;
  return {
    identifier: { type: authorization.identifier_type, value: authorization.identifier_value },
    status: authorizationStatus(authorization, now),
    expires: authorization.expires_at.toISOString(),
    // Of a decided authorization only the challenge that decided is of interest (RFC 8555 §7.1.4).
    challenges: (isOpen
      ? offeredChallenges(authorization, offers)
      : challengeTypes.filter((type) => type === tried)
    ).map((type) => presentChallenge(authorization, { type, urls, offers })),
    ...(authorization.wildcard ? { wildcard: true } : {}),
  };
}

export function presentChallenge(
  authorization: AuthorizationView,
  { type, urls, offers }: Shown & { readonly type: ChallengeType },
): AcmeChallenge {
  const url = urls.challenge(authorization.uuid, type);
  const isTried = authorization.challenge_type === type;
  return {
    type,
    url,
    status: isTried ? (authorization.challenge_status ?? 'pending') : 'pending',
    ...(type === 'dns-persist-01' ? persistMembers(offers) : { token: authorization.token }),
    ...(isTried && authorization.validated_at ? { validated: authorization.validated_at.toISOString() } : {}),
    ...(isTried && authorization.error ? { error: presentProblem(authorization.error, url) } : {}),
  };
}

/** Nothing is digested, so there is no token. The second name is for clients that know -01 of the draft. */
const persistMembers = ({ issuerDomainNames }: Offers) => ({
  issuerDomainNames: [...issuerDomainNames],
  'issuer-domain-names': [...issuerDomainNames],
});

/** The identifier as it was ordered. */
export const orderedIdentifier = (
  authorization: Pick<AuthorizationView, 'identifier_type' | 'identifier_value' | 'wildcard'>,
): Identifier => ({
  type: authorization.identifier_type,
  value: `${authorization.wildcard ? '*.' : ''}${authorization.identifier_value}`,
});
