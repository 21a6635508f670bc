// Checks that every signed account request performs in the same statement as its work: it records the nonce's use, and
// verifies that the cached account and profile are still current. One round trip is therefore sufficient on every node,
// and a change to the account, the profile or its RA profile takes effect with the next request. Requests that arrive
// while a statement is running share the next statement and its commit. Relies on the primary keys and on
// acme_account_account_id_key.
import { createBatcher } from '@signetry/connector-sdk';
import { scheduleFlushOf, hotStatement, runHot, type HotExecutor } from '../../../platform/database/database.ts';
import { rejection } from '../model/problems.ts';
import type { AccountCall, SignedCall } from './call.ts';

/** The cached data is no longer current and must be read again. Thrown before anything except the nonce was written. */
export class StaleFacts extends Error {}

const usedNonce = () =>
  rejection('badNonce', 'The nonce has already been used. Retry with the nonce in this response.');

export interface GuardedStatement {
  readonly name: string;
  /** Columns of a work item with their types, in addition to the guard's columns: `target uuid`. */
  readonly fields: string;
  /**
   * Common table expressions that perform the work for `item`; an item whose `account_uuid` is null must have no
   * effect.
   */
  readonly work?: string;
  /** Columns returned for each item, and their source: `z.status`, `LEFT JOIN acme_authorization z ON …`. */
  readonly columns: string;
  readonly join: string;
}

export type Guarded<Work, Row> = (call: AccountCall, work: Work) => Promise<Row>;

interface GuardFacts {
  readonly place: number;
  readonly nonce_is_fresh: boolean;
  readonly holds: boolean;
}

/**
 * Declares a guarded statement; returns the function that runs it for one request. `Row` contains the returned columns.
 */
export function guardStatement<Work extends object, Row>(
  executor: HotExecutor,
  { name, fields, work = '', columns, join }: GuardedStatement,
): Guarded<Work, Row> {
  const statement = hotStatement(
    name,
    `WITH asked AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS asked (
         place integer, nonce uuid, account_id text, thumbprint text, version integer, ra_profile uuid, ${fields})
     ), used AS (
       -- In one order everywhere: statements with the same nonces would otherwise wait for each other.
       INSERT INTO acme_used_nonce (uuid) SELECT nonce FROM asked WHERE nonce IS NOT NULL ORDER BY nonce
       ON CONFLICT DO NOTHING RETURNING uuid
     ), item AS MATERIALIZED (
       SELECT asked.*, used.uuid IS NOT NULL OR asked.nonce IS NULL AS nonce_is_fresh,
         (SELECT a.uuid FROM acme_account a JOIN acme_profile p ON p.uuid = a.acme_profile_uuid
          WHERE a.account_id = asked.account_id AND a.key_thumbprint = asked.thumbprint AND a.status = 'valid' AND a.enabled
            AND p.version = asked.version AND p.enabled
            AND EXISTS (SELECT FROM ra_profile r WHERE r.uuid = asked.ra_profile AND r.enabled)
            AND (used.uuid IS NOT NULL OR asked.nonce IS NULL)) AS account_uuid
       FROM asked LEFT JOIN used ON used.uuid = asked.nonce
     )${work === '' ? '' : `, ${work}`}
     SELECT item.place, item.nonce_is_fresh, item.account_uuid IS NOT NULL AS holds, ${columns} FROM item ${join}`,
  );

  const run = createBatcher<{ call: AccountCall; work: Work }, (Row & GuardFacts) | undefined>({
    scheduleFlush: scheduleFlushOf(executor),
    write: async (batch) => {
      const rows = await runHot<Row & GuardFacts>(executor, statement, [JSON.stringify(itemsOf(batch))]);
      const byPlace = new Map(rows.map((row) => [row.place, row]));
      return batch.map((_, place) => byPlace.get(place));
    },
  });

  return async (call, work) => {
    const row = await run({ call, work });
    if (!row?.nonce_is_fresh) throw usedNonce();
    call.nonce.record();
    if (!row.holds) throw new StaleFacts('account or profile changed');
    return row;
  };
}

/**
 * Returns the items of a batch. If requests in one statement share a nonce, only the first one is included; the others
 * get no row.
 */
function itemsOf(batch: readonly { readonly call: AccountCall; readonly work: object }[]): readonly object[] {
  const nonces = new Set<string>();
  return batch.flatMap(({ call, work }, place) => {
    const nonce = call.nonce.take();
    if (nonce !== null && nonces.has(nonce)) return [];
    if (nonce !== null) nonces.add(nonce);
    const { account, profile } = call;
    const guard = {
      account_id: account.accountId,
      thumbprint: account.key.thumbprint,
      version: profile.version,
      ra_profile: profile.raProfile?.uuid ?? null,
    };
    return [{ place, nonce, ...guard, ...work }];
  });
}

/** Returns undefined for a row of nulls, which an outer join returns if there is no match. */
export const matchedRow = <Row extends { readonly uuid: string }>(row: Row): Row | undefined =>
  (row.uuid as string | null) === null ? undefined : row;

const USE_NONCE = hotStatement(
  'acme_use_nonce',
  `INSERT INTO acme_used_nonce (uuid) VALUES ($1::uuid) ON CONFLICT DO NOTHING RETURNING uuid`,
);

/**
 * Records the use of a nonce in a separate statement, for requests without a guarded statement. Rejects a used nonce.
 */
export async function consumeNonce(executor: HotExecutor, { nonce }: Pick<SignedCall, 'nonce'>): Promise<void> {
  const uuid = nonce.take();
  if (uuid === null) return;
  const rows = await runHot(executor, USE_NONCE, [uuid]);
  if (rows.length === 0) throw usedNonce();
  nonce.record();
}
