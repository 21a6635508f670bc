// Just-in-time validation (draft-ietf-acme-dns-persist-02 §4.4): the dns-persist-01 record exists before the order, so
// if an account has used such a record before, its authorizations are validated without a challenge. Anything that does
// not succeed immediately is left to the challenges and does not count as a failure.
import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../platform/platform.ts';
import { findForPrevalidation, type AuthorizationView } from '../authorizations/store.ts';
import type { ValidationWork } from '../authorizations/validation-work.ts';
import type { AccountUrlsOf } from '../model/account-urls.ts';
import type { AccountCall } from '../requests/call.ts';
import { offersOf, type CaaSettings } from '../validation/caa-default.ts';

/** Maximum time to wait: the order waits for the validation, and the client waits for the order. */
const LIMIT_MS = 1_500;
/** Limit per name across all accounts, because the zone's owner did not request these queries. */
const LOOKS_PER_NAME = 10;
const LOOKS_WITHIN_MS = 60_000;
const MAX_NAMES = 10_000;

export interface PrevalidateParts {
  readonly platform: Platform;
  readonly validation: ValidationWork;
  readonly addressesOf: AccountUrlsOf;
  readonly settings: CaaSettings;
}

/** Returns the number of authorizations that were validated. */
export type Prevalidate = (call: AccountCall, authorizationUuids: readonly string[]) => Promise<number>;

export function createPrevalidate({ platform, validation, addressesOf, settings }: PrevalidateParts): Prevalidate {
  const looks = new LRUCache<string, number>({ max: MAX_NAMES, ttl: LOOKS_WITHIN_MS, noUpdateTTL: true });

  function canLookUp({ identifier_value: name }: AuthorizationView): boolean {
    const soFar = looks.get(name) ?? 0;
    looks.set(name, soFar + 1);
    return soFar < LOOKS_PER_NAME;
  }

  async function prevalidateAll(call: AccountCall, authorizationUuids: readonly string[]): Promise<number> {
    const { account, profile, context } = call;
    const asked = { uuids: authorizationUuids, accountUuid: account.uuid };
    const pending = (await findForPrevalidation(platform.database.executor, asked)).filter(canLookUp);
    const signal = AbortSignal.timeout(LIMIT_MS);
    const addresses = addressesOf({
      accountId: account.accountId,
      profile,
      origin: context.origin ?? undefined,
    });
    const thumbprint = account.key.thumbprint;
    const proven = await Promise.all(
      pending.map((authorization) =>
        validation.runAhead(
          { authorization, type: 'dns-persist-01', thumbprint, account, addresses, profile, context },
          signal,
        ),
      ),
    );
    return proven.filter(Boolean).length;
  }

  return async (call, authorizationUuids) => {
    if (!offersOf(call.profile, settings).additionalChallenges.includes('dns-persist-01')) return 0;
    try {
      return await prevalidateAll(call, authorizationUuids);
    } catch (error) {
      // The order has been placed; the client completes the authorizations that are still pending.
      platform.log.error({ error }, 'cannot validate names of an ACME order ahead of their challenges');
      return 0;
    }
  };
}
