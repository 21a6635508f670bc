// Queries for bulk certificate changes. Running changes are polled.
import type { CertificateChangeDetail } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const POLL_MS = 1_000;

export const changeListQuery = queryOptions({
  queryKey: ['certificate-changes', 'list'],
  queryFn: ({ signal }) => api.certificateChanges.listCertificateChanges({}, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ finishedAt }) => finishedAt === undefined) === true ? 2 * POLL_MS : false,
});

export const changeQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['certificate-changes', 'one', uuid],
    queryFn: ({ signal }): Promise<CertificateChangeDetail> =>
      api.certificateChanges.getCertificateChange({ params: { uuid } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.finishedAt === undefined ? POLL_MS : false),
  });
