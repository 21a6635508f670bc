// What is asked for and loaded before it is needed, so that nobody waits for it.
import type { Resource } from '@signetry/contract';
import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { profileQuery } from './session.ts';

/**
 * Asks for what a page will show while its script is still on its way. What the user may not list is not asked for, and
 * what is refused is told by the page itself.
 */
export async function askEarly<Answer, Key extends QueryKey>(
  resource: Resource,
  query: FetchQueryOptions<Answer, Error, Answer, Key>,
): Promise<void> {
  const profile = await queryClient.ensureQueryData(profileQuery).catch(() => undefined);
  if (profile?.permissions.allowedListings.includes(resource)) await queryClient.prefetchQuery(query);
}

/** How long the first page is left alone. */
const CALM_MS = 1_000;

/** Loads one script after the other, each when the browser has nothing better to do. */
export function loadWhenIdle(scripts: readonly (() => Promise<unknown> | undefined)[]): void {
  const whenIdle = window.requestIdleCallback ?? ((next: () => void) => setTimeout(next, CALM_MS)); // Safari has none
  const loadFrom = (place: number): void => {
    const script = scripts[place];
    if (script)
      whenIdle(() => {
        // One that does not come is asked for again by whoever goes there.
        void Promise.resolve(script())
          .catch(() => undefined)
          .then(() => loadFrom(place + 1));
      });
  };
  setTimeout(() => loadFrom(0), CALM_MS);
}
