// Queries of approvals. All keys begin with the same word: a decision fetches all of them again.
import type { ApprovalDto, ApprovalResponseDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { ApprovalSearch, ApprovalTab } from './approval-search.ts';

export const APPROVALS_KEY = ['approvals'] as const;

export const APPROVALS_PER_PAGE = 25;

/** How often the number beside the menu entry is asked for, and what waits on a page. */
const COUNT_MS = 60_000;
const WATCH_MS = 15_000;
/** Whether somebody was ever asked changes seldom. */
const INVOLVED_FRESH_MS = 600_000;

/** Rows of lists are known by `uuid`. */
export interface ListedApproval extends ApprovalDto {
  readonly uuid: string;
}

const withUuid = <Approval extends ApprovalDto>(approval: Approval) => ({ ...approval, uuid: approval.approvalUuid });

const listed = ({ approvals, ...paging }: ApprovalResponseDto) => ({ ...paging, approvals: approvals.map(withUuid) });

type Page = { readonly itemsPerPage: number; readonly pageNumber: number };

const ask: Readonly<Record<ApprovalTab, (query: Page, signal: AbortSignal) => Promise<ApprovalResponseDto>>> = {
  waiting: (query, signal) => api.approvals.listUserApprovals({ query }, { signal }),
  history: (query, signal) => api.approvals.listUserApprovals({ query: { ...query, history: true } }, { signal }),
  all: (query, signal) => api.approvals.listApprovals({ query }, { signal }),
};

/** The newest first. */
export const approvalListQuery = ({ tab = 'waiting', page = 1 }: ApprovalSearch) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'list', tab, page],
    queryFn: async ({ signal }) =>
      listed(await ask[tab]({ itemsPerPage: APPROVALS_PER_PAGE, pageNumber: page }, signal)),
    placeholderData: keepPreviousData,
  });

const countOf = async (tab: ApprovalTab, signal: AbortSignal): Promise<number> =>
  (await ask[tab]({ itemsPerPage: 1, pageNumber: 1 }, signal)).totalItems;

/** How many wait for a decision of the user. */
export const waitingCountQuery = queryOptions({
  queryKey: [...APPROVALS_KEY, 'waitingCount'],
  queryFn: ({ signal }) => countOf('waiting', signal),
  refetchInterval: COUNT_MS,
  retry: false,
});

/** Whether the user was asked for a decision before. */
export const wasAskedQuery = queryOptions({
  queryKey: [...APPROVALS_KEY, 'wasAsked'],
  queryFn: async ({ signal }) => (await countOf('history', signal)) > 0,
  staleTime: INVOLVED_FRESH_MS,
  retry: false,
});

/** Others may decide meanwhile. */
export const approvalQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'one', uuid],
    queryFn: async ({ signal }) => withUuid(await api.approvals.getApproval({ params: { uuid } }, { signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? WATCH_MS : false),
  });

/** Of a certificate, the newest first; older ones than these are left out. */
export const certificateApprovalsQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'certificate', uuid],
    queryFn: async ({ signal }) => {
      const query = { itemsPerPage: APPROVALS_PER_PAGE, pageNumber: 1 };
      return listed(await api.certificates.listCertificateApprovals({ params: { uuid }, query }, { signal })).approvals;
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'PENDING') ? WATCH_MS : false),
  });
