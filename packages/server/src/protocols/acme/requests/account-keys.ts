// Cache of account keys and their accounts' immutable data. Each request's own statement verifies the rest, so entries
// can be cached for a long time; the number of entries is bounded.
import { readJwk } from '@signetry/pki';
import type { Clock } from '../../../kernel/clock.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { EabKeys, NamePolicy } from '../../../areas/acme-profiles/index.ts';
import type { AccountKey } from './call.ts';
import { sha256 } from '../model/sha256.ts';
import type { AcmeAccountRow } from '../model/tables.ts';
import { findByAccountId } from './store-account-keys.ts';

const TTL_MS = 10 * 60_000;
const MAX_ACCOUNTS = 10_000;

export type AccountKeys = ReturnType<typeof createAccountKeys>;

export interface AccountKeysParts {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly eabKeys: Pick<EabKeys, 'namePolicyOf'>;
}

export function createAccountKeys({ executor, clock, eabKeys }: AccountKeysParts) {
  const cache = createExpiringCache({
    clock,
    ttlMs: TTL_MS,
    maxEntries: MAX_ACCOUNTS,
    load: async (accountId: string): Promise<AccountKey | undefined> => {
      const row = await findByAccountId(executor, accountId);
      if (!row) return undefined;
      const namePolicy = row.eab_key_uuid === null ? undefined : await eabKeys.namePolicyOf(row.eab_key_uuid);
      return accountKeyOf(row, namePolicy);
    },
  });

  return {
    /**
     * Returns the account, after `check` accepted it. The cached data may predate a change on another node (key
     * changed, account enabled), so a rejection is final only if it also holds for the current row.
     */
    async findCurrent(accountId: string, check: (account: AccountKey | undefined) => AccountKey): Promise<AccountKey> {
      const remembered = await cache.get(accountId);
      try {
        return check(remembered);
      } catch (error) {
        cache.invalidate(accountId);
        const current = await cache.get(accountId);
        if (!current) cache.invalidate(accountId);
        if (isSame(remembered, current)) throw error;
        return check(current);
      }
    },
    forget: (accountId: string): void => cache.invalidate(accountId),
  };
}

const isSame = (a: AccountKey | undefined, b: AccountKey | undefined): boolean =>
  a?.key.thumbprint === b?.key.thumbprint && a?.status === b?.status && a?.enabled === b?.enabled;

const accountKeyOf = (row: AcmeAccountRow, namePolicy: NamePolicy | undefined): AccountKey => ({
  uuid: row.uuid,
  accountId: row.account_id,
  acmeProfileUuid: row.acme_profile_uuid,
  raProfileUuid: row.ra_profile_uuid,
  status: row.status,
  enabled: row.enabled,
  key: readJwk(row.jwk, sha256),
  namePolicy,
  eabKeyUuid: row.eab_key_uuid ?? undefined,
});
