// Fetches data and scripts before they are needed.
import type { Resource } from '@signetry/contract';
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { profileQuery } from './session.ts';

/**
 * Prefetches the data of a page while its script is loading. Data that the user is not permitted to list is not
 * requested; the page itself shows a rejection.
 */
export async function askEarly<Answer, Key extends QueryKey>(
  resource: Resource,
  query: FetchQueryOptions<Answer, Error, Answer, Key>,
): Promise<void> {
  const profile = await queryClient.ensureQueryData(profileQuery).catch(() => undefined);
  if (profile?.permissions.allowedListings.includes(resource)) await queryClient.prefetchQuery(query);
}

/** Delay before idle loading starts, so that the first page has the network to itself. */
const CALM_MS = 1_000;

/** Loads the scripts one after another, each when the browser is idle. */
export function loadWhenIdle(scripts: readonly (() => Promise<unknown> | undefined)[]): void {
  // Not supported by Safari.
  const whenIdle = window.requestIdleCallback ?? ((next: () => void) => setTimeout(next, CALM_MS));
  const loadFrom = (place: number): void => {
    const script = scripts[place];
    if (script)
      whenIdle(() => {
        // A script that failed to load is requested again when its page is opened.
        void Promise.resolve(script())
          .catch(() => undefined)
          .then(() => loadFrom(place + 1));
      });
  };
  setTimeout(() => loadFrom(0), CALM_MS);
}
