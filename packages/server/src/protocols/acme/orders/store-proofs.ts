// Query for proofs that an order reuses.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { AuthorizationView } from '../authorizations/store.ts';

export type EarlierProof = Pick<
  AuthorizationView,
  'identifier_type' | 'identifier_value' | 'wildcard' | 'challenge_type'
>;

/** Returns the proofs from the account's earlier orders that a finalizable order reuses. */
export async function findEarlierProofs(
  executor: Executor,
  { orderUuid, accountUuid }: { readonly orderUuid: string; readonly accountUuid: string },
): Promise<readonly EarlierProof[]> {
  const { rows } = await sql<EarlierProof>`
    SELECT z.identifier_type, z.identifier_value, z.wildcard, z.challenge_type
    FROM acme_order o JOIN acme_authorization z ON z.uuid = ANY (o.authorization_uuids)
    WHERE o.uuid = ${orderUuid}::uuid AND o.account_uuid = ${accountUuid}::uuid AND o.status = 'pending'
      AND z.order_uuid <> o.uuid AND z.status = 'valid'`.execute(executor);
  return rows;
}
