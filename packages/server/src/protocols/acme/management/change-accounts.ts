// Operations that administrators use to change accounts. A disabled account can be enabled again; a revoked one stays
// revoked.
import type { AuditTrail } from '../../../areas/audit/index.ts';
import { requirePermission } from '../../../areas/identity/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { StoredProblem } from '../model/vocabulary.ts';
import * as store from './store-accounts.ts';
import type { AccountKey, LockedAccount } from './store-accounts.ts';

export interface AccountChangeParts {
  readonly audit: AuditTrail;
  /** Called with the identifiers (as in URLs) of changed accounts, after the change was committed. */
  readonly onChange: (accountIds: readonly string[]) => void;
}

/** Error for the open orders of a revoked account. */
const REVOKED: StoredProblem = { type: 'unauthorized', detail: 'An administrator revoked the account of this order.' };

/** Changes locked accounts; accounts already in the desired state are left unchanged. */
type Change = (tx: Executor, rows: readonly LockedAccount[], context: RequestContext) => Promise<void>;

export type AccountChanges = ReturnType<typeof createAccountChanges>;

export function createAccountChanges({ database, clock }: Platform, { audit, onChange }: AccountChangeParts) {
  const changeEnabled =
    (value: boolean): Change =>
    async (tx, rows, context) => {
      const changing = rows.filter((row) => row.enabled !== value);
      if (changing.length === 0) return;
      await store.setEnabled(tx, uuidsOf(changing), { enabled: value, at: clock.now() });
      await record(audit, tx, { rows: changing, context });
    };

  const revokeValid: Change = async (tx, rows, context) => {
    const valid = rows.filter(({ status }) => status === 'valid');
    if (valid.length === 0) return;
    await store.revoke(tx, uuidsOf(valid), { problem: REVOKED, at: clock.now() });
    await record(audit, tx, { rows: valid, context });
  };

  const revokeUnlessDeactivated: Change = (tx, rows, context) => {
    rows.forEach(assertNotDeactivated);
    return revokeValid(tx, rows, context);
  };

  const changeOne = (key: AccountKey, change: Change, context: RequestContext): Promise<void> =>
    withLocks([key.acmeAccountUuid], async (tx, [row]) => {
      if (row?.acme_profile_uuid !== key.acmeProfileUuid.toLowerCase())
        throw notFound('ACME account', key.acmeAccountUuid);
      await change(tx, [row], context);
    });

  /**
   * Changes multiple accounts, and skips unknown ones. As with a single account, the caller must be able to see each
   * account's profile.
   */
  const changeMany = (uuids: readonly string[], change: Change, context: RequestContext): Promise<void> =>
    withLocks(uuids, (tx, rows) => {
      const objects = profilesOf(rows);
      if (objects.length > 0) requirePermission(context, { resource: 'acmeProfiles', action: 'detail', objects });
      return change(tx, rows, context);
    });

  async function withLocks(
    uuids: readonly string[],
    work: (tx: Executor, rows: readonly LockedAccount[]) => Promise<void>,
  ): Promise<void> {
    const rows = await database.transaction(async (tx) => {
      const locked = await store.lockMany(tx, uuids);
      await work(tx, locked);
      return locked;
    });
    onChange(rows.map(({ account_id }) => account_id));
  }

  return {
    setEnabled: (key: AccountKey, value: boolean, context: RequestContext) =>
      changeOne(key, changeEnabled(value), context),
    setEnabledMany: (uuids: readonly string[], value: boolean, context: RequestContext) =>
      changeMany(uuids, changeEnabled(value), context),
    /** Revoking an account again has no effect; an account deactivated by its client is rejected. */
    revoke: (key: AccountKey, context: RequestContext) => changeOne(key, revokeUnlessDeactivated, context),
    revokeMany: (uuids: readonly string[], context: RequestContext) => changeMany(uuids, revokeValid, context),
  };
}

function assertNotDeactivated({ status, account_id: name }: LockedAccount): void {
  if (status !== 'deactivated') return;
  const needed = 'a valid account';
  throw new AppError('invalid_state', { what: 'ACME account', name, state: 'deactivated by its client', needed });
}

const record = (
  audit: AuditTrail,
  tx: Executor,
  { rows, context }: { readonly rows: readonly LockedAccount[]; readonly context: RequestContext },
): Promise<void> =>
  audit.append(tx, context, {
    objects: rows.map(({ uuid, account_id }) => ({ uuid, name: account_id })),
    affiliated: { resource: 'acmeProfiles', objects: profilesOf(rows).map((uuid) => ({ uuid })) },
  });

const uuidsOf = (rows: readonly LockedAccount[]): string[] => rows.map(({ uuid }) => uuid);
const profilesOf = (rows: readonly LockedAccount[]): string[] => [...new Set(rows.map((row) => row.acme_profile_uuid))];
