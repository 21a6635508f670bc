// Syntax of names in certificates. Each function returns a name's problem as the predicate of a sentence.
import { parseIpAddress } from '../x509/ip-address.ts';

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

/**
 * Checks a DNS name: preferred syntax (RFC 1034 §3.5), at most 253 bytes, a wildcard only as the entire first label
 * (RFC 9525 §6.3). Underscores are accepted; they are covered by a separate rule.
 */
export function dnsProblem(name: string): string | undefined {
  if (name === '' || name.length > 253) return 'is empty or longer than 253 characters';
  if (parseIpAddress(name) !== undefined) return 'is an IP address';
  if (name.endsWith('.')) return 'must not end with a dot';
  const labels = name.split('.');
  const hasWildcard = labels[0] === '*';
  const rest = hasWildcard ? labels.slice(1) : labels;
  if (hasWildcard && rest.length === 0) return 'is a wildcard without a domain';
  if (!rest.every((label) => LABEL.test(label))) return 'is not a host name';
  return /^\d+$/.test(rest.at(-1) ?? '') ? 'ends with a number' : undefined;
}

/** Checks that a mailbox conforms to RFC 5280 §4.2.1.6: `local@domain` in ASCII, with nothing before or after it. */
export function mailboxProblem(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  if (at <= 0) return 'is not a mailbox';
  const local = address.slice(0, at);
  const isDotAtom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i.test(local);
  const isQuoted = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(local);
  if (local.length > 64 || !(isDotAtom || isQuoted)) return 'has a malformed local part';
  const domain = address.slice(at + 1);
  if (domain.startsWith('[')) return undefined;
  return dnsProblem(domain) === undefined && !domain.startsWith('*') ? undefined : 'has a malformed domain';
}

/**
 * Checks that a URI conforms to RFC 5280 §4.2.1.6: absolute, with content after the scheme, and only characters allowed
 * by RFC 3986.
 */
export function uriProblem(uri: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(uri)) return 'is not an absolute URI';
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1];
  if (authority === undefined) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  return parseIpAddress(address) !== undefined || dnsProblem(host) === undefined ? undefined : 'has a malformed host';
}
