// Queries for the credential pages.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const credentialListQuery = queryOptions({
  queryKey: ['credentials', 'list'],
  queryFn: ({ signal }) => api.credentials.listCredentials({}, { signal }),
});

export const credentialQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['credentials', 'one', uuid],
    queryFn: ({ signal }) => api.credentials.getCredential({ params: { uuid } }, { signal }),
  });
