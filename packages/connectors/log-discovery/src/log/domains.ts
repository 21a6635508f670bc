// Finds certificates with names at or below given domains.
import { attributeValues, endsInNumber, hostNameForm, OID, type Certificate } from '@signetry/pki';

/** More domains would slow down the check of every entry. */
export const MAX_DOMAINS = 100;

/**
 * Returns the domains in the form used in certificates, without duplicates, and an error message for each malformed
 * domain.
 */
export function parseDomains(text: string): {
  readonly domains: readonly string[];
  readonly problems: readonly string[];
} {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const read = words.map((word): [string, string | undefined] => [word, domainOf(word)]);
  const domains = [...new Set(read.flatMap(([, domain]) => domain ?? []))].toSorted();
  const problems = read.flatMap(([word, domain]) =>
    domain === undefined ? [`"${word}" is not a domain such as example.com.`] : [],
  );
  if (domains.length > MAX_DOMAINS)
    problems.push(`${domains.length} domains were specified; the maximum is ${MAX_DOMAINS}.`);
  return { domains, problems };
}

function domainOf(word: string): string | undefined {
  const form = hostNameForm(word.replace(/^\*?\./, ''), { allowUnderscores: true });
  return 'name' in form && !endsInNumber(form.name) ? form.name.toLowerCase() : undefined;
}

/**
 * Creates an inexpensive check, run before parsing, for whether the bytes can contain a name below one of the domains.
 */
export function createPrefilter(domains: readonly string[]): (octets: Uint8Array) => boolean {
  return (octets) => {
    const text = Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1').toLowerCase();
    return domains.some((domain) => text.includes(domain));
  };
}

/**
 * Returns whether a DNS name or the common name is at or below one of the domains. Throws if the names cannot be
 * parsed.
 */
export function hasNameBelow(certificate: Certificate, domains: readonly string[]): boolean {
  const names = certificate.subjectAltNames.flatMap((name) => (name.kind === 'dNSName' ? [name.value] : []));
  return [...names, ...attributeValues(certificate.subject, OID.commonName)].some((name) => {
    const lower = name.toLowerCase().replace(/\.$/, '');
    return domains.some((domain) => lower === domain || lower.endsWith(`.${domain}`));
  });
}
