// Presents authorizations and challenges in the protocol format (RFC 8555 §7.1.4, §8).
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

/** What a profile adds to the challenges that all profiles offer. */
export interface Offers {
  readonly additionalChallenges: readonly AcmeAdditionalChallenge[];
  /** Names that identify this authority in dns-persist-01 records. */
  readonly issuerDomainNames: readonly string[];
}

/**
 * Returns the offered challenge types. Control of a wildcard's domain can be proven only through DNS; IP addresses have
 * no zone for such a proof (RFC 8738 §7).
 */
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

export interface PresentationContext {
  readonly urls: AcmeUrls;
  readonly offers: Offers;
  /** Account that owns the authorization. */
  readonly accountId: string;
}

export function presentAuthorization(
  authorization: AuthorizationView,
  { urls, offers, accountId, now }: PresentationContext & { readonly now: Date },
): AcmeAuthorization {
  const { challenge_type: tried } = authorization;
  // An authorization that an external account binding made valid has no challenge.
  const isOpen = authorization.status === 'pending' || (tried === null && authorization.status !== 'valid');
  return {
    identifier: { type: authorization.identifier_type, value: authorization.identifier_value },
    status: authorizationStatus(authorization, now),
    expires: authorization.expires_at.toISOString(),
    // A decided authorization includes only the challenge that decided it (RFC 8555 §7.1.4).
    challenges: (isOpen
      ? offeredChallenges(authorization, offers)
      : challengeTypes.filter((type) => type === tried)
    ).map((type) => presentChallenge(authorization, { type, urls, offers, accountId })),
    ...(authorization.wildcard ? { wildcard: true } : {}),
  };
}

export function presentChallenge(
  authorization: AuthorizationView,
  { type, urls, offers, accountId }: PresentationContext & { readonly type: ChallengeType },
): AcmeChallenge {
  const url = urls.challenge(authorization.uuid, type);
  const isTried = authorization.challenge_type === type;
  return {
    type,
    url,
    status: isTried ? (authorization.challenge_status ?? 'pending') : 'pending',
    ...(type === 'dns-persist-01' ? persistMembers(offers, urls.account(accountId)) : { token: authorization.token }),
    ...(isTried && authorization.validated_at ? { validated: authorization.validated_at.toISOString() } : {}),
    ...(isTried && authorization.error ? { error: presentProblem(authorization.error, url) } : {}),
  };
}

/**
 * Returns the members that replace the token: there is no token, because there is no key authorization. The name with
 * hyphens is for clients that implement draft -01.
 */
const persistMembers = ({ issuerDomainNames }: Offers, accountUrl: string) => ({
  accounturi: accountUrl,
  issuerDomainNames: [...issuerDomainNames],
  'issuer-domain-names': [...issuerDomainNames],
});

/** Returns the identifier as ordered. */
export const orderedIdentifier = (
  authorization: Pick<AuthorizationView, 'identifier_type' | 'identifier_value' | 'wildcard'>,
): Identifier => ({
  type: authorization.identifier_type,
  value: `${authorization.wildcard ? '*.' : ''}${authorization.identifier_value}`,
});
