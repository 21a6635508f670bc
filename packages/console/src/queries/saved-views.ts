// Queries of the views that the user saved.
import type { SavedViewResource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Of the search parameters of a list that has views. */
export interface InView {
  /** The saved view that was chosen, or `all` where none was although one is the default. */
  readonly view?: string;
}

/** No view, where the list would open with one otherwise. */
export const NO_VIEW = 'all';

/** URLs come from anywhere; what cannot be read is dropped. */
export const readView = (view: unknown): InView =>
  typeof view === 'string' && /^(?:all|[\da-f-]{36})$/i.test(view) ? { view } : {};

/** They change by the user's own hand. */
const FRESH_MS = 300_000;

export const savedViewsQuery = (resource: SavedViewResource) =>
  queryOptions({
    queryKey: ['savedViews', resource],
    queryFn: ({ signal }) => api.savedViews.listSavedViews({ query: { resource } }, { signal }),
    staleTime: FRESH_MS,
  });
