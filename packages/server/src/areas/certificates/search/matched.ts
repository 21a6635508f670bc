// The certificates that match filters, for changes of many: those that the list with the same filters shows to the
// caller, the archive left out. Which ones is decided first; a change asks again about the rows that it has locked.
import { isAllowed } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CertificateFields } from './search-fields.ts';
import type { FindMatched } from '../inventory/delete.ts';
import { readSelection } from './search.ts';
import { findKeys } from './store-order.ts';
import { findStill } from './store.ts';

/** A request that changes more would take minutes, and nobody would know how far it came. */
const MAX_MATCHED = 100_000;

export interface MatchedParts {
  readonly platform: Platform;
  readonly fields: CertificateFields;
  readonly maxMatched?: number;
}

export function createMatchedCertificates({ platform, fields, maxMatched = MAX_MATCHED }: MatchedParts): FindMatched {
  const { database, clock } = platform;
  return async function findMatched(filters, context, action) {
    // What matches tells what there is, as a list does.
    if (!isAllowed(context.actor.permissions, 'certificates', 'list'))
      throw new AppError('access_denied', { action: 'list', resource: 'certificates' });
    const selection = readSelection(
      { filters: [...filters] },
      { fields: fields(context), now: clock.now(), context, action },
    );
    const { conditions, visible, includeArchived, sort } = selection;
    const query = { conditions, visible, includeArchived, sort };
    const uuids = await runSearch({ database, conditions }, (executor) =>
      findKeys(executor, query, { offset: 0, limit: maxMatched + 1 }),
    );
    if (uuids.length > maxMatched)
      throw rejected(`More than ${maxMatched} certificates match, and one request changes no more; add a filter.`);
    return {
      filters,
      uuids,
      among: async (tx, rows) => {
        if (rows.length === 0) return [];
        const still = await findStill(
          tx,
          query,
          rows.map(({ uuid }) => uuid),
        );
        return rows.filter(({ uuid }) => still.has(uuid));
      },
      transaction: (work) => runSearch({ database, conditions, inTransaction: true }, work),
    };
  };
}
