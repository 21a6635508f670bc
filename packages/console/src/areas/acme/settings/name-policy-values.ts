// Form values of a name policy. Pure.
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

/** Returns the name policy for a request, with copies of the form's lists. */
export const namePolicyOf = ({ allowWildcards, ...lists }: NamePolicyValues): AcmeNamePolicy => ({
  allowedDnsSuffixes: [...lists.allowedDnsSuffixes],
  deniedDnsSuffixes: [...lists.deniedDnsSuffixes],
  allowedIpRanges: [...lists.allowedIpRanges],
  deniedIpRanges: [...lists.deniedIpRanges],
  allowWildcards,
});
