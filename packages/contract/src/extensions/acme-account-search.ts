// Accounts of the ACME server by a part of their identifier, few at a time, for those who look for one. Not part of the
// published interface.
import { z } from 'zod';
import { operations } from '../operations.ts';
import { queryInt32 } from '../shared/query.ts';

/** Accounts of one answer. */
export const MAX_FOUND_ACME_ACCOUNTS = 50;
/** Identifiers are far shorter. */
const MAX_TEXT = 200;

export const FoundAcmeAccount = z
  .object({
    uuid: z.string(),
    /** As in URLs of the protocol. */
    accountId: z.string(),
    acmeProfileUuid: z.string(),
    acmeProfileName: z.string(),
  })
  .meta({ id: 'FoundAcmeAccount' });
export type FoundAcmeAccount = z.output<typeof FoundAcmeAccount>;

export const acmeAccountSearchOperations = operations(
  { tag: 'ACME Account Search', resource: 'acmeAccounts', module: 'protocols', errors: [400, 401, 403, 422, 500] },
  {
    /** Newest first, in either case of letters. */
    findAcmeAccounts: {
      route: 'GET /x/v1/acmeAccounts',
      summary: 'Find ACME Accounts by a part of their identifier',
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
