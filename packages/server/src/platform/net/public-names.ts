// Distinguishes names in the public DNS from names that have meaning only within a private network. Pure.

/**
 * Top-level domains outside the public DNS, or for documentation and tests: RFC 6761 §6, RFC 6762 §3, RFC 7686, RFC
 * 9476, and `internal`, which ICANN reserved for private use in 2024. Records below them do not express a domain
 * holder's policy.
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

/**
 * Returns whether a name belongs to a private network: a single label, or a name within a domain reserved for such
 * names.
 */
export function isInternalName(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length < 2 || INTERNAL_TOP_LEVELS.has(labels.at(-1) ?? '') || `.${name}`.endsWith('.home.arpa') // RFC 8375
  );
}

/** A host name with a domain. IP addresses do not match, since no top-level domain is a number. */
const HOST_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;

/** Returns the host name in a URL in lowercase, or undefined if it is not a public name. */
export function publicHostOf(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : '';
  return HOST_NAME.test(host) && !isInternalName(host) ? host : undefined;
}
