// What CAA means for a profile whose administrator said nothing about it (ADR 0025): records of public names that give
// the issuance to others are respected, and nothing else stands in the way of a private authority. Pure.

import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { ValidationRules } from './challenge.ts';

export interface CaaSettings {
  /** By which CAA records know this authority under profiles that say nothing of it; undefined: they check none. */
  readonly defaultCaaIdentity?: () => string | undefined;
}

/** What a profile says of CAA, or the default. */
export function caaRulesOf(
  { caaIdentities }: Pick<ServedAcmeProfile, 'caaIdentities'>,
  { defaultCaaIdentity }: CaaSettings,
): Required<Pick<ValidationRules, 'caaIdentities' | 'isCaaByDefault'>> {
  if (caaIdentities !== undefined) return { caaIdentities, isCaaByDefault: false };
  const own = defaultCaaIdentity?.();
  return { caaIdentities: own === undefined ? [] : [own], isCaaByDefault: true };
}

/**
 * Top-level domains outside of the public DNS, or for documentation and tests: RFC 6761 §6, RFC 6762 §3, RFC 7686,
 * RFC 9476, and `internal`, which ICANN reserved for private use in 2024. Records below them are nobody's policy.
 */
const INTERNAL_TOP_LEVELS: ReadonlySet<string> = new Set([
  'alt',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]);

/** Whether a name is one of a network of its own: a single label, or within a domain for such names. */
export function isInternalName(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length < 2 || INTERNAL_TOP_LEVELS.has(labels.at(-1) ?? '') || `.${name}`.endsWith('.home.arpa') // RFC 8375
  );
}

/** A host name with a domain, which an address is not: no top-level domain is a number. */
const HOST_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;

/** The name by which records know an authority at this address; undefined where its host has no public name. */
export function identityAt(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : '';
  return HOST_NAME.test(host) && !isInternalName(host) ? host : undefined;
}

/**
 * Whether the records of a domain are those of the organisation that runs the authority: its name is within the domain.
 * They were written for public authorities, and say nothing of the organisation's own.
 */
export const isOwnDomain = (domain: string, identities: readonly string[]): boolean =>
  identities.some((identity) => identity === domain || identity.endsWith(`.${domain}`));
