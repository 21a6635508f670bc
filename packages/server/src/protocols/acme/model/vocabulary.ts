// The words of ACME that every part of the server uses (RFC 8555, RFC 8737, RFC 8738). No I/O.
import type { AcmeAdditionalChallenge } from '@signetry/contract';

/** What a certificate is asked for: a DNS name (RFC 8555 §9.7.7) or an IP address (RFC 8738 §3). */
export interface Identifier {
  readonly type: 'dns' | 'ip';
  /** In canonical form: lower case without a trailing dot, or the text form of RFC 5952; a wildcard keeps its `*.`. */
  readonly value: string;
}

/** Offered by every profile. */
const usualChallenges = ['http-01', 'dns-01', 'tls-alpn-01'] as const;
/** Offered where a profile says so. */
const additionalChallenges = ['dns-account-01', 'dns-persist-01'] as const satisfies readonly AcmeAdditionalChallenge[];

export const challengeTypes = [...usualChallenges, ...additionalChallenges] as const;
export type ChallengeType = (typeof challengeTypes)[number];

/** Proven by records alone: nothing is connected to, so wildcards can be proven, and addresses cannot. */
export const isDnsChallenge = (type: ChallengeType): boolean => type.startsWith('dns-');

/** What a profile offers. */
export const challengesOf = (additional: readonly AcmeAdditionalChallenge[]): readonly ChallengeType[] => [
  ...usualChallenges,
  ...additionalChallenges.filter((type) => additional.includes(type)),
];

/**
 * Problem types of RFC 8555 §6.7, RFC 9773 §7.4 and draft-ietf-acme-profiles-00 §6.3 that this server sends, with the
 * status they are sent with when nothing else is said. Their namespace must hold no others.
 */
export const problemStatus = {
  accountDoesNotExist: 400,
  alreadyReplaced: 409,
  alreadyRevoked: 400,
  badCSR: 400,
  badNonce: 400,
  badPublicKey: 400,
  badRevocationReason: 400,
  badSignatureAlgorithm: 400,
  caa: 403,
  compound: 400,
  connection: 400,
  dns: 400,
  externalAccountRequired: 403,
  incorrectResponse: 403,
  invalidContact: 400,
  invalidProfile: 400,
  malformed: 400,
  orderNotReady: 403,
  rateLimited: 429,
  rejectedIdentifier: 400,
  serverInternal: 500,
  tls: 400,
  unauthorized: 403,
  unsupportedContact: 400,
  unsupportedIdentifier: 400,
  userActionRequired: 403,
} as const satisfies Record<string, number>;

export type ProblemType = keyof typeof problemStatus;

/** A problem as it is kept with an order or a challenge; its texts are ours and never repeat fetched bytes. */
export interface StoredProblem {
  readonly type: ProblemType;
  readonly detail: string;
  readonly identifier?: Identifier;
  readonly subproblems?: readonly StoredProblem[];
}
