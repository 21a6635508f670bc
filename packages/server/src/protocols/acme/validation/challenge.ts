// What a validation is asked, by which rules, and what it answers. No I/O.
import type { AccountFacts } from '../model/account-addresses.ts';
import type { ChallengeType, Identifier, ProblemType, StoredProblem } from '../model/vocabulary.ts';

/** From the ACME profile and the settings of the process. */
export interface ValidationRules {
  /** Without one, names are looked up as the system does. */
  readonly resolver: { readonly address: string; readonly port: number } | undefined;
  /** 80 everywhere but in tests (RFC 8555 §8.3). */
  readonly http01Port: number;
  /** 443 everywhere but in tests (RFC 8737 §3). */
  readonly tlsAlpn01Port: number;
  /** Permission of the profile to reach loopback addresses. */
  readonly allowLoopback: boolean;
  /** Names that a CAA record may give to this authority; empty: CAA is not checked. */
  readonly caaIdentities: readonly string[];
  /** Nobody asked for the check: only public names are checked, and what cannot be looked up is permitted. */
  readonly isCaaByDefault?: boolean;
  /** Names by which records of dns-persist-01 know this authority; none: the challenge is not offered. */
  readonly issuerDomainNames: readonly string[];
}

/** Of the account: every URL under which it is known, for `accounturi` of CAA records too (RFC 8657 §3). */
export interface ChallengeToValidate extends AccountFacts {
  readonly type: ChallengeType;
  /** A wildcard keeps its `*.`. */
  readonly identifier: Identifier;
  readonly token: string;
  /** Token, a full stop, thumbprint of the account's key (RFC 8555 §8.1). */
  readonly keyAuthorization: string;
}

export interface Proof {
  /** The proof must not be relied on afterwards; undefined: no such end. */
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

/** Ends a validation from wherever it is. Its detail is ours: it repeats nothing that was fetched or looked up. */
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
