// Server state: fresh for some seconds, fetched again when the window gets the focus. Refusals are not retried.
import { ApiError } from '@signetry/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Key of the signed-in user, which decides what the gate shows. */
export const PROFILE_KEY = ['profile'] as const;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session has ended: the gate fetches the user again, and shows how to sign in.
    onError: (error, { queryKey }) => {
      if (isSignedOut(error) && queryKey[0] !== PROFILE_KEY[0])
        void queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
    },
  }),
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
