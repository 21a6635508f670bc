// Which names the accounts of an external account key may order: as flags, and as it is shown.
import { describeNamePolicy, type AcmeNamePolicy } from '@signetry/contract';
import type { Flags, FlagValues } from '../command-line/command.ts';
import type { Fact } from '../output/table.ts';

export const namePolicyFlags = {
  'allow-dns': { value: 'SUFFIX', many: true, about: 'Allow a DNS name and all below it' },
  'deny-dns': { value: 'SUFFIX', many: true, about: 'Refuse a DNS name and all below it' },
  'allow-ip': { value: 'RANGE', many: true, about: 'Allow an address or a network such as 10.0.0.0/8' },
  'deny-ip': { value: 'RANGE', many: true, about: 'Refuse an address or a network' },
  'no-wildcards': { about: 'Refuse wildcards' },
} as const satisfies Flags;

/** Undefined without any of the flags: whatever the profile allows. What the entries may be, the platform decides. */
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

/** Several may stand in one flag, separated by commas. */
function entries(name: EntryList, given: readonly string[]): Partial<Record<EntryList, string[]>> {
  const list = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  return list.length === 0 ? {} : { [name]: list };
}

/** Each rule that there is. */
export function namePolicyFacts(policy: AcmeNamePolicy | undefined): readonly Fact[] {
  if (describeNamePolicy(policy) === undefined) return [['Names', 'any that the ACME profile allows']];
  const {
    allowedDnsSuffixes,
    deniedDnsSuffixes,
    allowedIpRanges,
    deniedIpRanges,
    allowWildcards = true,
  } = policy ?? {};
  return [
    ['Allowed DNS suffixes', listed(allowedDnsSuffixes)],
    ['Allowed IP ranges', listed(allowedIpRanges)],
    ['Denied DNS suffixes', listed(deniedDnsSuffixes)],
    ['Denied IP ranges', listed(deniedIpRanges)],
    ['Wildcards', allowWildcards ? undefined : 'not allowed'],
  ];
}

const listed = (list: readonly string[] = []): string | undefined => (list.length === 0 ? undefined : list.join(', '));
