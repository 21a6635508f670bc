// A policy of names as the form holds it, and in words. Pure.
import type { AcmeNamePolicy } from '@signetry/contract';

export type NamePolicyValues = Readonly<Required<AcmeNamePolicy>>;

export const noNamePolicy: NamePolicyValues = {
  allowedDnsSuffixes: [],
  deniedDnsSuffixes: [],
  allowedIpRanges: [],
  deniedIpRanges: [],
  allowWildcards: true,
};

export const namePolicyValuesOf = (policy: AcmeNamePolicy | undefined): NamePolicyValues => ({
  ...noNamePolicy,
  ...policy,
});

/** For a request: what the form holds, in lists of its own. */
export const namePolicyOf = ({ allowWildcards, ...lists }: NamePolicyValues): AcmeNamePolicy => ({
  allowedDnsSuffixes: [...lists.allowedDnsSuffixes],
  deniedDnsSuffixes: [...lists.deniedDnsSuffixes],
  allowedIpRanges: [...lists.allowedIpRanges],
  deniedIpRanges: [...lists.deniedIpRanges],
  allowWildcards,
});

/** Undefined when every name is allowed. */
export function describeNamePolicy(policy: AcmeNamePolicy | undefined): string | undefined {
  const { allowWildcards, ...lists } = namePolicyValuesOf(policy);
  const allowed = [...lists.allowedDnsSuffixes, ...lists.allowedIpRanges];
  const denied = [...lists.deniedDnsSuffixes, ...lists.deniedIpRanges];
  const rules = [
    ...(allowed.length > 0 ? [`only ${allowed.join(', ')}`] : []),
    ...(denied.length > 0 ? [`not ${denied.join(', ')}`] : []),
    ...(allowWildcards ? [] : ['no wildcards']),
  ];
  return rules.length === 0 ? undefined : rules.join('; ');
}
