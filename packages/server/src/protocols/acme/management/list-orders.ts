// Lists an ACME profile's orders for administrators.
import type { AcmeOrderPage, AcmeOrderStatus, ListedAcmeOrder } from '@signetry/contract';
import { pageFacts, pageOffset, readPage, type PageRequest } from '../../../kernel/page.ts';
import type { AcmeProfiles } from '../../../areas/acme-profiles/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { StoredProblem } from '../model/vocabulary.ts';
import { impliedProblem } from '../orders/present.ts';
import { countListed, findAccounts, findOrders, type ListedOrder } from './store-orders.ts';

export interface OrderQuery extends PageRequest {
  readonly accountUuid?: string | undefined;
  readonly status?: AcmeOrderStatus | undefined;
}

export type OrderList = ReturnType<typeof createOrderList>;

export function createOrderList(
  { database: { executor }, clock }: Pick<Platform, 'database' | 'clock'>,
  { acmeProfiles }: { readonly acmeProfiles: Pick<AcmeProfiles, 'nameOf'> },
) {
  return async function list(acmeProfileUuid: string, query: OrderQuery): Promise<AcmeOrderPage> {
    const page = readPage(query);
    const now = clock.now();
    await acmeProfiles.nameOf(acmeProfileUuid); // Ensures that the profile exists.
    const { accountUuid, status } = query;
    const asked = { acmeProfileUuid, accountUuid, status, now };
    const listing = { ...asked, accounts: await findAccounts(executor, asked) };
    const offset = pageOffset(page);
    const rows = await findOrders(executor, listing, { offset, limit: page.itemsPerPage });
    // A page that is not full is the last one, unless it is beyond the end.
    const isLast = rows.length < page.itemsPerPage && (rows.length > 0 || offset === 0);
    const totalItems = isLast ? offset + rows.length : await countListed(executor, listing);
    return { ...pageFacts(page, totalItems), orders: rows.map((row) => presentListed(row, now)) };
  };
}

const presentListed = (row: ListedOrder, now: Date): ListedAcmeOrder => ({
  uuid: row.uuid,
  accountUuid: row.account_uuid,
  accountId: row.account_id,
  names: row.identifiers.map(({ value }) => value),
  profile: row.profile ?? undefined,
  status: row.shown_status,
  error: row.shown_status === 'invalid' ? describeProblem(row.error ?? impliedProblem(row, now)) : undefined,
  certificateUuid: row.certificate_uuid ?? undefined,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});

/** Returns the error text, with the affected name. */
export const describeProblem = ({ detail, identifier, subproblems = [] }: StoredProblem): string =>
  subproblems.length > 0
    ? subproblems.map(describeProblem).join(' ')
    : identifier
      ? `${identifier.value}: ${detail}`
      : detail;
