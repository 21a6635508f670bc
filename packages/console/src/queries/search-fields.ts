// The fields that lists can be filtered by, with the values that there are.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Values come and go with the objects of the list; the platform remembers them for a while too. */
const FRESH_MS = 60_000;

export const certificateFieldsQuery = queryOptions({
  queryKey: ['certificates', 'fields'],
  queryFn: ({ signal }) => api.certificates.getCertificateSearchFields({}, { signal }),
  staleTime: FRESH_MS,
});

export const keyFieldsQuery = queryOptions({
  queryKey: ['keys', 'fields'],
  queryFn: ({ signal }) => api.keys.getKeySearchFields({}, { signal }),
  staleTime: FRESH_MS,
});
