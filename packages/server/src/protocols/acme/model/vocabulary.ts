// ACME vocabulary shared by all parts of the server (RFC 8555, RFC 8737, RFC 8738). No I/O.
import type { AcmeAdditionalChallenge } from '@signetry/contract';

/** Name that a certificate is issued for: a DNS name (RFC 8555 §9.7.7) or an IP address (RFC 8738 §3). */
export interface Identifier {
  readonly type: 'dns' | 'ip';
  /**
   * Value in canonical form: lowercase without a trailing dot, or the text form of RFC 5952; wildcards keep their `*.`.
   */
  readonly value: string;
}

/** Offered by every profile. */
const usualChallenges = ['http-01', 'dns-01', 'tls-alpn-01'] as const;
/** Offered if enabled in the profile. */
const additionalChallenges = ['dns-account-01', 'dns-persist-01'] as const satisfies readonly AcmeAdditionalChallenge[];

export const challengeTypes = [...usualChallenges, ...additionalChallenges] as const;
export type ChallengeType = (typeof challengeTypes)[number];

/**
 * Returns whether the challenge is validated by DNS records alone, without a connection. Such challenges support
 * wildcards, but not IP addresses.
 */
export const isDnsChallenge = (type: ChallengeType): boolean => type.startsWith('dns-');

/** Returns the challenge types that a profile offers. */
export const challengesOf = (additional: readonly AcmeAdditionalChallenge[]): readonly ChallengeType[] => [
  ...usualChallenges,
  ...additionalChallenges.filter((type) => additional.includes(type)),
];

/**
 * Problem types from RFC 8555 §6.7, RFC 9773 §7.4 and draft-ietf-acme-profiles-00 §6.3 that this server sends, with
 * their default status. No other types may be added to their namespace.
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

/** A problem as stored with an order or challenge; its texts are our own and never contain fetched data. */
export interface StoredProblem {
  readonly type: ProblemType;
  readonly detail: string;
  readonly identifier?: Identifier;
  readonly subproblems?: readonly StoredProblem[];
}
