// Server state: fresh for a moment, asked for again when somebody comes back to the window. Refusals are not repeated.
import { ApiError } from '@signetry/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Who is signed in; the gate looks at it. */
export const PROFILE_KEY = ['profile'] as const;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session ended under the page: the gate is told, and shows how to sign in.
    onError: (error, { queryKey }) => {
      if (isSignedOut(error) && queryKey[0] !== PROFILE_KEY[0])
        void queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
    },
  }),
  defaultOptions: {
    // A platform on this machine is reached without a network, and one that is not says so.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < MAX_RETRIES,
    },
  },
});
