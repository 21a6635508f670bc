// Server state cache: data stays fresh for a few seconds and is refetched when the window regains focus. Rejected
// requests are not retried.
import { ApiError } from '@signetry/client';
import { QueryClient } from '@tanstack/react-query';

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Query key of the signed-in user, which determines what the gate shows. */
export const PROFILE_KEY = ['profile'] as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    // A platform on this machine is reachable without a network, so the browser's offline status is ignored.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < MAX_RETRIES,
    },
  },
});

/**
 * Handles a request that was rejected because there is no session: the gate refetches the user and shows how to sign
 * in.
 */
export function handleSessionEnd(): void {
  const isFetched = queryClient.isFetching({ queryKey: PROFILE_KEY, exact: true }) > 0;
  if (isFetched || isSignedOut(queryClient.getQueryState(PROFILE_KEY)?.error)) return;
  void queryClient.invalidateQueries({ queryKey: PROFILE_KEY, exact: true });
}
