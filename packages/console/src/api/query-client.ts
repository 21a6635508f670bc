// Server state: fresh for some seconds, fetched again when the window gets the focus. Refusals are not retried.
import { ApiError } from '@signetry/client';
import { QueryClient } from '@tanstack/react-query';

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Key of the signed-in user, which decides what the gate shows. */
export const PROFILE_KEY = ['profile'] as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    // A platform on this machine can be reached without a network, so the browser's idea of being offline is ignored.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < MAX_RETRIES,
    },
  },
});

/** A request was refused for want of a session: the gate fetches the user again, and shows how to sign in. */
export function noticeSessionEnd(): void {
  const isFetched = queryClient.isFetching({ queryKey: PROFILE_KEY, exact: true }) > 0;
  if (isFetched || isSignedOut(queryClient.getQueryState(PROFILE_KEY)?.error)) return;
  void queryClient.invalidateQueries({ queryKey: PROFILE_KEY, exact: true });
}
