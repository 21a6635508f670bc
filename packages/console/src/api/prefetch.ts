// Fetches data and scripts before they are needed.
import type { Resource } from '@signetry/contract';
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { profileQuery } from './session.ts';

/**
 * Prefetches a page's data while its script is loading. Data that the user is not permitted to list is not requested;
 * if a prefetch is rejected, the page itself shows the error.
 */
export async function prefetch<Answer, Key extends QueryKey>(
  resource: Resource,
  query: FetchQueryOptions<Answer, Error, Answer, Key>,
): Promise<void> {
  const profile = await queryClient.ensureQueryData(profileQuery).catch(() => undefined);
  if (profile?.permissions.allowedListings.includes(resource)) await queryClient.prefetchQuery(query);
}

/** Delay before idle loading starts, so that the first page does not have to share the network. */
const CALM_MS = 1_000;

/** Loads the scripts one after another, each when the browser is idle. */
export function loadWhenIdle(scripts: readonly (() => Promise<unknown> | undefined)[]): void {
  // Safari does not support `requestIdleCallback`.
  const whenIdle = window.requestIdleCallback ?? ((next: () => void) => setTimeout(next, CALM_MS));
  const loadFrom = (place: number): void => {
    const script = scripts[place];
    if (script)
      whenIdle(() => {
        // If a script fails to load, it is requested again when its page is opened.
        void Promise.resolve(script())
          .catch(() => undefined)
          .then(() => loadFrom(place + 1));
      });
  };
  setTimeout(() => loadFrom(0), CALM_MS);
}
