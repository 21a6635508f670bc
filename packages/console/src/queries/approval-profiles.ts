// Queries for approval profiles, and for the one assigned to an RA profile.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Maximum page size of the platform. There are few approval profiles, so one page contains all of them. */
const ALL = { itemsPerPage: 1000, pageNumber: 1 } as const;

export const approvalProfileListQuery = queryOptions({
  queryKey: ['approvalProfiles', 'list'],
  queryFn: async ({ signal }) =>
    (await api.approvalProfiles.listApprovalProfiles({ query: ALL }, { signal })).approvalProfiles,
});

/** Returns the latest version unless one is specified. */
export const approvalProfileQuery = (uuid: string, version?: number) =>
  queryOptions({
    queryKey: ['approvalProfiles', 'one', uuid, version ?? 'latest'],
    queryFn: ({ signal }) =>
      api.approvalProfiles.getApprovalProfile(
        { params: { uuid }, query: version === undefined ? {} : { version } },
        { signal },
      ),
  });

/** Null if the RA profile requires no approval. */
export const raProfileApprovalQuery = (place: { readonly authorityUuid: string; readonly raProfileUuid: string }) =>
  queryOptions({
    queryKey: ['approvalProfiles', 'of', place.raProfileUuid],
    queryFn: async ({ signal }) =>
      (await api.raProfileApprovals.getAssociatedApprovalProfiles({ params: place }, { signal }))[0] ?? null,
  });
