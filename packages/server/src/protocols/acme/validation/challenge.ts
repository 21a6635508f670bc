// Input, rules and result of a validation. No I/O.
import type { AccountFacts } from '../model/account-urls.ts';
import type { ChallengeType, Identifier, ProblemType, StoredProblem } from '../model/vocabulary.ts';

/** Rules from the ACME profile and the process settings. */
export interface ValidationRules {
  /** Resolver to use; if undefined, the system resolver. */
  readonly resolver: { readonly address: string; readonly port: number } | undefined;
  /** Always 80, except in tests (RFC 8555 §8.3). */
  readonly http01Port: number;
  /** Always 443, except in tests (RFC 8737 §3). */
  readonly tlsAlpn01Port: number;
  /** Whether the profile permits connections to loopback addresses. */
  readonly allowLoopback: boolean;
  /** Names by which a CAA record can authorize this authority; empty: CAA is not checked. */
  readonly caaIdentities: readonly string[];
  /**
   * The check is not configured explicitly: only public names are checked, and failed lookups do not prevent issuance.
   */
  readonly isCaaByDefault?: boolean;
  /** Names of this authority in dns-persist-01 records; empty: the challenge is not offered. */
  readonly issuerDomainNames: readonly string[];
}

/**
 * A challenge with the account's data, including every URL of the account, any of which `accounturi` in CAA records can
 * contain (RFC 8657 §3).
 */
export interface ChallengeToValidate extends AccountFacts {
  readonly type: ChallengeType;
  /** Identifier as ordered; wildcards keep their `*.`. */
  readonly identifier: Identifier;
  readonly token: string;
  /** Token, a period, and the thumbprint of the account key (RFC 8555 §8.1). */
  readonly keyAuthorization: string;
}

export interface Proof {
  /** Time after which the proof must not be relied on; undefined if there is no limit. */
  readonly validUntil: Date | undefined;
}

export type ChallengeOutcome =
  | ({ readonly ok: true } & Partial<Proof>)
  | {
      readonly ok: false;
      readonly problem: StoredProblem;
      /** Whether another attempt in a few seconds may succeed (RFC 8555 §8.2). */
      readonly mayChange: boolean;
    };

/**
 * Aborts a validation at any step. Its detail is our own text and never contains data that was fetched or looked up.
 */
export class ValidationFailure extends Error {
  readonly problem: StoredProblem;
  readonly mayChange: boolean;

  constructor(facts: { type: ProblemType; detail: string; mayChange: boolean; cause?: unknown }) {
    super(facts.detail, { cause: facts.cause });
    this.name = 'ValidationFailure';
    this.problem = { type: facts.type, detail: facts.detail };
    this.mayChange = facts.mayChange;
  }
}
