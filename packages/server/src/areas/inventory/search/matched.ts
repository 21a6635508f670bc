// The certificates that a search finds, for changes of many: those that the inventory shows to the caller, of which the
// caller may change each. Which ones is decided first; a change that cannot be undone asks again about the rows that it
// has locked.
import { MAX_CHANGED_AT_ONCE, type Action, type CertificateChoice } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CertificateFields } from './search-fields.ts';
import { lookUpText, readSelection } from './search.ts';
import { findKeys } from './store-order.ts';
import { findStill } from './store.ts';

export interface Matched {
  /** Refuses more than a change takes. */
  readonly findMatching: () => Promise<readonly string[]>;
  /** Those of the rows that match still. */
  readonly among: <Row extends { readonly uuid: string }>(tx: Executor, rows: readonly Row[]) => Promise<Row[]>;
  /** A transaction in which `among` may be asked: a slow expression ends it. */
  readonly transaction: <Result>(work: (tx: Executor) => Promise<Result>) => Promise<Result>;
}

/** Refuses filters and texts that cannot be read. */
export type FindMatched = (
  choice: CertificateChoice,
  context: RequestContext,
  /** What is to be done with them. */
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
  maxMatched = MAX_CHANGED_AT_ONCE,
}: MatchedParts): FindMatched {
  return function findMatched(choice, context, action) {
    // What matches tells what there is, as a list does.
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
          throw rejected(`More than ${maxMatched} certificates match, and one request changes no more; add a filter.`);
        return uuids;
      },
      among: async (tx, rows) => {
        if (rows.length === 0) return [];
        const query = await lookUpText(tx, selection);
        const still = await findStill(
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
