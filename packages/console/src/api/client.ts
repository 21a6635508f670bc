// The console's API client. The browser adds the session cookie; the header marks each request as sent by a page
// script.
import { createClient } from '@signetry/client';
import { handleSessionEnd } from './query-client.ts';

export const api = createClient({
  baseUrl: '/api',
  headers: { 'x-requested-with': 'XMLHttpRequest' },
  fetch: async (...request) => {
    const response = await fetch(...request);
    if (response.status === 401) handleSessionEnd();
    return response;
  },
});
