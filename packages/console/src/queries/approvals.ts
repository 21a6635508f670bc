// Queries for approvals. Their keys share a prefix, so a decision refetches all of them.
import type { ApprovalDto, ApprovalResponseDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { ApprovalSearch, ApprovalTab } from './approval-search.ts';

export const APPROVALS_KEY = ['approvals'] as const;

export const APPROVALS_PER_PAGE = 25;

/** Polling intervals for the count in the menu and for pending approvals on a page. */
const COUNT_MS = 60_000;
const WATCH_MS = 15_000;
/** Cached for longer, because whether the user was ever asked to approve rarely changes. */
const INVOLVED_FRESH_MS = 600_000;

/** Approval with a `uuid`, because list rows are keyed by it. */
export interface ListedApproval extends ApprovalDto {
  readonly uuid: string;
}

const withUuid = <Approval extends ApprovalDto>(approval: Approval) => ({ ...approval, uuid: approval.approvalUuid });

const withUuids = ({ approvals, ...paging }: ApprovalResponseDto) => ({
  ...paging,
  approvals: approvals.map(withUuid),
});

type Page = { readonly itemsPerPage: number; readonly pageNumber: number };

const ask: Readonly<Record<ApprovalTab, (query: Page, signal: AbortSignal) => Promise<ApprovalResponseDto>>> = {
  waiting: (query, signal) => api.approvals.listUserApprovals({ query }, { signal }),
  history: (query, signal) => api.approvals.listUserApprovals({ query: { ...query, history: true } }, { signal }),
  all: (query, signal) => api.approvals.listApprovals({ query }, { signal }),
};

/** Approvals, newest first. */
export const approvalListQuery = ({ tab = 'waiting', page = 1 }: ApprovalSearch) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'list', tab, page],
    queryFn: async ({ signal }) =>
      withUuids(await ask[tab]({ itemsPerPage: APPROVALS_PER_PAGE, pageNumber: page }, signal)),
    placeholderData: keepPreviousData,
  });

const countOf = async (tab: ApprovalTab, signal: AbortSignal): Promise<number> =>
  (await ask[tab]({ itemsPerPage: 1, pageNumber: 1 }, signal)).totalItems;

/** Number of approvals awaiting the user's decision. */
export const waitingCountQuery = queryOptions({
  queryKey: [...APPROVALS_KEY, 'waitingCount'],
  queryFn: ({ signal }) => countOf('waiting', signal),
  refetchInterval: COUNT_MS,
  retry: false,
});

/** Whether the user was ever asked to approve a request. */
export const isApproverQuery = queryOptions({
  queryKey: [...APPROVALS_KEY, 'wasAsked'],
  queryFn: async ({ signal }) => (await countOf('history', signal)) > 0,
  staleTime: INVOLVED_FRESH_MS,
  retry: false,
});

/** Polled while pending, because other users can decide in the meantime. */
export const approvalQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'one', uuid],
    queryFn: async ({ signal }) => withUuid(await api.approvals.getApproval({ params: { uuid } }, { signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? WATCH_MS : false),
  });

/** The most recent approvals of a certificate, newest first; older ones are omitted. */
export const certificateApprovalsQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'certificate', uuid],
    queryFn: async ({ signal }) => {
      const query = { itemsPerPage: APPROVALS_PER_PAGE, pageNumber: 1 };
      return withUuids(await api.certificates.listCertificateApprovals({ params: { uuid }, query }, { signal }))
        .approvals;
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'PENDING') ? WATCH_MS : false),
  });
