// The API client of the console. The browser adds the session cookie; the header says that a script of a page asks.
import { createClient } from '@signetry/client';

export const api = createClient({ baseUrl: '/api', headers: { 'x-requested-with': 'XMLHttpRequest' } });
