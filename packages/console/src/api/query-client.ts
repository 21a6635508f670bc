// Server state: fresh for a moment, asked for again when somebody comes back to the window. Refusals are not repeated.
import { ApiError } from '@signetry/client';
import { QueryClient } from '@tanstack/react-query';

const FRESH_MS = 5_000;
const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < MAX_RETRIES,
    },
  },
});
