// Names that a profile allows in certificates. Pure; patterns are untrusted and matched in linear time.
import { linearPattern, PatternError, type LinearPattern } from '@signetry/connector-sdk';
import {
  formatGeneralName,
  hostNameForm,
  parseIpAddress,
  type GeneralName,
  type GeneralNameKind,
  type HostNameRules,
} from '@signetry/pki';
import { PROFILE } from '../attributes/ra-profile-settings.ts';
import type { Problems } from '../problems.ts';

export interface NamePolicy {
  readonly kinds: ReadonlySet<GeneralNameKind>;
  readonly requireOne: boolean;
  readonly maxNames: number;
  /**
   * Lowercase, without a leading dot. A DNS name must match a suffix or a pattern. If there are neither suffixes nor
   * patterns, every name is allowed.
   */
  readonly dnsSuffixes: readonly string[];
  readonly dnsPatterns: readonly LinearPattern[];
  readonly allowWildcards: boolean;
  readonly allowUnderscores: boolean;
  readonly ipRanges: readonly IpRange[];
  /** Lowercase. */
  readonly emailDomains: readonly string[];
}

export interface IpRange {
  readonly octets: Uint8Array;
  readonly prefixBits: number;
}

export function checkNames(names: readonly GeneralName[], policy: NamePolicy, problems: Problems): void {
  if (names.length > policy.maxNames)
    return problems.add(
      `The profile allows at most ${policy.maxNames} subject alternative names (${PROFILE.maxAltNames}); ${names.length} were requested.`,
    );
  if (policy.requireOne && names.length === 0) problems.add('The profile requires a subject alternative name.');
  for (const name of names) {
    const problem = nameProblem(name, policy);
    if (problem) problems.add(`The subject alternative name "${formatGeneralName(name).slice(0, 300)}" ${problem}.`);
  }
}

function nameProblem(name: GeneralName, policy: NamePolicy): string | undefined {
  if (!policy.kinds.has(name.kind)) return `has the type ${name.kind}, which the profile does not allow`;
  switch (name.kind) {
    case 'dNSName':
      return dnsProblem(name.value, policy);
    case 'iPAddress':
      return ipProblem(name.octets, policy.ipRanges);
    case 'rfc822Name':
      return emailProblem(name.value, policy.emailDomains);
    case 'uniformResourceIdentifier':
      return isUri(name.value) ? undefined : 'is not an absolute URI';
    default:
      return undefined;
  }
}

const withoutWildcard = (name: string): string => (name.startsWith('*.') ? name.slice(2) : name);

function dnsProblem(name: string, policy: NamePolicy): string | undefined {
  const isWildcard = name.startsWith('*.');
  const form = hostNameForm(name, policy);
  if ('problem' in form) return `is not a DNS name: it ${form.problem}`;
  if (isWildcard && !policy.allowWildcards) return 'is a wildcard, which the profile does not allow';
  if (isWildcard && !withoutWildcard(name).includes('.')) return 'is a wildcard for an entire top-level domain';
  const { dnsSuffixes, dnsPatterns } = policy;
  if (dnsSuffixes.length === 0 && dnsPatterns.length === 0) return undefined;
  const lower = name.toLowerCase();
  // `*.example.com` is within `example.com`: a wildcard matches only names below the suffix.
  const fits = dnsSuffixes.some((suffix) => lower === suffix || lower.endsWith(`.${suffix}`));
  if (fits || dnsPatterns.some((pattern) => pattern.matches(lower))) return undefined;
  return 'does not match the DNS suffixes and patterns that the profile allows';
}

function ipProblem(octets: Uint8Array, ranges: readonly IpRange[]): string | undefined {
  if (octets.length !== 4 && octets.length !== 16) return 'is not an IP address';
  return ranges.length === 0 || ranges.some((range) => isInside(octets, range))
    ? undefined
    : 'is outside the ranges that the profile allows';
}

function isInside(octets: Uint8Array, { octets: base, prefixBits }: IpRange): boolean {
  if (octets.length !== base.length) return false;
  for (let bit = 0; bit < prefixBits; bit += 8) {
    const mask = prefixBits - bit >= 8 ? 0xff : (0xff00 >> (prefixBits - bit)) & 0xff;
    const index = bit / 8;
    if (((octets[index] ?? 0) & mask) !== ((base[index] ?? 0) & mask)) return false;
  }
  return true;
}

function emailProblem(address: string, domains: readonly string[]): string | undefined {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  // RFC 5280 §4.2.1.6 requires a Mailbox without a display name or angle brackets.
  if (at <= 0 || !/^[\x21-\x7e]{1,64}$/.test(local) || /[<>()[\],;:\\"@ ]/.test(local) || !isDomain(domain)) {
    return 'is not an email address';
  }
  return domains.length === 0 || domains.includes(domain.toLowerCase())
    ? undefined
    : 'is outside the domains that the profile allows';
}

const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(text) && text.length <= 2000;

/** Returns whether a text is an ASCII domain name, without a wildcard. */
const isDomain = (text: string, rules: HostNameRules = {}): boolean => {
  const form = hostNameForm(text, rules);
  return 'name' in form && form.name === text && !text.startsWith('*');
};

// ---- Parsing a policy ----

export function readSuffixes(entries: readonly string[], attribute: string, problems: Problems): readonly string[] {
  return entries.map((entry) => {
    const suffix = entry.replace(/^(\*\.|\.)/, '').toLowerCase();
    if (!isDomain(suffix, { allowUnderscores: true }))
      problems.add(`"${entry.slice(0, 100)}" (${attribute}) is not a DNS suffix.`);
    return suffix;
  });
}

export function readPatterns(
  entries: readonly string[],
  attribute: string,
  problems: Problems,
): readonly LinearPattern[] {
  return entries.flatMap((entry) => readPattern(entry, attribute, problems) ?? []);
}

export function readPattern(source: string, attribute: string, problems: Problems): LinearPattern | undefined {
  try {
    return linearPattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    problems.add(`"${source.slice(0, 100)}" (${attribute}): ${error.message}`);
    return undefined;
  }
}

export function readIpRanges(entries: readonly string[], attribute: string, problems: Problems): readonly IpRange[] {
  return entries.flatMap((entry) => {
    const range = parseIpRange(entry);
    if (!range) problems.add(`"${entry.slice(0, 100)}" (${attribute}) is not an IP address range such as 10.0.0.0/8.`);
    return range ?? [];
  });
}

function parseIpRange(text: string): IpRange | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const octets = parseIpAddress(address);
  if (!octets || rest.length > 0) return undefined;
  if (bits === undefined) return { octets, prefixBits: octets.length * 8 };
  const prefixBits = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefixBits <= octets.length * 8 ? { octets, prefixBits } : undefined;
}
