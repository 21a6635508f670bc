// Which names are in the public DNS, and which stand for something only within a network of its own. Pure.

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

/** The host of an address, in lower case; undefined where it has no public name. */
export function publicHostOf(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : '';
  return HOST_NAME.test(host) && !isInternalName(host) ? host : undefined;
}
