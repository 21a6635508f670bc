// What every signed request of an account does in the same statement as its work: record the use of the nonce, and make sure
// that what was remembered of account and profile still holds. So one round trip decides, on every node alike, and a change of
// the profile or of the account counts with the next request. Relies on the primary keys, on acme_account_account_id_key.
import { createBatcher } from '@signetry/connector-sdk';
import { hotStatement, runHot, type HotExecutor, type HotStatement } from '../../platform/database/database.ts';
import { refusal } from './problems.ts';
import type { AccountCall, SignedCall } from './requests/call.ts';

/** Common table expressions `used` and `account`; parameters $1 to $4 are `guardValues`. */
export const GUARD = `
  used AS (
    INSERT INTO acme_used_nonce (uuid) SELECT $1::uuid WHERE $1::uuid IS NOT NULL ON CONFLICT DO NOTHING RETURNING uuid
  ), account AS (
    SELECT a.uuid FROM acme_account a JOIN acme_profile p ON p.uuid = a.acme_profile_uuid
    WHERE a.account_id = $2::text AND a.key_thumbprint = $3::text AND a.status = 'valid' AND a.enabled
      AND p.version = $4::integer AND p.enabled AND ($1::uuid IS NULL OR EXISTS (SELECT FROM used))
  )`;

/** To be selected by every guarded statement. */
export const GUARD_FACTS = `($1::uuid IS NULL OR EXISTS (SELECT FROM used)) AS nonce_is_fresh, EXISTS (SELECT FROM account) AS holds`;

/** What was remembered no longer holds: forget it and look again. Thrown before anything but the nonce was written. */
export class StaleFacts extends Error {}

interface GuardFacts {
  readonly nonce_is_fresh: boolean;
  readonly holds: boolean;
}

export const usedNonce = () =>
  refusal('badNonce', 'The nonce was used already. Send the request again with the nonce of this answer.');

/** Runs a guarded statement, which always answers one row. */
export async function runGuarded<Row>(
  executor: HotExecutor,
  statement: HotStatement,
  { call, values }: { readonly call: AccountCall; readonly values: readonly unknown[] },
): Promise<Row> {
  const { account, profile } = call;
  const guard = [call.nonce.take(), account.accountId, account.key.thumbprint, profile.version];
  const [row] = await runHot<Row & GuardFacts>(executor, statement, [...guard, ...values]);
  if (!row) throw new Error(`The statement ${statement.name} answered no row.`);
  if (!row.nonce_is_fresh) throw usedNonce();
  call.nonce.record();
  if (!row.holds) throw new StaleFacts('account or profile changed');
  return row;
}

const USE_NONCE = {
  name: 'acme_use_nonce',
  text: `INSERT INTO acme_used_nonce (uuid) VALUES ($1::uuid) ON CONFLICT DO NOTHING RETURNING uuid`,
};

/** Records the use of a nonce by itself, for requests that no guarded statement serves. Refuses a used one. */
export async function consumeNonce(executor: HotExecutor, { nonce }: Pick<SignedCall, 'nonce'>): Promise<void> {
  const uuid = nonce.take();
  if (uuid === null) return;
  const rows = await runHot(executor, USE_NONCE, [uuid]);
  if (rows.length === 0) throw usedNonce();
  nonce.record();
}

/** What a guarded read looks for: an object of the account, by its identifier. */
export interface GuardedRead {
  readonly call: AccountCall;
  readonly uuid: string;
}

/**
 * Guarded reads that share statements under load: all that arrive while one is under way go out together. `columns` and `join`
 * say what is read for `item.target` and `item.account_uuid`; answers undefined where the join finds nothing, which
 * its column `uuid` tells by being null.
 */
export function createGuardedReads<Row>(
  executor: HotExecutor,
  { name, columns, join }: { readonly name: string; readonly columns: string; readonly join: string },
): (read: GuardedRead) => Promise<Row | undefined> {
  const statement = hotStatement(
    name,
    `WITH asked AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS asked (
         place integer, nonce uuid, account_id text, thumbprint text, version integer, target uuid)
     ), used AS (
       INSERT INTO acme_used_nonce (uuid) SELECT nonce FROM asked WHERE nonce IS NOT NULL ON CONFLICT DO NOTHING RETURNING uuid
     ), item AS (
       SELECT asked.place, asked.target, used.uuid IS NOT NULL OR asked.nonce IS NULL AS nonce_is_fresh,
         (SELECT a.uuid FROM acme_account a JOIN acme_profile p ON p.uuid = a.acme_profile_uuid
          WHERE a.account_id = asked.account_id AND a.key_thumbprint = asked.thumbprint AND a.status = 'valid' AND a.enabled
            AND p.version = asked.version AND p.enabled AND (used.uuid IS NOT NULL OR asked.nonce IS NULL)) AS account_uuid
       FROM asked LEFT JOIN used ON used.uuid = asked.nonce
     )
     SELECT item.place, item.nonce_is_fresh, item.account_uuid IS NOT NULL AS holds, ${columns} FROM item ${join}`,
  );

  const batched = createBatcher<GuardedRead, (Row & GuardFacts) | 'used'>({
    write: async (reads) => {
      const nonces = new Set<string>();
      const items = reads.flatMap(({ call, uuid }, place) => {
        const nonce = call.nonce.take();
        // Of two requests with one nonce in one statement the first has it.
        if (nonce !== null && nonces.size === nonces.add(nonce).size) return [];
        const { account, profile } = call;
        const guard = { account_id: account.accountId, thumbprint: account.key.thumbprint, version: profile.version };
        return [{ place, nonce, ...guard, target: uuid }];
      });
      const rows = await runHot<Row & GuardFacts & { place: number }>(executor, statement, [JSON.stringify(items)]);
      const byPlace = new Map(rows.map((row) => [row.place, row]));
      return reads.map((_, place) => byPlace.get(place) ?? 'used');
    },
  });

  return async (read) => {
    const row = await batched(read);
    if (row === 'used' || !row.nonce_is_fresh) throw usedNonce();
    read.call.nonce.record();
    if (!row.holds) throw new StaleFacts('account or profile changed');
    return (row as { uuid?: unknown }).uuid === null ? undefined : row;
  };
}
