// Names that accounts with an external account key may order, as flags and for display.
import { describeNamePolicy, type AcmeNamePolicy } from '@signetry/contract';
import type { Flags, FlagValues } from '../command-line/command.ts';
import type { Fact } from '../output/table.ts';

export const namePolicyFlags = {
  'allow-dns': { value: 'SUFFIX', many: true, about: 'Allow a DNS name and all names below it' },
  'deny-dns': { value: 'SUFFIX', many: true, about: 'Deny a DNS name and all names below it' },
  'allow-ip': { value: 'RANGE', many: true, about: 'Allow an IP address or a network such as 10.0.0.0/8' },
  'deny-ip': { value: 'RANGE', many: true, about: 'Deny an IP address or a network' },
  'no-wildcards': { about: 'Deny wildcards' },
} as const satisfies Flags;

/**
 * Returns the name policy, or undefined if none of the flags are specified, which permits all names that the profile
 * allows. The platform validates the entries.
 */
export function namePolicyOf(flags: FlagValues<typeof namePolicyFlags>): AcmeNamePolicy | undefined {
  const policy: AcmeNamePolicy = {
    ...entries('allowedDnsSuffixes', flags['allow-dns']),
    ...entries('deniedDnsSuffixes', flags['deny-dns']),
    ...entries('allowedIpRanges', flags['allow-ip']),
    ...entries('deniedIpRanges', flags['deny-ip']),
    ...(flags['no-wildcards'] ? { allowWildcards: false } : {}),
  };
  return Object.keys(policy).length === 0 ? undefined : policy;
}

type EntryList = Exclude<keyof AcmeNamePolicy, 'allowWildcards'>;

/** A flag can contain multiple entries, separated by commas. */
function entries(name: EntryList, given: readonly string[]): Partial<Record<EntryList, string[]>> {
  const list = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  return list.length === 0 ? {} : { [name]: list };
}

/** Returns a policy's rules for display. */
export function namePolicyFacts(policy: AcmeNamePolicy | undefined): readonly Fact[] {
  if (describeNamePolicy(policy) === undefined) return [['Names', 'all names that the ACME profile allows']];
  const {
    allowedDnsSuffixes,
    deniedDnsSuffixes,
    allowedIpRanges,
    deniedIpRanges,
    allowWildcards = true,
  } = policy ?? {};
  return [
    ['Allowed DNS suffixes', joinList(allowedDnsSuffixes)],
    ['Allowed IP ranges', joinList(allowedIpRanges)],
    ['Denied DNS suffixes', joinList(deniedDnsSuffixes)],
    ['Denied IP ranges', joinList(deniedIpRanges)],
    ['Wildcards', allowWildcards ? undefined : 'not allowed'],
  ];
}

const joinList = (list: readonly string[] = []): string | undefined =>
  list.length === 0 ? undefined : list.join(', ');
