// Fetches data and scripts before they are needed.
import type { Resource } from '@signetry/contract';
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { profileQuery } from './session.ts';

/**
 * Fetches what a page will show while its script is still loading. What the user may not list is not requested; a
 * refusal is shown by the page itself.
 */
export async function askEarly<Answer, Key extends QueryKey>(
  resource: Resource,
  query: FetchQueryOptions<Answer, Error, Answer, Key>,
): Promise<void> {
  const profile = await queryClient.ensureQueryData(profileQuery).catch(() => undefined);
  if (profile?.permissions.allowedListings.includes(resource)) await queryClient.prefetchQuery(query);
}

/** Until then the first page has the network to itself. */
const CALM_MS = 1_000;

/** Loads one script after the other, each when the browser is idle. */
export function loadWhenIdle(scripts: readonly (() => Promise<unknown> | undefined)[]): void {
  const whenIdle = window.requestIdleCallback ?? ((next: () => void) => setTimeout(next, CALM_MS)); // Safari has none
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
