// Validates a challenge to its end: attempts with pauses as long as the outcome may still change (RFC 8555 §8.2), then
// the verdict, recorded once. What one process began and did not finish, another takes over by its lease.
import { createBatcher } from '@signetry/connector-sdk';
import { LRUCache } from 'lru-cache';
import { caaRulesOf, offersOf, type CaaSettings } from '../validation/caa-default.ts';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { AccountAddresses } from '../model/account-addresses.ts';
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

/** Process settings: whom validation asks, and where. */
export interface ValidationTargets extends CaaSettings {
  readonly resolver: { readonly address: string; readonly port: number } | undefined;
  readonly http01Port: number;
  readonly tlsAlpn01Port: number;
  /**
   * Loopback is validated under every profile: all listeners of the platform are there, and it has no public URL. Else
   * a profile may permit it.
   */
  readonly allowLoopback?: boolean;
}

export interface ValidationSettings extends ValidationTargets {
  /** Pauses before further attempts, in milliseconds. */
  readonly retryDelaysMs: readonly number[];
  /** Pause before the first attempt, in milliseconds; only the test mode has one. */
  readonly delayMs?: number;
}

/** With attempts of 10 s each and these pauses a challenge ends within 40 s whatever its target does. */
export const RETRY_DELAYS_MS: readonly number[] = [2_000, 5_000];
export const VALIDATION_LEASE_MS = 60_000;
/** A verdict is kept for requests that had read the authorization before it was recorded. */
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
  readonly addresses: AccountAddresses;
  readonly profile: ServedAcmeProfile;
  readonly context: RequestContext;
  /** Records the verdict, and fails where the request is refused; without it, it is recorded whoever asked. */
  readonly record?: (result: store.ChallengeResult) => Promise<AuthorizationView | undefined>;
}

/** Whom failed validations count for: one identifier of one account. */
export const validationSubject = ({
  account,
  authorization,
}: Pick<ChallengeWork, 'account' | 'authorization'>): string =>
  `${account.uuid} ${authorization.identifier_type}:${authorization.identifier_value}`;

/** What the validations of a process share. */
interface Validations extends ValidationWorkParts {
  readonly stopping: AbortController;
  /** Verdicts of the same moment are recorded by one statement. */
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

  /** One validation for each authorization; whoever asks meanwhile, or asked before its end, gets the same result. */
  function run(work: ChallengeWork): Promise<AuthorizationView | undefined> {
    const { uuid } = work.authorization;
    const known = running.get(uuid);
    // One that ends with a refusal of its request says nothing about this one.
    if (known) return known.catch(() => run(work));
    const verdict = decided.get(uuid);
    if (verdict) return Promise.resolve(verdict);
    const promise = runAndKeep(work).finally(() => running.delete(uuid));
    running.set(uuid, promise);
    return promise;
  }

  async function runAndKeep(work: ChallengeWork): Promise<AuthorizationView | undefined> {
    const result = await toVerdict(validations, work);
    if (result) decided.set(result.uuid, result);
    return result;
  }

  return {
    run,
    /** Is it being validated, or was a moment ago? */
    isKnown: (uuid: string): boolean => running.has(uuid) || decided.has(uuid),
    record,
    /**
     * One attempt that nobody asked for, within the time of the signal; answers whether it has proven the
     * authorization. What fails stays as it is.
     */
    async runAhead(work: ChallengeWork, signal: AbortSignal): Promise<boolean> {
      const challenge = await challengeOf(validations, work);
      const rules = rulesOf(work.profile, parts.settings);
      const verdict = await parts.validate(challenge, rules, AbortSignal.any([stopping.signal, signal]));
      return verdict.ok && (await recorded(validations, work, verdict))?.status === 'valid';
    },
    /** Ends attempts under way; they stay for another process. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(running.values());
    },
  };
}

async function toVerdict(validations: Validations, work: ChallengeWork): Promise<AuthorizationView | undefined> {
  const { faultPoint, limits } = validations.platform;
  const verdict = await attempts(validations, work);
  // A stop ends the waiting, not the validation: the lease lets another process go on with it.
  if (!verdict) return undefined;
  faultPoint('acme.afterValidation');
  if (!verdict.ok) await limits.acmeFailedValidations.note(validationSubject(work));
  const decided = await recorded(validations, work, verdict);
  faultPoint('acme.afterDecision');
  return decided;
}

async function recorded(
  validations: Validations,
  work: ChallengeWork,
  verdict: ChallengeOutcome,
): Promise<AuthorizationView | undefined> {
  const decided = await decide(validations, work, verdict);
  const outcome = verdict.ok ? 'valid' : verdict.problem.type;
  validations.platform.metrics.acmeValidations.inc({ challenge: work.type, outcome });
  return decided;
}

async function attempts(validations: Validations, work: ChallengeWork): Promise<ChallengeOutcome | undefined> {
  const { log } = validations.platform;
  const { validate, settings, stopping } = validations;
  const challenge = await challengeOf(validations, work);
  const rules = rulesOf(work.profile, settings);
  if (settings.delayMs && !(await pause(validations, settings.delayMs))) return undefined;
  for (const delayMs of [...settings.retryDelaysMs, undefined]) {
    const verdict = await validate(challenge, rules, stopping.signal);
    if (stopping.signal.aborted) return undefined;
    if (verdict.ok || !verdict.mayChange || delayMs === undefined) return verdict;
    log.debug({ challenge: work.type, problem: verdict.problem }, 'a challenge is tried again');
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

/** Answers false when the platform stops meanwhile. */
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

/** Why an order cannot be completed any more: the failed proof, as a problem within one (RFC 8555 §7.1.3, §6.7.1). */
const orderProblem = (problem: StoredProblem): StoredProblem => ({
  type: problem.type,
  detail: detailOfSubproblems([problem]),
  subproblems: [problem],
});

/** The rules of a profile. */
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
