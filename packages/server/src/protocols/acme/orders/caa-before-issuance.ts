// CAA once more (RFC 8659 §3): a proof that counts for further orders is older than they are, and what its zone permitted then may
// be forbidden now.
import { sql } from 'kysely';
import type { Platform } from '../../../platform/platform.ts';
import type { AuthorizationView } from '../authorizations/store.ts';
import { orderedIdentifier } from '../authorizations/present.ts';
import { rulesOf, type ValidationTargets } from '../authorizations/validation-work.ts';
import { refusal } from '../model/problems.ts';
import type { AccountCall } from '../requests/call.ts';
import type { CheckCaa } from '../validation/check-caa.ts';
import { challengeTypes, type StoredProblem } from '../model/vocabulary.ts';

export interface CaaBeforeIssuanceParts {
  readonly checkCaa: CheckCaa;
  readonly settings: ValidationTargets;
}

export type CaaBeforeIssuance = (call: AccountCall) => Promise<void>;

type Proof = Pick<AuthorizationView, 'identifier_type' | 'identifier_value' | 'wildcard' | 'challenge_type'>;

export function createCaaBeforeIssuance(
  { database }: Platform,
  { checkCaa, settings }: CaaBeforeIssuanceParts,
): CaaBeforeIssuance {
  /** Of an order that can be taken: proofs that an earlier order of the account gave. */
  async function earlierProofs({ id, account }: AccountCall): Promise<readonly Proof[]> {
    const { rows } = await sql<Proof>`
      SELECT z.identifier_type, z.identifier_value, z.wildcard, z.challenge_type
      FROM acme_order o JOIN acme_authorization z ON z.uuid = ANY (o.authorization_uuids)
      WHERE o.uuid = ${id}::uuid AND o.account_uuid = ${account.uuid}::uuid AND o.status = 'pending'
        AND z.order_uuid <> o.uuid AND z.status = 'valid'`.execute(database.executor);
    return rows;
  }

  async function problemOf(proof: Proof, call: AccountCall): Promise<StoredProblem | undefined> {
    const { urls, account, profile, context } = call;
    const challengeType = challengeTypes.find((type) => type === proof.challenge_type);
    if (challengeType === undefined) return undefined;
    const identifier = orderedIdentifier(proof);
    const accountUrls = [urls.account(account.accountId)];
    const rules = rulesOf(profile, settings);
    const problem = await checkCaa(identifier, { challengeType, accountUrls }, rules, context.signal);
    return problem && { ...problem, identifier };
  }

  /** Refuses an order that CAA records forbid to issue for by now; it stays ready. */
  return async (call) => {
    const { caaIdentities, authorizationReuseS } = call.profile;
    if (caaIdentities.length === 0 || authorizationReuseS === 0) return;
    const proofs = await earlierProofs(call);
    const found = await Promise.all(proofs.map((proof) => problemOf(proof, call)));
    const subproblems = found.filter((problem) => problem !== undefined);
    const [first] = subproblems;
    if (!first) return;
    throw refusal(
      first.type,
      'The certificate is not issued: CAA records of its names do not permit it, or cannot be read.',
      {
        subproblems,
      },
    );
  };
}
