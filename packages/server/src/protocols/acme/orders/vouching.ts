// External account binding instead of validation: if the profile permits it, the names that an operator allowed for the
// key of an account need no proof. Whether the key is still current is read for each order, and again before issuance.
import { hasAllowedNames, type EabKeys } from '../../../areas/acme-profiles/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { rejection, storedProblem } from '../model/problems.ts';
import type { AccountCall } from '../requests/call.ts';
import { withdrawOrder } from './store.ts';
import { findEarlierProofs, vouchFor } from './store-proofs.ts';

export type Vouching = ReturnType<typeof createVouching>;

/** Returns whether the account has a key with allowed names. Orders cannot contain other names (name-policies.ts). */
export const canBeVouchedFor = ({ account }: Pick<AccountCall, 'account'>): boolean =>
  account.eabKeyUuid !== undefined && account.namePolicy !== undefined && hasAllowedNames(account.namePolicy);

export function createVouching(
  { database: { executor }, clock }: Pick<Platform, 'database' | 'clock'>,
  { eabKeys }: { readonly eabKeys: Pick<EabKeys, 'isCurrent'> },
) {
  async function isInForce(call: AccountCall): Promise<boolean> {
    const { eabKeyUuid } = call.account;
    if (!call.profile.externalAccountValidates || !canBeVouchedFor(call) || eabKeyUuid === undefined) return false;
    return eabKeys.isCurrent(eabKeyUuid, clock.now());
  }

  return {
    isInForce,

    /** Makes the pending authorizations of a new order valid; returns their number. */
    apply: ({ account }: AccountCall, authorizationUuids: readonly string[]): Promise<number> =>
      vouchFor(executor, { uuids: authorizationUuids, accountUuid: account.uuid }),

    /**
     * Rejects an order with names that were not validated if the key or the profile has changed since the order was
     * placed. The order becomes invalid, so that the client does not get it again for the same names.
     */
    async assertStillInForce(call: AccountCall): Promise<void> {
      if (!canBeVouchedFor(call) || (await isInForce(call))) return;
      const proofs = await findEarlierProofs(executor, { orderUuid: call.id, accountUuid: call.account.uuid });
      if (!proofs.some((proof) => proof.challenge_type === null)) return;
      const refusal = rejection(
        'unauthorized',
        'The names of this order were not validated, and the external account key of this account is no longer sufficient. Place a new order.',
      );
      await withdrawOrder(executor, { uuid: call.id, error: storedProblem(refusal) });
      throw refusal;
    },
  };
}
