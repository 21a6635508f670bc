// Canonical form of order identifiers (RFC 8555 §7.1.4, §9.7.7; RFC 8738 §3). Pure.
import { formatIpAddress, parseIpAddress } from '@signetry/pki';
import { problemOfLabel } from './a-label.ts';
import { detailOfSubproblems, rejection, storedProblem, type AcmeRejection } from './problems.ts';
import type { Identifier } from './vocabulary.ts';

/**
 * Clients reject certificates with more names, and the certificate, the CSR and the order response grow with the number
 * of names.
 */
const MAX_IDENTIFIERS = 100;

/**
 * Letters, digits and hyphens, without a hyphen at either end (RFC 1034 §3.5, RFC 5890 §2.3.1); host names do not
 * contain underscores.
 */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
/**
 * Matches a numeric label. Some programs accept `127.1` and `0x7f000001` as IP addresses, but no top-level domain has
 * this form (RFC 3696 §2).
 */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;

/** Parses the identifiers of a new order; rejects invalid ones with one problem each (RFC 8555 §6.7.1). */
export function readIdentifiers(requested: unknown): readonly Identifier[] {
  if (!Array.isArray(requested) || requested.length === 0)
    throw rejection('malformed', '"identifiers" must contain at least one identifier.');
  if (requested.length > MAX_IDENTIFIERS)
    throw rejection('malformed', `An order can contain at most ${MAX_IDENTIFIERS} identifiers.`);
  const problems: AcmeRejection[] = [];
  const found = new Map<string, Identifier>();
  for (const each of requested as readonly unknown[]) {
    const read = readIdentifier(each);
    if (read instanceof Error) problems.push(read);
    else found.set(nameOf(read), read);
  }
  if (problems.length > 0) throw combineRejections(problems);
  return [...found.values()];
}

/** Combines the problems with an order's identifiers (at least one) into one error. */
export function combineRejections(problems: readonly AcmeRejection[]): AcmeRejection {
  // Even a single problem is sent as a subproblem, because only subproblems can contain an identifier.
  const subproblems = problems.map(storedProblem);
  const [first] = problems;
  const type = first && problems.length === 1 ? first.type : 'compound';
  return rejection(type, detailOfSubproblems(subproblems), { subproblems });
}

function readIdentifier(value: unknown): Identifier | AcmeRejection {
  // The members are checked below.
  const { type, value: text } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof text !== 'string')
    return rejection('malformed', 'An identifier must have the string members "type" and "value".');
  if (type === 'dns') return readDnsName(text);
  if (type === 'ip') return readIpAddress(text);
  return rejection('unsupportedIdentifier', 'Only the identifier types dns and ip are supported.');
}

function readDnsName(text: string): Identifier | AcmeRejection {
  const name = text.toLowerCase().replace(/\.$/, '');
  const identifier = { type: 'dns', value: printable(name) } as const;
  const reject = (why: string) => rejection('rejectedIdentifier', `Invalid DNS name: ${why}.`, { identifier });
  if (parseIpAddress(name) !== undefined) return reject('it is an IP address; use the type ip');
  if (!/^[\x21-\x7e]*$/.test(name)) return reject('internationalized names must be in ASCII form (xn--…)');
  const bare = name.startsWith('*.') ? name.slice(2) : name;
  if (bare.includes('*')) return reject('a wildcard must be the whole leftmost label, as in *.example.com');
  if (bare.length > MAX_NAME_LENGTH) return reject(`it has more than ${MAX_NAME_LENGTH} characters`);
  const labels = bare.split('.');
  if (!labels.every((label) => LABEL.test(label)))
    return reject('each label must have 1 to 63 letters, digits or hyphens, and must not start or end with a hyphen');
  const badLabel = labels.map(problemOfLabel).find((problem) => problem !== undefined);
  if (badLabel !== undefined) return reject(badLabel);
  if (NUMBER.test(labels.at(-1) ?? '')) return reject('it ends in a number and could be mistaken for an IP address');
  if (name !== bare && labels.length < 2) return reject('a wildcard needs at least two labels after it');
  return { type: 'dns', value: name };
}

/** Returns whether arbitrary text, such as a common name, is a host name with a domain, or an IP address. */
export const isServerName = (text: string): boolean =>
  parseIpAddress(text) !== undefined || (text.includes('.') && !(readDnsName(text) instanceof Error));

/** Accepts only the text forms of RFC 1123 and RFC 5952 (RFC 8738 §3). */
function readIpAddress(text: string): Identifier | AcmeRejection {
  const octets = parseIpAddress(text);
  const canonical = octets && formatIpAddress(octets);
  if (canonical !== undefined && canonical === text) return { type: 'ip', value: canonical };
  const identifier = { type: 'ip', value: printable(text) } as const;
  if (canonical === undefined)
    return rejection('malformed', 'The identifier of type ip is not an IP address.', { identifier });
  return rejection('malformed', `The IP address must be in canonical form, which is ${canonical}.`, { identifier });
}

/** Returns text from a client with non-printable characters replaced, safe for display in a terminal. */
const printable = (text: string): string => text.slice(0, MAX_NAME_LENGTH).replaceAll(/[^\x20-\x7e]/g, '?');

/** Returns a unique text for an identifier, for example to compare the names in an order with those in a CSR. */
export const nameOf = ({ type, value }: Identifier): string => `${type}:${value}`;

export const namesOf = (identifiers: readonly Identifier[]): string[] =>
  [...new Set(identifiers.map(nameOf))].toSorted();

export const isWildcard = ({ type, value }: Identifier): boolean => type === 'dns' && value.startsWith('*.');

/** Returns the name to be validated; for a wildcard, its base domain (RFC 8555 §7.1.4). */
export const provenName = ({ value }: Identifier): string => value.replace(/^\*\./, '');
