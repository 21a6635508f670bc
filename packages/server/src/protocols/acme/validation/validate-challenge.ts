// Validation of ACME challenges (RFC 8555 §8): proves that the client controls an identifier, using http-01,
// tls-alpn-01, dns-01, dns-account-01 or dns-persist-01, and that CAA permits the issuance. Targets are assumed to be
// hostile: every address passes the egress gate, every read and wait is bounded, and fetched content is never repeated.
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import type { EgressGate } from '../../../platform/net/egress.ts';
import {
  ValidationFailure,
  type ChallengeToValidate,
  type Proof,
  type ValidationRules,
  type ChallengeOutcome,
} from './challenge.ts';
import { requireCaaPermission } from './check-caa.ts';
import { validateDns01 } from './dns-01.ts';
import { validateDnsAccount01 } from './dns-account-01.ts';
import { createDnsLookups, type DnsLookups } from './dns-lookups.ts';
import { validateDnsPersist01 } from './dns-persist-01.ts';
import { validateHttp01 } from './http-01.ts';
import { assertValidatable } from './identifier-form.ts';
import { VALIDATION_LIMIT_MS, withinTimeLimit } from './time-limit.ts';
import { validateTlsAlpn01 } from './tls-alpn-01.ts';
import type { ChallengeType } from '../model/vocabulary.ts';
import type { Attempt } from './attempt.ts';

export type { ChallengeToValidate, ValidationRules, ChallengeOutcome } from './challenge.ts';

/** Validates a challenge. Never throws, and always returns within the time limit. */
export type ValidateChallenge = (
  challenge: ChallengeToValidate,
  rules: ValidationRules,
  signal: AbortSignal,
) => Promise<ChallengeOutcome>;

export interface ChallengeValidatorParts {
  readonly egress: EgressGate;
  readonly log: Logger;
  readonly clock: Clock;
  /** Shared with the CAA check, including its resolvers. */
  readonly dns?: DnsLookups;
  readonly limitMs?: number;
}

/** Share of the time limit for each connection, so that each of up to four addresses is tried. */
const CONNECT_SHARE = 1 / 4;

type Method = (challenge: ChallengeToValidate, attempt: Attempt) => Promise<Proof | void>;

const METHODS: Readonly<Record<ChallengeType, Method>> = {
  'http-01': validateHttp01,
  'dns-01': validateDns01,
  'tls-alpn-01': validateTlsAlpn01,
  'dns-account-01': validateDnsAccount01,
  'dns-persist-01': validateDnsPersist01,
};

export function createChallengeValidator(parts: ChallengeValidatorParts): ValidateChallenge {
  const { egress, log, clock, limitMs = VALIDATION_LIMIT_MS, dns = createDnsLookups({ limitMs }) } = parts;

  async function attemptOnce(challenge: ChallengeToValidate, attempt: Attempt): Promise<ChallengeOutcome> {
    assertValidatable(challenge);
    const proof = await METHODS[challenge.type](challenge, attempt);
    await requireCaaPermission({ ...challenge, challengeType: challenge.type }, attempt);
    return { ok: true, ...proof };
  }

  return async (challenge, rules, outer) => {
    const targets: string[] = [];
    try {
      const connectTimeoutMs = limitMs * CONNECT_SHARE;
      return await withinTimeLimit({ limitMs, signal: outer }, (signal) =>
        attemptOnce(challenge, { egress, dns, clock, rules, signal, connectTimeoutMs, targets }),
      );
    } catch (error) {
      const verdict = failedVerdict(error, outer);
      const { type, identifier } = challenge;
      if (error instanceof ValidationFailure)
        log.info({ type, identifier, targets, problem: verdict.problem }, 'a challenge failed validation');
      else log.error({ error, type, identifier, targets }, 'cannot validate a challenge');
      return verdict;
    }
  };
}

function failedVerdict(error: unknown, outer: AbortSignal): Exclude<ChallengeOutcome, { ok: true }> {
  // The attempt was aborted from outside, so its result does not count against the target.
  if (outer.aborted) return unfinishedOutcome('The validation was interrupted; another attempt may succeed.');
  if (error instanceof ValidationFailure) return { ok: false, problem: error.problem, mayChange: error.mayChange };
  return unfinishedOutcome('The validation failed because of an internal server error; another attempt may succeed.');
}

const unfinishedOutcome = (detail: string): Exclude<ChallengeOutcome, { ok: true }> => ({
  ok: false,
  problem: { type: 'serverInternal', detail },
  mayChange: true,
});
