// Names at or below domains.
import { domainToASCII } from 'node:url';
import { attributeValues, OID, type Certificate } from '@signetry/pki';

/** More would make every entry dearer. */
export const MAX_DOMAINS = 100;

/** Domains as certificates have them, without repetitions, and what of the text is none. */
export function parseDomains(text: string): {
  readonly domains: readonly string[];
  readonly problems: readonly string[];
} {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const read = words.map((word): [string, string | undefined] => [word, domainOf(word)]);
  const domains = [...new Set(read.flatMap(([, domain]) => domain ?? []))].toSorted();
  const problems = read.flatMap(([word, domain]) =>
    domain === undefined ? [`"${word}" is no domain such as example.com.`] : [],
  );
  if (domains.length > MAX_DOMAINS) problems.push(`There are ${domains.length} domains; at most ${MAX_DOMAINS} are.`);
  return { domains, problems };
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function domainOf(word: string): string | undefined {
  const ascii = domainToASCII(word.replace(/^\*?\./, '').replace(/\.$/, ''));
  const labels = ascii.split('.');
  const isDomain =
    ascii.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
  return isDomain ? ascii : undefined;
}

/** Whether octets may have a name below one of the domains: what is cheap to tell before anything is parsed. */
export function createPrefilter(domains: readonly string[]): (octets: Uint8Array) => boolean {
  return (octets) => {
    const text = Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1').toLowerCase();
    return domains.some((domain) => text.includes(domain));
  };
}

/** Whether one of the DNS names, or the common name, is a domain or below it. Throws what the names throw. */
export function hasNameBelow(certificate: Certificate, domains: readonly string[]): boolean {
  const names = certificate.subjectAltNames.flatMap((name) => (name.kind === 'dNSName' ? [name.value] : []));
  return [...names, ...attributeValues(certificate.subject, OID.commonName)].some((name) => {
    const lower = name.toLowerCase().replace(/\.$/, '');
    return domains.some((domain) => lower === domain || lower.endsWith(`.${domain}`));
  });
}
