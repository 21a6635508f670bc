// Fast path for a challenge response when this node knows the authorization and its target responds immediately.
// Nothing is read before the validation, and a single statement after it records the nonce and the result.
import type { Platform } from '../../../platform/platform.ts';
import type { AccountUrlsOf } from '../model/account-urls.ts';
import type { ChallengeType } from '../model/vocabulary.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall } from '../requests/call.ts';
import type { CaaSettings } from '../validation/caa-default.ts';
import type { OpenAuthorizations } from './open-authorizations.ts';
import { offeredChallenges, type Offers } from './present.ts';
import type { AuthorizationStatements, AuthorizationView, ChallengeResult } from './store.ts';
import { validationSubject, type ChallengeWork, type ValidationWork } from './validation-work.ts';

/**
 * Maximum time that a request waits for the result: well-behaved targets respond within milliseconds, and impatient
 * clients time out after 5 s.
 */
export const WAIT_MS = 1_500;

export interface DecideAtOnceParts {
  readonly platform: Platform;
  readonly validation: ValidationWork;
  readonly authorizations: AuthorizationStatements;
  readonly open: OpenAuthorizations;
  readonly addressesOf: AccountUrlsOf;
  readonly settings: CaaSettings;
}

type DecideAtOnce = (
  call: AccountCall,
  uuid: string,
  asked: { readonly type: ChallengeType; readonly offers: Offers },
) => Promise<AuthorizationView | undefined>;

/**
 * Returns undefined if the authorization must be read because it is unknown on this node, not decided in time, or
 * decided elsewhere.
 */
export function createDecideAtOnce(parts: DecideAtOnceParts): DecideAtOnce {
  const { validation, authorizations, open, addressesOf } = parts;
  const { clock, limits } = parts.platform;

  return async function decideAtOnce(call, uuid, { type, offers }) {
    if (call.payload === undefined) return undefined;
    const authorization = open.take(call, uuid, clock.now());
    if (!authorization || !offeredChallenges(authorization, offers).includes(type)) return undefined;
    payloadObject(call);
    await limits.acmeFailedValidations.assertOpen(validationSubject({ account: call.account, authorization }));
    // This request's nonce can be recorded only together with the result of its own validation.
    if (validation.isKnown(uuid)) return undefined;
    let isLate = false;
    const record = (result: ChallengeResult) =>
      isLate ? validation.record(result) : authorizations.decide(call, result);
    const work = validation.run({ ...workOf(call, { authorization, type, addressesOf }), record });
    const decided = await waitAtMost(work, WAIT_MS);
    if (decided !== 'late') return decided;
    isLate = true;
    deferToLease(parts, work);
    return undefined;
  };
}

export function workOf(
  call: AccountCall,
  facts: Pick<ChallengeWork, 'authorization' | 'type'> & { readonly addressesOf: AccountUrlsOf },
): ChallengeWork {
  const { account, profile, context } = call;
  const { authorization, type, addressesOf } = facts;
  const { accountId, key } = account;
  const addresses = addressesOf({ accountId, profile, origin: context.origin ?? undefined });
  return { authorization, type, thumbprint: key.thumbprint, account, addresses, profile, context };
}

export async function waitAtMost<Result>(work: Promise<Result>, waitMs: number): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, waitMs), 'late');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Leaves a validation that no request waits for any longer; if it cannot be decided, another process takes it over. */
export function deferToLease({ platform }: Pick<DecideAtOnceParts, 'platform'>, work: Promise<unknown>): void {
  work.catch((error: unknown) =>
    platform.log.error({ error }, 'a challenge could not be decided; its lease will expire'),
  );
}
