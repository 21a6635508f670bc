// Queries of the views that the user saved.
import type { SavedViewResource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** They change by the user's own hand. */
const FRESH_MS = 300_000;

export const savedViewsQuery = (resource: SavedViewResource) =>
  queryOptions({
    queryKey: ['savedViews', resource],
    queryFn: ({ signal }) => api.savedViews.listSavedViews({ query: { resource } }, { signal }),
    staleTime: FRESH_MS,
  });
