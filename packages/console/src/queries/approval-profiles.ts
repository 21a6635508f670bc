// Queries of approval profiles, and of the one that an RA profile has.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** As many as the platform answers at once; there are few. */
const ALL = { itemsPerPage: 1000, pageNumber: 1 } as const;

export const approvalProfileListQuery = queryOptions({
  queryKey: ['approvalProfiles', 'list'],
  queryFn: async ({ signal }) =>
    (await api.approvalProfiles.listApprovalProfiles({ query: ALL }, { signal })).approvalProfiles,
});

/** The latest version when none is given. */
export const approvalProfileQuery = (uuid: string, version?: number) =>
  queryOptions({
    queryKey: ['approvalProfiles', 'one', uuid, version ?? 'latest'],
    queryFn: ({ signal }) =>
      api.approvalProfiles.getApprovalProfile(
        { params: { uuid }, query: version === undefined ? {} : { version } },
        { signal },
      ),
  });

/** Null where nothing waits for approval. */
export const approvalProfileOfQuery = (place: { readonly authorityUuid: string; readonly raProfileUuid: string }) =>
  queryOptions({
    queryKey: ['approvalProfiles', 'of', place.raProfileUuid],
    queryFn: async ({ signal }) =>
      (await api.raProfileApprovals.getAssociatedApprovalProfiles({ params: place }, { signal }))[0] ?? null,
  });
