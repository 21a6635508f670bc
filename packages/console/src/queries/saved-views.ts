// Queries for the user's saved views.
import type { SavedViewResource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Search parameter of lists that support views. */
export interface WithView {
  /** The selected view, or `all` to override the default view. */
  readonly view?: string;
}

/** Opens the list without a view, even if there is a default view. */
export const NO_VIEW = 'all';

/** Reads the search parameter. URLs are untrusted, so malformed values are dropped. */
export const readView = (view: unknown): WithView =>
  typeof view === 'string' && /^(?:all|[\da-f-]{36})$/i.test(view) ? { view } : {};

/** Views stay fresh for long because only the user can change them. */
const FRESH_MS = 300_000;

export const savedViewsQuery = (resource: SavedViewResource) =>
  queryOptions({
    queryKey: ['savedViews', resource],
    queryFn: ({ signal }) => api.savedViews.listSavedViews({ query: { resource } }, { signal }),
    staleTime: FRESH_MS,
  });
