// Name policies: the names that can be ordered over ACME under a profile or with an external account key. Validates
// policies, converts them to their stored form, and evaluates them for a name. Pure.
import type { AcmeNamePolicy } from '@signetry/contract';
import { contains, isNetwork, networks } from '../../platform/net/networks.ts';

/** Stored form of a policy: suffixes in lowercase, without a leading dot, and without duplicates. */
export type NamePolicy = Readonly<Required<AcmeNamePolicy>>;

/** Larger policies are unreadable, and each order is compared with all entries. */
const MAX_ENTRIES = 500;
const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const SUFFIXES = ['allowedDnsSuffixes', 'deniedDnsSuffixes'] as const;
const RANGES = ['allowedIpRanges', 'deniedIpRanges'] as const;

export function problemsOfNamePolicy(policy: AcmeNamePolicy = {}): string[] {
  const problems: string[] = [];
  const addProblem = (list: string, entry: string, why: string) =>
    problems.push(`namePolicy: ${JSON.stringify(entry.slice(0, 100))} in ${list} is ${why}`);
  for (const list of [...SUFFIXES, ...RANGES])
    if ((policy[list]?.length ?? 0) > MAX_ENTRIES)
      problems.push(`namePolicy: ${list} must not have more than ${MAX_ENTRIES} entries`);
  for (const list of SUFFIXES)
    for (const entry of policy[list] ?? [])
      if (!isSuffix(suffixOf(entry))) addProblem(list, entry, 'not a DNS suffix such as example.com');
  for (const list of RANGES)
    for (const entry of policy[list] ?? [])
      if (!isNetwork(entry)) addProblem(list, entry, 'neither an address nor a network such as 10.0.0.0/8');
  return problems;
}

/** Returns null for a policy that rejects nothing. */
export function storedNamePolicy(policy: AcmeNamePolicy = {}): NamePolicy | null {
  const { allowedDnsSuffixes, deniedDnsSuffixes, allowedIpRanges, deniedIpRanges, allowWildcards = true } = policy;
  const stored = {
    allowedDnsSuffixes: distinct(allowedDnsSuffixes, suffixOf),
    deniedDnsSuffixes: distinct(deniedDnsSuffixes, suffixOf),
    allowedIpRanges: distinct(allowedIpRanges, (range) => range.toLowerCase()),
    deniedIpRanges: distinct(deniedIpRanges, (range) => range.toLowerCase()),
    allowWildcards,
  };
  const isEmpty = allowWildcards && [...SUFFIXES, ...RANGES].every((list) => stored[list].length === 0);
  return isEmpty ? null : stored;
}

/**
 * Returns the rule that rejects a name; undefined if no rule does. The value must be in canonical form; a wildcard
 * includes its `*.`.
 */
export function nameRejection(
  policy: NamePolicy,
  { type, value }: { readonly type: 'dns' | 'ip'; readonly value: string },
): string | undefined {
  return type === 'dns' ? dnsRejection(policy, value) : ipRejection(policy, value);
}

function dnsRejection(policy: NamePolicy, name: string): string | undefined {
  const isWildcard = name.startsWith('*.');
  const base = isWildcard ? name.slice(2) : name;
  if (isWildcard && !policy.allowWildcards) return 'wildcards are not allowed';
  const denied = policy.deniedDnsSuffixes.find((suffix) => isWithin(base, suffix));
  if (denied !== undefined) return `the DNS suffix ${denied} is denied`;
  // A certificate for *.example.com is also valid for secret.example.com.
  const covered = isWildcard && policy.deniedDnsSuffixes.find((suffix) => parentOf(suffix) === base);
  if (covered) return `it would cover ${covered}, a denied DNS suffix`;
  if (!restrictsAllowed(policy) || policy.allowedDnsSuffixes.some((suffix) => isWithin(base, suffix))) return undefined;
  return `it is not within any of the allowed DNS suffixes (${listed(policy.allowedDnsSuffixes)})`;
}

function ipRejection(policy: NamePolicy, address: string): string | undefined {
  const denied = policy.deniedIpRanges.find((range) => contains(networks([range]), address));
  if (denied !== undefined) return `the IP range ${denied} is denied`;
  if (!restrictsAllowed(policy) || contains(networks(policy.allowedIpRanges), address)) return undefined;
  return `it is not within any of the allowed IP ranges (${listed(policy.allowedIpRanges)})`;
}

/** Returns whether a policy lists the names that it allows; other policies allow all names that they do not deny. */
export const hasAllowedNames = (policy: NamePolicy): boolean => restrictsAllowed(policy);

/** If only DNS names are allowed, every IP address is rejected, and vice versa. */
const restrictsAllowed = ({ allowedDnsSuffixes, allowedIpRanges }: NamePolicy): boolean =>
  allowedDnsSuffixes.length + allowedIpRanges.length > 0;

const isWithin = (name: string, suffix: string): boolean => name === suffix || name.endsWith(`.${suffix}`);

const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** Maximum number of entries in a message. */
const SHOWN = 5;

const listed = (entries: readonly string[]): string =>
  entries.length === 0
    ? 'none'
    : `${entries.slice(0, SHOWN).join(', ')}${entries.length > SHOWN ? ` and ${entries.length - SHOWN} more` : ''}`;

/** `*.example.com` and `.example.com` are equivalent. */
const suffixOf = (entry: string): string => entry.toLowerCase().replace(/^\*?\./, '');

const isSuffix = (text: string): boolean =>
  text.length <= MAX_NAME_LENGTH && text.split('.').every((label) => LABEL.test(label));

const distinct = (entries: readonly string[] = [], canonical: (entry: string) => string): string[] => [
  ...new Set(entries.map(canonical)),
];
