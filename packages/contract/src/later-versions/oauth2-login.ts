// List of identity providers for sign-in pages, which version 2.17 of the published interface adds. The platform
// announces version 2.16.1, so it is not part of its API description.
import { z } from 'zod';
import { operations } from '../operations.ts';

export const LoginProviderDto = z
  .object({
    name: z.string(),
    /** Path at which a browser starts the sign-in. The query parameter `redirect` names the page to return to. */
    loginUrl: z.string(),
  })
  .meta({ id: 'LoginProviderDto' });
export type LoginProviderDto = z.output<typeof LoginProviderDto>;

export const oauth2LoginOperations = operations(
  { tag: 'OAuth2 Login Management v2', errors: [400, 500], since: '2.17' },
  {
    getOAuth2Providers: {
      route: 'GET /v2/oauth2/providers',
      summary: 'Get available OAuth2 authentication providers',
      answer: z.array(LoginProviderDto),
      access: 'public',
    },
  },
);
