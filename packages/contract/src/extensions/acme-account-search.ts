// Search for ACME accounts by part of their identifier; returns a limited number of results. Not part of the published
// interface.
import { z } from 'zod';
import { operations } from '../operations.ts';
import { queryInt32 } from '../shared/query.ts';

/** Maximum number of accounts in a response. */
export const MAX_FOUND_ACME_ACCOUNTS = 50;
/** Maximum length of the search text, well above that of any account identifier. */
const MAX_TEXT = 200;

export const FoundAcmeAccount = z
  .object({
    uuid: z.string(),
    /** Account identifier as used in ACME URLs. */
    accountId: z.string(),
    acmeProfileUuid: z.string(),
    acmeProfileName: z.string(),
  })
  .meta({ id: 'FoundAcmeAccount' });
export type FoundAcmeAccount = z.output<typeof FoundAcmeAccount>;

export const acmeAccountSearchOperations = operations(
  { tag: 'ACME Account Search', resource: 'acmeAccounts', module: 'protocols', errors: [400, 401, 403, 422, 500] },
  {
    /** Newest first; the search is case-insensitive. */
    findAcmeAccounts: {
      route: 'GET /x/v1/acmeAccounts',
      summary: 'Find ACME accounts by part of their identifier',
      query: z.object({
        text: z.string().min(1).max(MAX_TEXT),
        limit: queryInt32().pipe(z.number().min(1).max(MAX_FOUND_ACME_ACCOUNTS)).default(10),
      }),
      answer: z.array(FoundAcmeAccount),
      access: {
        action: 'list',
        filtered: true,
        parent: { resource: 'acmeProfiles', action: 'list', filtered: true },
      },
    },
  },
);
