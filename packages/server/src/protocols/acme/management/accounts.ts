// Use cases of administrators on accounts. A disabled account can be enabled again; a revoked one stays revoked.
import type { AcmeAccountListResponseDto, AcmeAccountResponseDto } from '@signetry/contract';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import { requirePermission } from '../../../areas/identity/index.ts';
import type { RaProfileFacts, RaProfiles } from '../../../areas/ra-profiles/index.ts';
import { isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { StoredProblem } from '../model/vocabulary.ts';
import { presentListedAccount, presentManagedAccount } from './present-account.ts';
import * as store from './store-accounts.ts';
import type { AccountKey, LockedAccount } from './store-accounts.ts';

export interface AccountManagementParts {
  readonly audit: AuditTrail;
  readonly raProfiles: RaProfiles;
  /** Told of the identifiers in URLs of accounts that were changed, after the change was committed. */
  readonly onChange: (accountIds: readonly string[]) => void;
}

/** Why open orders of a revoked account end. */
const REVOKED: StoredProblem = { type: 'unauthorized', detail: 'An administrator revoked the account of this order.' };

export type AccountManagement = ReturnType<typeof createAccountManagement>;

export function createAccountManagement({ database, clock }: Platform, parts: AccountManagementParts) {
  const { audit, raProfiles, onChange } = parts;

  /** Accounts of the profiles that the caller may list. */
  async function list({ actor }: RequestContext): Promise<AcmeAccountListResponseDto[]> {
    const profiles = visibleObjects(actor.permissions, 'acmeProfiles', 'list');
    const all = await store.findAll(database.executor);
    const rows = all.filter(({ acme_profile_uuid: uuid }) => isVisible(profiles, uuid));
    const orders = await store.countOrders(database.executor);
    const used = new Set(rows.flatMap(({ issuing_ra_profile_uuid: uuid }) => (uuid === null ? [] : [uuid])));
    const known = new Map<string | null, RaProfileFacts>(
      (await raProfiles.findMany([...used])).map((facts) => [facts.uuid, facts]),
    );
    return rows.map((row) =>
      presentListedAccount(row, {
        raProfile: known.get(row.issuing_ra_profile_uuid),
        orders: orders.get(row.uuid) ?? 0,
      }),
    );
  }

  async function detail(key: AccountKey): Promise<AcmeAccountResponseDto> {
    const row = await store.findOne(database.executor, key);
    if (!row) throw notFound('ACME account', key.acmeAccountUuid);
    const raProfileUuid = row.issuing_ra_profile_uuid;
    return presentManagedAccount(row, {
      raProfile: raProfileUuid === null ? undefined : await raProfiles.findByUuid(raProfileUuid),
      orders: await store.countByStatus(database.executor, row.uuid, clock.now()),
    });
  }

  /** Where it is so already nothing changes. */
  const setEnabled = (key: AccountKey, enabled: boolean, context: RequestContext): Promise<void> =>
    changeOne(key, (tx, row) => applyEnabled(tx, { rows: [row], enabled, context }));

  /** Unknown accounts are skipped, here and below, so that a repeated call ends in the same state. */
  const setEnabledMany = (uuids: readonly string[], enabled: boolean, context: RequestContext): Promise<void> =>
    changeMany(uuids, context, (tx, rows) => applyEnabled(tx, { rows, enabled, context }));

  async function applyEnabled(
    tx: Executor,
    { rows, enabled, context }: { rows: readonly LockedAccount[]; enabled: boolean; context: RequestContext },
  ): Promise<void> {
    const changing = rows.filter((row) => row.enabled !== enabled);
    if (changing.length === 0) return;
    await store.setEnabled(tx, uuidsOf(changing), { enabled, at: clock.now() });
    await record(tx, changing, context);
  }

  /** Revoking once more changes nothing; an account that its client deactivated has ended and is refused. */
  const revoke = (key: AccountKey, context: RequestContext): Promise<void> =>
    changeOne(key, (tx, row) => {
      if (row.status === 'deactivated')
        throw new AppError('invalid_state', {
          what: 'ACME account',
          name: row.account_id,
          state: 'deactivated by its client',
          needed: 'a valid account',
        });
      return applyRevocation(tx, { rows: [row], context });
    });

  const revokeMany = (uuids: readonly string[], context: RequestContext): Promise<void> =>
    changeMany(uuids, context, (tx, rows) => applyRevocation(tx, { rows, context }));

  /** As for a single account, the caller must see the profile of each. */
  const changeMany = (
    uuids: readonly string[],
    context: RequestContext,
    work: (tx: Executor, rows: readonly LockedAccount[]) => Promise<void>,
  ): Promise<void> =>
    change(uuids, (tx, rows) => {
      const objects = [...new Set(rows.map((row) => row.acme_profile_uuid))];
      if (objects.length > 0) requirePermission(context, { resource: 'acmeProfiles', action: 'detail', objects });
      return work(tx, rows);
    });

  async function applyRevocation(
    tx: Executor,
    { rows, context }: { rows: readonly LockedAccount[]; context: RequestContext },
  ): Promise<void> {
    const valid = rows.filter(({ status }) => status === 'valid');
    if (valid.length === 0) return;
    await store.revoke(tx, uuidsOf(valid), { problem: REVOKED, at: clock.now() });
    await record(tx, valid, context);
  }

  const changeOne = (key: AccountKey, work: (tx: Executor, row: LockedAccount) => Promise<void>): Promise<void> =>
    change([key.acmeAccountUuid], async (tx, [row]) => {
      if (row?.acme_profile_uuid !== key.acmeProfileUuid.toLowerCase())
        throw notFound('ACME account', key.acmeAccountUuid);
      await work(tx, row);
    });

  async function change(
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

  const record = (tx: Executor, rows: readonly LockedAccount[], context: RequestContext): Promise<void> =>
    audit.append(tx, context, {
      objects: rows.map(({ uuid, account_id }) => ({ uuid, name: account_id })),
      affiliated: {
        resource: 'acmeProfiles',
        objects: [...new Set(rows.map((row) => row.acme_profile_uuid))].map((uuid) => ({ uuid })),
      },
    });

  return { list, detail, setEnabled, setEnabledMany, revoke, revokeMany };
}

const uuidsOf = (rows: readonly LockedAccount[]): string[] => rows.map(({ uuid }) => uuid);
