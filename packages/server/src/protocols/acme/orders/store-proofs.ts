// Query for proofs that an order reuses.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuthorizationView } from '../authorizations/store.ts';

export type EarlierProof = Pick<
  AuthorizationView,
  'identifier_type' | 'identifier_value' | 'wildcard' | 'challenge_type'
>;

/**
 * Returns the proofs for which CAA was not checked in this order: those from the account's earlier orders, and
 * authorizations without a challenge.
 */
export async function findEarlierProofs(
  executor: Executor,
  { orderUuid, accountUuid }: { readonly orderUuid: string; readonly accountUuid: string },
): Promise<readonly EarlierProof[]> {
  const { rows } = await sql<EarlierProof>`
    SELECT z.identifier_type, z.identifier_value, z.wildcard, z.challenge_type
    FROM acme_order o JOIN acme_authorization z ON z.uuid = ANY (o.authorization_uuids)
    WHERE o.uuid = ${orderUuid}::uuid AND o.account_uuid = ${accountUuid}::uuid AND o.status = 'pending'
      AND (z.order_uuid <> o.uuid OR z.challenge_type IS NULL) AND z.status = 'valid'`.execute(executor);
  return rows;
}

/** Makes authorizations valid for which no challenge was tried; returns their number. */
export async function vouchFor(
  executor: Executor,
  { uuids, accountUuid }: { readonly uuids: readonly string[]; readonly accountUuid: string },
): Promise<number> {
  // Without a time of validation, later orders do not reuse the authorization.
  const { rows } = await sql<{ uuid: string }>`
    UPDATE acme_authorization SET status = 'valid' WHERE uuid = ANY (${[...uuids]}::uuid[])
      AND account_uuid = ${accountUuid}::uuid AND status = 'pending' AND challenge_type IS NULL
    RETURNING uuid`.execute(executor);
  return rows.length;
}
