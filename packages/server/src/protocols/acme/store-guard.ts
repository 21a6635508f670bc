// What every signed request of an account does in the same statement as its work: record the use of the nonce, and make sure
// that what was remembered of account and profile still holds. So one round trip decides, on every node alike, and a change of
// the profile or of the account counts with the next request. Relies on the primary keys, on acme_account_account_id_key.
import { runHot, type Executor, type HotStatement } from '../../platform/database/database.ts';
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
  executor: Executor,
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
export async function consumeNonce(executor: Executor, { nonce }: Pick<SignedCall, 'nonce'>): Promise<void> {
  const uuid = nonce.take();
  if (uuid === null) return;
  const rows = await runHot(executor, USE_NONCE, [uuid]);
  if (rows.length === 0) throw usedNonce();
  nonce.record();
}
