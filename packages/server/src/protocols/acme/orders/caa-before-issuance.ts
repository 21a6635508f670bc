// CAA check before issuance (RFC 8659 §3): a reused proof is older than the order, and the CAA records may have changed
// since then. If an external account binding replaces the proofs, this is the only check.
import type { Platform } from '../../../platform/platform.ts';
import { orderedIdentifier } from '../authorizations/present.ts';
import { rulesOf, type ValidationTargets } from '../authorizations/validation-work.ts';
import { detailOfSubproblems, rejection } from '../model/problems.ts';
import type { AccountCall } from '../requests/call.ts';
import { caaRulesOf } from '../validation/caa-default.ts';
import type { AccountUrlsOf } from '../model/account-urls.ts';
import type { CheckCaa } from '../validation/check-caa.ts';
import { challengeTypes, type StoredProblem } from '../model/vocabulary.ts';
import { findEarlierProofs, type EarlierProof } from './store-proofs.ts';
import { canBeVouchedFor } from './vouching.ts';

export interface CaaBeforeIssuanceParts {
  readonly checkCaa: CheckCaa;
  readonly settings: ValidationTargets;
  readonly addressesOf: AccountUrlsOf;
}

export type CaaBeforeIssuance = (call: AccountCall) => Promise<void>;

export function createCaaBeforeIssuance(
  { database }: Platform,
  { checkCaa, settings, addressesOf }: CaaBeforeIssuanceParts,
): CaaBeforeIssuance {
  async function problemOf(proof: EarlierProof, call: AccountCall): Promise<StoredProblem | undefined> {
    const { account, profile, context } = call;
    const challengeType = challengeTypes.find((type) => type === proof.challenge_type);
    if (challengeType === undefined && proof.challenge_type !== null) return undefined;
    const identifier = orderedIdentifier(proof);
    const { accountUrls } = addressesOf({
      accountId: account.accountId,
      profile,
      origin: context.origin ?? undefined,
    });
    const rules = rulesOf(profile, settings);
    const problem = await checkCaa(identifier, { challengeType, accountUrls }, rules, context.signal);
    return problem && { ...problem, identifier };
  }

  /** Rejects an order if CAA records now forbid issuance; the order stays ready. */
  return async (call) => {
    const { caaIdentities } = caaRulesOf(call.profile, settings);
    const isEveryNameProven = call.profile.authorizationReuse === 0 && !canBeVouchedFor(call);
    if (caaIdentities.length === 0 || isEveryNameProven) return;
    const proofs = await findEarlierProofs(database.executor, { orderUuid: call.id, accountUuid: call.account.uuid });
    const found = await Promise.all(proofs.map((proof) => problemOf(proof, call)));
    const subproblems = found.filter((problem) => problem !== undefined);
    const [first] = subproblems;
    if (!first) return;
    throw rejection(first.type, detailOfSubproblems(subproblems), { subproblems });
  };
}
