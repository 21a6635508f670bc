// Validates a challenge to completion: makes attempts with delays while the outcome can still change (RFC 8555 §8.2),
// then records the result once. If a process does not finish, another one takes over through the lease.
import { createBatcher } from '@signetry/connector-sdk';
import { LRUCache } from 'lru-cache';
import { caaRulesOf, offersOf, type CaaSettings } from '../validation/caa-default.ts';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { AccountUrls } from '../model/account-urls.ts';
import { detailOfSubproblems } from '../model/problems.ts';
import type { ChallengeType, StoredProblem } from '../model/vocabulary.ts';
import type {
  ChallengeToValidate,
  ValidateChallenge,
  ValidationRules,
  ChallengeOutcome,
} from '../validation/validate-challenge.ts';
import { orderedIdentifier } from './present.ts';
import * as store from './store.ts';
import type { AuthorizationView } from './store.ts';

/** Process settings: DNS resolver and target ports for validation. */
export interface ValidationTargets extends CaaSettings {
  readonly resolver: { readonly address: string; readonly port: number } | undefined;
  readonly http01Port: number;
  readonly tlsAlpn01Port: number;
  /**
   * Whether loopback is permitted under every profile. True if all of the platform's listeners are on loopback and it
   * has no public URL. Otherwise, individual profiles can permit it.
   */
  readonly allowLoopback?: boolean;
}

export interface ValidationSettings extends ValidationTargets {
  /** Delays before further attempts, in milliseconds. */
  readonly retryDelaysMs: readonly number[];
  /** Delay before the first attempt, in milliseconds; set only in test mode. */
  readonly delayMs?: number;
}

/** With 10 s per attempt and these delays, a challenge completes within 40 s no matter how its target behaves. */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 5_000];
export const VALIDATION_LEASE_MS = 60_000;
/** How long results are cached for requests that read the authorization before the result was recorded. */
const VERDICT_KEPT_MS = 10_000;
const VERDICTS_KEPT = 1_000;

export interface ValidationWorkParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly validate: ValidateChallenge;
  readonly settings: ValidationSettings;
}

export interface ChallengeWork {
  readonly authorization: AuthorizationView;
  readonly type: ChallengeType;
  readonly thumbprint: string;
  readonly account: { readonly uuid: string; readonly accountId: string };
  readonly addresses: AccountUrls;
  readonly profile: ServedAcmeProfile;
  readonly context: RequestContext;
  /**
   * Records the result; fails if the request is rejected. If absent, the result is recorded independently of the
   * request.
   */
  readonly record?: (result: store.ChallengeResult) => Promise<AuthorizationView | undefined>;
}

/** Returns the rate limit subject for failed validations: one identifier of one account. */
export const validationSubject = ({
  account,
  authorization,
}: Pick<ChallengeWork, 'account' | 'authorization'>): string =>
  `${account.uuid} ${authorization.identifier_type}:${authorization.identifier_value}`;

/** State shared by the validations of a process. */
interface Validations extends ValidationWorkParts {
  readonly stopping: AbortController;
  /** Records simultaneous results in one statement. */
  readonly record: (result: store.ChallengeResult) => Promise<AuthorizationView | undefined>;
}

export type ValidationWork = ReturnType<typeof createValidationWork>;

