// Certificates that a search finds for a bulk change: those that the caller can both see in the inventory and change.
// The matches are determined first; a change that cannot be undone evaluates the search again on the locked rows.
import { MAX_CERTIFICATES_PER_CHANGE, type Action, type CertificateChoice } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CertificateFields } from './search-fields.ts';
import { lookUpText, readSelection } from './search.ts';
import { findKeys } from './store-order.ts';
import { findStillMatching } from './store.ts';

export interface Matched {
  /** Returns the matching certificates; throws if there are more matches than one change accepts. */
  readonly findMatching: () => Promise<readonly string[]>;
  /** Returns the rows that still match. */
  readonly among: <Row extends { readonly uuid: string }>(tx: Executor, rows: readonly Row[]) => Promise<Row[]>;
  /** Runs a transaction in which `among` can be called; a slow expression aborts it. */
  readonly transaction: <Result>(work: (tx: Executor) => Promise<Result>) => Promise<Result>;
}

/** Rejects malformed filters and texts. */
export type FindMatched = (
  choice: CertificateChoice,
  context: RequestContext,
  /** Action to be performed on the certificates. */
  action: Action,
) => Matched;

export interface MatchedParts {
  readonly platform: Platform;
  readonly fields: CertificateFields;
  readonly maxMatched?: number;
}

export function createMatchedCertificates({
  platform: { database, clock },
  fields,
  maxMatched = MAX_CERTIFICATES_PER_CHANGE,
}: MatchedParts): FindMatched {
  return function findMatched(choice, context, action) {
    // Matches reveal what exists, so the `list` permission is required.
    if (!isAllowed(context.actor.permissions, 'certificates', 'list'))
      throw new AppError('access_denied', { action: 'list', resource: 'certificates' });
    const selection = readSelection(choice, { fields: fields(context), now: clock.now(), context, action });
    const search = { database, conditions: selection.conditions, freeText: selection.text !== undefined };
    return {
      findMatching: async () => {
        const uuids = await runSearch(search, async (executor) =>
          findKeys(executor, await lookUpText(executor, selection), { offset: 0, limit: maxMatched + 1 }),
        );
        if (uuids.length > maxMatched)
          throw rejected(
            `More than ${maxMatched} certificates match, which is the limit for one request. Add a filter.`,
          );
        return uuids;
      },
      among: async (tx, rows) => {
        if (rows.length === 0) return [];
        const query = await lookUpText(tx, selection);
        const still = await findStillMatching(
          tx,
          query,
          rows.map(({ uuid }) => uuid),
        );
        return rows.filter(({ uuid }) => still.has(uuid));
      },
      transaction: (work) => runSearch({ ...search, inTransaction: true }, work),
    };
  };
}
