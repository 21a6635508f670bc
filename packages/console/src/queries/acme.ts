// Queries for the ACME pages. Their keys share a prefix, so any change refetches all of them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { OrderSearch } from './order-search.ts';

export const ACME_KEY = ['acme'] as const;

export const profileListQuery = queryOptions({
  queryKey: [...ACME_KEY, 'profiles'],
  queryFn: ({ signal }) => api.acmeProfiles.listAcmeProfiles({}, { signal }),
});

export const profileQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...ACME_KEY, 'profile', uuid],
    queryFn: ({ signal }) => api.acmeProfiles.getAcmeProfile({ params: { uuid } }, { signal }),
  });

export const eabKeysQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...ACME_KEY, 'eab-keys', uuid],
    queryFn: ({ signal }) => api.acmeEabKeys.listAcmeEabKeys({ params: { uuid } }, { signal }),
  });

/** Query for accounts whose identifier contains the text, up to the limit. */
export const accountSearchQuery = (text: string, limit: number) =>
  queryOptions({
    queryKey: [...ACME_KEY, 'account-search', { text, limit }],
    queryFn: ({ signal }) => api.acmeAccountSearch.findAcmeAccounts({ query: { text, limit } }, { signal }),
    placeholderData: keepPreviousData,
  });

export const accountsQuery = (profileUuid: string) =>
  queryOptions({
    // Accounts of all profiles, newest first.
    queryKey: [...ACME_KEY, 'accounts'],
    queryFn: ({ signal }) => api.acmeAccounts.listAcmeAccounts({}, { signal }),
    select: (accounts) => accounts.filter(({ acmeProfileUuid }) => acmeProfileUuid === profileUuid),
  });

export const accountQuery = (acmeProfileUuid: string, acmeAccountUuid: string) =>
  queryOptions({
    queryKey: [...ACME_KEY, 'account', acmeAccountUuid],
    queryFn: ({ signal }) =>
      api.acmeAccounts.getAcmeAccount({ params: { acmeProfileUuid, acmeAccountUuid } }, { signal }),
  });

export const ORDERS_PER_PAGE = 25;

/** Orders, newest first, optionally only those of a single account. */
export const ordersQuery = (uuid: string, { status, page = 1 }: OrderSearch, accountUuid?: string) =>
  queryOptions({
    queryKey: [...ACME_KEY, 'orders', uuid, { status, page, accountUuid }],
    queryFn: ({ signal }) =>
      api.acmeOrders.listAcmeOrders(
        {
          params: { uuid },
          query: {
            ...(status === undefined ? {} : { status }),
            ...(accountUuid === undefined ? {} : { accountUuid }),
            itemsPerPage: ORDERS_PER_PAGE,
            pageNumber: page,
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    // Polled while a certificate is being issued.
    refetchInterval: ({ state }) =>
      state.data?.orders.some(({ status: now }) => now === 'processing') ? 2_000 : false,
  });

/** The root certificate, which is public. */
export const rootCertificateQuery = queryOptions({
  queryKey: ['root-certificate'],
  queryFn: async ({ signal }) => {
    const answer = await fetch('/root-ca.pem', { signal });
    if (!answer.ok) throw new Error(`Cannot fetch the root certificate: HTTP status ${answer.status}.`);
    const pem = await answer.text();
    return { pem, fingerprint: await sha256Fingerprint(pem) };
  },
  staleTime: Infinity,
});

/** Returns undefined if the browser has no Web Crypto API, as on pages loaded from another machine without TLS. */
async function sha256Fingerprint(pem: string): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const der = Uint8Array.from(atob(pem.replaceAll(/-----[^-]+-----|\s/g, '')), (char) => char.charCodeAt(0));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', der)).toHex();
}
