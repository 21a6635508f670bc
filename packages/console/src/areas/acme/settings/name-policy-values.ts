// A policy of names as the form holds it. Pure.
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
