// Names that an account can order: both the profile's policy and the policy of the account's external account key must
// allow them.
import { nameRejection, type NamePolicy } from '../../../areas/acme-profiles/index.ts';
import { combineRejections } from '../model/identifiers.ts';
import { rejection, type AcmeRejection } from '../model/problems.ts';
import type { Identifier } from '../model/vocabulary.ts';
import type { AccountCall } from '../requests/call.ts';

/** Rejects an order with one problem for each identifier that a policy denies (RFC 8555 §6.7.1). */
export function assertNamesAllowed({ profile, account }: AccountCall, identifiers: readonly Identifier[]): void {
  const policies = [
    { of: `ACME profile ${profile.name}`, policy: profile.namePolicy },
    { of: 'the external account key of this account', policy: account.namePolicy },
  ];
  const problems = identifiers.flatMap((identifier) => firstProblem(identifier, policies) ?? []);
  if (problems.length > 0) throw combineRejections(problems);
}

function firstProblem(
  identifier: Identifier,
  policies: readonly { readonly of: string; readonly policy: NamePolicy | undefined }[],
): AcmeRejection | undefined {
  for (const { of, policy } of policies) {
    const why = policy && nameRejection(policy, identifier);
    if (why !== undefined)
      return rejection('rejectedIdentifier', `${identifier.value} is denied by ${of}: ${why}.`, { identifier });
  }
  return undefined;
}
