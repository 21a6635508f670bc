// Fields that lists can be filtered by, with their current values.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Values change with the list's objects, and the platform caches them for a while as well. */
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
