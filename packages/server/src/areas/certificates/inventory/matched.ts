// The certificates that match filters, for changes of many: those that the list with the same filters shows to the
// caller, the archive left out. Which ones is decided first; a change then asks again about the rows that it has locked.
import type { SearchFilterRequestDto } from '@signetry/contract';
import { sql } from 'kysely';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { runSearch } from '../../../platform/database/filter/run-search.ts';
import type { SqlFields } from '../../../platform/database/filter/sql-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readSelection } from '../search/search.ts';
import { findKeys } from '../search/store.ts';
import { matching } from './store.ts';

/** A request that changes more would take minutes, and nobody would know how far it came. */
const MAX_MATCHED = 100_000;

export interface Matched {
  readonly filters: readonly SearchFilterRequestDto[];
  readonly uuids: readonly string[];
  /** Those of the rows that match still. */
  readonly among: <Row extends { readonly uuid: string }>(tx: Executor, rows: readonly Row[]) => Promise<Row[]>;
  /** A transaction in which `among` may be asked: a slow expression ends it. */
  readonly transaction: <Result>(work: (tx: Executor) => Promise<Result>) => Promise<Result>;
}

export interface MatchedParts {
  readonly platform: Platform;
  readonly fields: () => SqlFields;
  readonly maxMatched?: number;
}

export function createMatchedCertificates({ platform, fields, maxMatched = MAX_MATCHED }: MatchedParts) {
  const { database, clock } = platform;
  return async function findMatched(
    filters: readonly SearchFilterRequestDto[],
    context: RequestContext,
  ): Promise<Matched> {
    // What matches tells what there is, as a list does.
    if (!isAllowed(context.actor.permissions, 'certificates', 'list'))
      throw new AppError('access_denied', { action: 'list', resource: 'certificates' });
    const selection = readSelection({ filters: [...filters] }, { fields: fields(), now: clock.now(), context });
    const { conditions, raProfiles, includeArchived, sort } = selection;
    const query = { conditions, raProfiles, includeArchived, sort };
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
        const still = await matching(tx, query)
          .select('c.uuid')
          .where('c.uuid', '=', sql<string>`ANY(${rows.map(({ uuid }) => uuid)}::uuid[])`)
          .execute();
        const kept = new Set(still.map(({ uuid }) => uuid));
        return rows.filter(({ uuid }) => kept.has(uuid));
      },
      transaction: (work) => runSearch({ database, conditions, inTransaction: true }, work),
    };
  };
}
