// Accounts, as administrators see them.
import type { AcmeAccountListResponseDto, AcmeAccountResponseDto, FoundAcmeAccount } from '@signetry/contract';
import type { RaProfileFacts, RaProfiles } from '../../../areas/ra-profiles/index.ts';
import { isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { presentListedAccount, presentManagedAccount } from './present-account.ts';
import * as store from './store-accounts.ts';

export type AccountQueries = ReturnType<typeof createAccountQueries>;

export function createAccountQueries(
  { database, clock }: Platform,
  { raProfiles }: { readonly raProfiles: Pick<RaProfiles, 'findMany' | 'findByUuid'> },
) {
  /** Returns the accounts under profiles that the caller can list. */
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

  async function find(
    { text, limit }: { readonly text: string; readonly limit: number },
    context: RequestContext,
  ): Promise<FoundAcmeAccount[]> {
    const rows = await store.findByText(database.executor, { text, limit, ...visibleAccountsFor(context) });
    return rows.map((row) => ({
      uuid: row.uuid,
      accountId: row.account_id,
      acmeProfileUuid: row.acme_profile_uuid,
      acmeProfileName: row.profile_name,
    }));
  }

  async function detail(key: store.AccountKey): Promise<AcmeAccountResponseDto> {
    const row = await store.findOne(database.executor, key);
    if (!row) throw notFound('ACME account', key.acmeAccountUuid);
    const raProfileUuid = row.issuing_ra_profile_uuid;
    return presentManagedAccount(row, {
      raProfile: raProfileUuid === null ? undefined : await raProfiles.findByUuid(raProfileUuid),
      orders: await store.countByStatus(database.executor, row.uuid, clock.now()),
    });
  }

  return { list, find, detail };
}

export const listAccountIds = (executor: Executor, context: RequestContext): Promise<string[]> =>
  store.findAccountIds(executor, visibleAccountsFor(context));

/** Accounts belong to profiles: listing them requires permission to list both. */
const visibleAccountsFor = ({ actor }: RequestContext): store.VisibleAccounts => ({
  accounts: visibleObjects(actor.permissions, 'acmeAccounts', 'list'),
  profiles: visibleObjects(actor.permissions, 'acmeProfiles', 'list'),
});
