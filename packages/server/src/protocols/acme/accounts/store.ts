// Account queries for the protocol server.
import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { AcmeAccountRow, AcmeTables } from '../model/tables.ts';
import type { StoredProblem } from '../model/vocabulary.ts';

const tables = (executor: Executor) => executor.withTables<AcmeTables>();

export interface AccountScope {
  readonly acmeProfileUuid: string;
  readonly raProfileUuid: string | null;
}

/** Returns the account for a key in one directory. */
export async function findByKey(
  executor: Executor,
  place: AccountScope,
  thumbprint: string,
): Promise<AcmeAccountRow | undefined> {
  const row = await tables(executor)
    .selectFrom('acme_account')
    .selectAll()
    .where('acme_profile_uuid', '=', place.acmeProfileUuid)
    .where('ra_profile_uuid', 'is not distinct from', place.raProfileUuid)
    .where('key_thumbprint', '=', thumbprint)
    .executeTakeFirst();
  return row as AcmeAccountRow | undefined; // Generated and JSON columns are read with the types of the table.
}

export async function insert(tx: Executor, row: Insertable<AcmeTables['acme_account']>): Promise<void> {
  await tables(tx).insertInto('acme_account').values(row).execute();
}

export async function setContact(
  tx: Executor,
  uuid: string,
  facts: { readonly contact: readonly string[]; readonly at: Date },
): Promise<boolean> {
  const result = await tables(tx)
    .updateTable('acme_account')
    .set({ contact: [...facts.contact], updated_at: facts.at })
    .where('uuid', '=', uuid)
    .where('status', '=', 'valid')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Maximum number of former keys per account; covers three months for clients that change their key daily. */
const MAX_FORMER_KEYS = 100;

/**
 * Adds a thumbprint to the former keys. dns-persist-01 records that name a former key remain valid
 * (draft-ietf-acme-dns-persist-02 §4.2).
 */
const formerKeys = (thumbprint: string) =>
  sql<
    string[]
  >`(array_prepend(${thumbprint}::text, array_remove(former_key_thumbprints, ${thumbprint}::text)))[1:${sql.lit(MAX_FORMER_KEYS)}]`;

/** Replaces the key only if the account still has the old one, so that only one of two concurrent changes succeeds. */
export async function setKey(
  tx: Executor,
  uuid: string,
  facts: { readonly from: string; readonly thumbprint: string; readonly jwk: object; readonly at: Date },
): Promise<boolean> {
  const result = await tables(tx)
    .updateTable('acme_account')
    .set({
      former_key_thumbprints: formerKeys(facts.from),
      key_thumbprint: facts.thumbprint,
      jwk: JSON.stringify(facts.jwk),
      updated_at: facts.at,
    })
    .where('uuid', '=', uuid)
    .where('key_thumbprint', '=', facts.from)
    .where('status', '=', 'valid')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Deactivates an account and its authorizations, and invalidates its pending orders (RFC 8555 §7.3.6). */
export async function deactivate(
  tx: Executor,
  uuid: string,
  facts: { readonly problem: StoredProblem; readonly at: Date },
): Promise<boolean> {
  const result = await tables(tx)
    .updateTable('acme_account')
    .set({ status: 'deactivated', updated_at: facts.at })
    .where('uuid', '=', uuid)
    .where('status', '=', 'valid')
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  const problem = JSON.stringify(facts.problem);
  await sql`UPDATE acme_order SET status = 'invalid', error = ${problem}::jsonb
    WHERE account_uuid = ${uuid}::uuid AND status = 'pending'`.execute(tx);
  await sql`UPDATE acme_authorization SET status = 'deactivated', leased_until = NULL,
    challenge_status = CASE challenge_status WHEN 'processing' THEN 'invalid' ELSE challenge_status END
    WHERE account_uuid = ${uuid}::uuid AND status IN ('pending', 'valid')`.execute(tx);
  return true;
}
