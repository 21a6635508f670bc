// Whether a certificate is for a given host (RFC 9525): by the DNS names and IP addresses of its subjectAltName alone.
// The common name is ignored (§2).
import { equalBytes } from '../bytes.ts';
import { parseIpAddress } from '../x509/ip-address.ts';
import type { Certificate } from '../x509/certificate.ts';

/**
 * Whether the certificate is for this host: a DNS name in A-labels (§6.3), with or without a trailing dot, or the text
 * of an IP address, IPv6 also in the brackets of a URL. Returns false for everything else. Throws `DerError` for
 * malformed names.
 */
export function matchesHost(certificate: Certificate, host: string): boolean {
  const address = parseIpAddress(host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);
  return address === undefined ? matchesDomain(certificate, host) : matchesAddress(certificate, address);
}

/** An address matches only iPAddress names, octet by octet (§6.5). */
function matchesAddress({ subjectAltNames }: Certificate, address: Uint8Array): boolean {
  return subjectAltNames.some((name) => name.kind === 'iPAddress' && equalBytes(name.octets, address));
}

function matchesDomain({ subjectAltNames }: Certificate, host: string): boolean {
  const wanted = labelsOf(host.replace(/\.$/, ''));
  if (wanted === undefined) return false;
  return subjectAltNames.some((name) => name.kind === 'dNSName' && matchesPattern(name.value, wanted));
}

/** DNS allows 63 octets in a label and 253 in a name (RFC 1035 §2.3.4); some hosts have underscores. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

/**
 * Lower-case labels; `undefined` for anything but a DNS name in ASCII.
 */
function labelsOf(text: string): string[] | undefined {
  if (text.length > MAX_NAME) return undefined;
  const labels = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).split('.');
  return labels.every((label) => LABEL.test(label)) && !isNumber(labels.at(-1)) ? labels : undefined;
}

/** A name that ends in a number is a malformed address: no top-level domain is numeric (RFC 1123 §2.1). */
const isNumber = (label: string | undefined): boolean => label !== undefined && /^(?:\d+|0x[0-9a-f]*)$/.test(label);

/**
 * A wildcard is the whole leftmost label, matches exactly one label, and is followed by at least two labels (§6.3).
 */
function matchesPattern(pattern: string, wanted: readonly string[]): boolean {
  const isWildcard = pattern.startsWith('*.');
  const labels = labelsOf(isWildcard ? pattern.slice(2) : pattern);
  if (labels === undefined || (isWildcard && labels.length < 2)) return false;
  const compared = isWildcard ? wanted.slice(1) : wanted;
  return labels.length === compared.length && labels.every((label, index) => label === compared[index]);
}
