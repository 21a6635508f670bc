// Text form of name policies for the console and the command line. Does not import the schemas, so that pages need not
// load them.
import type { AcmeNamePolicy } from './acme-name-policy.ts';

/** Returns a short description with uniform wording, or undefined if all names are allowed. */
export function describeNamePolicy(policy: AcmeNamePolicy = {}): string | undefined {
  const { allowedDnsSuffixes = [], deniedDnsSuffixes = [], allowedIpRanges = [], deniedIpRanges = [] } = policy;
  const allowed = [...allowedDnsSuffixes, ...allowedIpRanges];
  const denied = [...deniedDnsSuffixes, ...deniedIpRanges];
  const rules = [
    ...(allowed.length > 0 ? [`only ${allowed.join(', ')}`] : []),
    ...(denied.length > 0 ? [`not ${denied.join(', ')}`] : []),
    ...(policy.allowWildcards === false ? ['no wildcards'] : []),
  ];
  return rules.length === 0 ? undefined : rules.join('; ');
}
