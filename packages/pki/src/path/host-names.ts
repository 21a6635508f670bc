// Matches a certificate against a host (RFC 9525), using only the DNS names and IP addresses in its subjectAltName. The
// common name is ignored (§2).
import { equalBytes } from '../bytes.ts';
import { parseIpAddress } from '../x509/ip-address.ts';
import type { Certificate } from '../x509/certificate.ts';

/**
 * Returns whether the certificate matches this host: a DNS name in A-labels (§6.3), with or without a trailing dot, or
 * an IP address as text (IPv6 also in URL brackets). Returns false for anything else. Throws `DerError` for malformed
 * names.
 */
export function matchesHost(certificate: Certificate, host: string): boolean {
  const address = parseIpAddress(host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);
  return address === undefined ? matchesDomain(certificate, host) : matchesAddress(certificate, address);
}

/** Returns whether the certificate matches an IP address. Only iPAddress names are compared, byte for byte (§6.5). */
function matchesAddress({ subjectAltNames }: Certificate, address: Uint8Array): boolean {
  return subjectAltNames.some((name) => name.kind === 'iPAddress' && equalBytes(name.octets, address));
}

function matchesDomain({ subjectAltNames }: Certificate, host: string): boolean {
  const wanted = labelsOf(host.replace(/\.$/, ''));
  if (wanted === undefined) return false;
  return subjectAltNames.some((name) => name.kind === 'dNSName' && matchesPattern(name.value, wanted));
}

/** DNS allows 63 bytes per label and 253 per name (RFC 1035 §2.3.4); some host names contain underscores. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

/** Returns lowercase labels, or `undefined` for anything other than an ASCII DNS name. */
function labelsOf(text: string): string[] | undefined {
  if (text.length > MAX_NAME) return undefined;
  const labels = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).split('.');
  return labels.every((label) => LABEL.test(label)) && !isNumber(labels.at(-1)) ? labels : undefined;
}

/** A name that ends with a number is a malformed IP address: no top-level domain is numeric (RFC 1123 §2.1). */
const isNumber = (label: string | undefined): boolean => label !== undefined && /^(?:\d+|0x[0-9a-f]*)$/.test(label);

/**
 * Returns whether the labels match a name that may contain a wildcard. A wildcard must be the entire leftmost label and
 * be followed by at least two labels; it matches exactly one label (§6.3).
 */
function matchesPattern(pattern: string, wanted: readonly string[]): boolean {
  const isWildcard = pattern.startsWith('*.');
  const labels = labelsOf(isWildcard ? pattern.slice(2) : pattern);
  if (labels === undefined || (isWildcard && labels.length < 2)) return false;
  const compared = isWildcard ? wanted.slice(1) : wanted;
  return labels.length === compared.length && labels.every((label, index) => label === compared[index]);
}
