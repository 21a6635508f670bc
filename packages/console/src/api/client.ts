// The one client of the console. The browser sends the session by itself; the header tells the platform that a page
// asks.
import { createClient } from '@signetry/client';

export const api = createClient({ baseUrl: '/api', headers: { 'x-requested-with': 'XMLHttpRequest' } });