export function createValidationWork(parts: ValidationWorkParts) {
  const { database } = parts.platform;
  const stopping = new AbortController();
  const record = createBatcher<store.ChallengeResult, AuthorizationView | undefined>({
    scheduleFlush: database.hot.scheduleFlush,
    write: async (results) => {
      const decided = await store.decideChallenges(database.hot, results);
      return results.map(({ uuid }) => decided.get(uuid));
    },
  });
  const validations: Validations = { ...parts, stopping, record };
  const running = new Map<string, Promise<AuthorizationView | undefined>>();
  const decided = new LRUCache<string, AuthorizationView>({ max: VERDICTS_KEPT, ttl: VERDICT_KEPT_MS });

  /**
   * Runs one validation per authorization. Requests that arrive during the validation, or read the authorization before
   * its end, get the same result.
   */
  function run(work: ChallengeWork): Promise<AuthorizationView | undefined> {
    const { uuid } = work.authorization;
    const known = running.get(uuid);
    // If the running validation fails because its own request is rejected, validate again for this request.
    if (known) return known.catch(() => run(work));
    const verdict = decided.get(uuid);
    if (verdict) return Promise.resolve(verdict);
    const promise = runAndCache(work).finally(() => running.delete(uuid));
    running.set(uuid, promise);
    return promise;
  }

  async function runAndCache(work: ChallengeWork): Promise<AuthorizationView | undefined> {
    const result = await reachVerdict(validations, work);
    if (result) decided.set(result.uuid, result);
    return result;
  }

  return {
    run,
    /** Returns whether the authorization is being validated or was decided recently. */
    isKnown: (uuid: string): boolean => running.has(uuid) || decided.has(uuid),
    record,
    /**
     * Makes one attempt before the client requests it, and stops it when the signal fires. Returns whether the attempt
     * proved the authorization. A failure is not recorded.
     */
    async runAhead(work: ChallengeWork, signal: AbortSignal): Promise<boolean> {
      const challenge = await challengeOf(validations, work);
      const rules = rulesOf(work.profile, parts.settings);
      const verdict = await parts.validate(challenge, rules, AbortSignal.any([stopping.signal, signal]));
      return verdict.ok && (await recordVerdict(validations, work, verdict))?.status === 'valid';
    },
    /** Aborts attempts in progress; another process continues them. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(running.values());
    },
  };
}

async function reachVerdict(validations: Validations, work: ChallengeWork): Promise<AuthorizationView | undefined> {
  const { faultPoint, limits } = validations.platform;
  const verdict = await attemptValidation(validations, work);
  // Shutdown ends only the wait, not the validation: another process continues it through the lease.
  if (!verdict) return undefined;
  faultPoint('acme.afterValidation');
  if (!verdict.ok) await limits.acmeFailedValidations.note(validationSubject(work));
  const decided = await recordVerdict(validations, work, verdict);
  faultPoint('acme.afterDecision');
  return decided;
}

async function recordVerdict(
  validations: Validations,
  work: ChallengeWork,
  verdict: ChallengeOutcome,
): Promise<AuthorizationView | undefined> {
  const decided = await decide(validations, work, verdict);
  const outcome = verdict.ok ? 'valid' : verdict.problem.type;
  validations.platform.metrics.acmeValidations.inc({ challenge: work.type, outcome });
  return decided;
}

async function attemptValidation(validations: Validations, work: ChallengeWork): Promise<ChallengeOutcome | undefined> {
  const { log } = validations.platform;
  const { validate, settings, stopping } = validations;
  const challenge = await challengeOf(validations, work);
  const rules = rulesOf(work.profile, settings);
  if (settings.delayMs && !(await pause(validations, settings.delayMs))) return undefined;
  for (const delayMs of [...settings.retryDelaysMs, undefined]) {
    const verdict = await validate(challenge, rules, stopping.signal);
    if (stopping.signal.aborted) return undefined;
    if (verdict.ok || !verdict.mayChange || delayMs === undefined) return verdict;
    log.debug({ challenge: work.type, problem: verdict.problem }, 'retrying the validation of a challenge');
    if (!(await pause(validations, delayMs))) return undefined;
  }
  return undefined;
}

async function challengeOf({ platform }: Validations, work: ChallengeWork): Promise<ChallengeToValidate> {
  const { type, authorization, thumbprint, addresses, account } = work;
  return {
    type,
    identifier: orderedIdentifier(authorization),
    token: authorization.token,
    keyAuthorization: `${authorization.token}.${thumbprint}`,
    ...addresses,
    keyThumbprints:
      type === 'dns-persist-01'
        ? await store.findKeyThumbprints(platform.database.executor, account.uuid)
        : [thumbprint],
  };
}

/** Returns false if the platform stops during the pause. */
const pause = ({ stopping }: Validations, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopping.signal.removeEventListener('abort', end);
      resolve(!stopping.signal.aborted);
    };
    const timer = setTimeout(end, ms);
    stopping.signal.addEventListener('abort', end);
  });

function decide(
  validations: Validations,
  work: ChallengeWork,
  verdict: ChallengeOutcome,
): Promise<AuthorizationView | undefined> {
  const { clock } = validations.platform;
  const { audit } = validations;
  const { authorization, account, context, type, record = validations.record } = work;
  const at = clock.now();
  const reuseMs = work.profile.authorizationReuse * 1000;
  const identifier = orderedIdentifier(authorization);
  const problem: StoredProblem | null = verdict.ok ? null : { ...verdict.problem, identifier };
  const auditRecord = audit.record(context, {
    facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'acmeValidate' },
    objects: [{ uuid: account.uuid, name: account.accountId }],
    result: verdict.ok ? 'success' : 'failure',
    ...(problem ? { message: problem.detail } : {}),
    data: {
      authorization: authorization.uuid,
      identifier: `${identifier.type}:${identifier.value}`,
      challenge: type,
    },
  });
  return record({
    uuid: authorization.uuid,
    type,
    status: verdict.ok ? 'valid' : 'invalid',
    error: problem,
    orderError: problem && orderProblem(problem),
    at,
    usableUntil: verdict.ok && reuseMs > 0 ? new Date(at.getTime() + reuseMs) : null,
    validUntil: (verdict.ok && verdict.validUntil) || null,
    audit: auditRecord,
  });
}

/**
 * Returns the reason why an order can no longer be completed: the failed validation, as a subproblem (RFC 8555 §7.1.3,
 * §6.7.1).
 */
const orderProblem = (problem: StoredProblem): StoredProblem => ({
  type: problem.type,
  detail: detailOfSubproblems([problem]),
  subproblems: [problem],
});

/** Returns a profile's validation rules. */
export function rulesOf(profile: ServedAcmeProfile, settings: ValidationTargets): ValidationRules {
  const own = profile.dnsResolverIp;
  return {
    resolver: own === undefined ? settings.resolver : { address: own, port: profile.dnsResolverPort },
    http01Port: settings.http01Port,
    tlsAlpn01Port: settings.tlsAlpn01Port,
    allowLoopback: profile.allowLoopbackValidation || (settings.allowLoopback ?? false),
    ...caaRulesOf(profile, settings),
    issuerDomainNames: offersOf(profile, settings).issuerDomainNames,
  };
}
