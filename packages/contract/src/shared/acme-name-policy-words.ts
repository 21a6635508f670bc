// A policy of names as people read it, in the console and in the terminal. Without the shapes, which pages need not
// load.
import type { AcmeNamePolicy } from './acme-name-policy.ts';

/** In a few words, the same wherever people read it; undefined when every name is allowed. */
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
