// Identifiers of orders in canonical form (RFC 8555 §7.1.4, §9.7.7; RFC 8738 §3). Pure.
import { formatIpAddress, parseIpAddress } from '@signetry/pki';
import { problemOfLabel } from './a-label.ts';
import { detailOfSubproblems, refusal, storedProblem, type AcmeRefusal } from './problems.ts';
import type { Identifier } from './vocabulary.ts';

/** More names make certificates that clients refuse; the certificate, the CSR and the order page grow with them. */
const MAX_IDENTIFIERS = 100;

/**
 * Letters, digits and hyphens, no hyphen at either end (RFC 1034 §3.5, RFC 5890 §2.3.1); underscores are no host names.
 */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
/** Programs take `127.1` and `0x7f000001` for addresses; no top-level domain looks so (RFC 3696 §2). */
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;

/** Reads the identifiers of a new order; refuses with one problem for each bad one (RFC 8555 §6.7.1). */
export function readIdentifiers(requested: unknown): readonly Identifier[] {
  if (!Array.isArray(requested) || requested.length === 0)
    throw refusal('malformed', 'An order must name at least one identifier in "identifiers".');
  if (requested.length > MAX_IDENTIFIERS)
    throw refusal('malformed', `An order may name at most ${MAX_IDENTIFIERS} identifiers.`);
  const problems: AcmeRefusal[] = [];
  const found = new Map<string, Identifier>();
  for (const each of requested as readonly unknown[]) {
    const read = readIdentifier(each);
    if (read instanceof Error) problems.push(read);
    else found.set(nameOf(read), read);
  }
  if (problems.length > 0) throw identifiersRefused(problems);
  return [...found.values()];
}

/** One refusal of an order for its identifiers, at least one of which has a problem. */
export function identifiersRefused(problems: readonly AcmeRefusal[]): AcmeRefusal {
  // Even a single problem is a subproblem, where it may name its identifier.
  const subproblems = problems.map(storedProblem);
  const [first] = problems;
  const type = first && problems.length === 1 ? first.type : 'compound';
  return refusal(type, detailOfSubproblems(subproblems), { subproblems });
}

function readIdentifier(value: unknown): Identifier | AcmeRefusal {
  // members are checked next
  const { type, value: text } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof text !== 'string')
    return refusal('malformed', 'An identifier must have a "type" and a "value", both strings.');
  if (type === 'dns') return readDnsName(text);
  if (type === 'ip') return readIpAddress(text);
  return refusal('unsupportedIdentifier', 'Only identifiers of the types dns and ip are supported.');
}

function readDnsName(text: string): Identifier | AcmeRefusal {
  const name = text.toLowerCase().replace(/\.$/, '');
  const identifier = { type: 'dns', value: printable(name) } as const;
  const reject = (why: string) => refusal('rejectedIdentifier', `The DNS name is refused: ${why}.`, { identifier });
  if (parseIpAddress(name) !== undefined) return reject('it is an IP address; use the type ip');
  if (!/^[\x21-\x7e]*$/.test(name))
    return reject('internationalized names must be written in their ASCII form (xn--…)');
  const bare = name.startsWith('*.') ? name.slice(2) : name;
  if (bare.includes('*')) return reject('a wildcard must be the whole leftmost label, as in *.example.com');
  if (bare.length > MAX_NAME_LENGTH) return reject(`it is longer than ${MAX_NAME_LENGTH} characters`);
  const labels = bare.split('.');
  if (!labels.every((label) => LABEL.test(label)))
    return reject('its labels must have 1 to 63 letters, digits and inner hyphens');
  const badLabel = labels.map(problemOfLabel).find((problem) => problem !== undefined);
  if (badLabel !== undefined) return reject(badLabel);
  if (NUMBER.test(labels.at(-1) ?? '')) return reject('it ends in a number and may be taken for an IP address');
  if (name !== bare && labels.length < 2) return reject('a wildcard needs at least two labels below it');
  return { type: 'dns', value: name };
}

/** Whether a text that may be anything, such as a common name, is the name of a host with a domain, or an address. */
export const isServerName = (text: string): boolean =>
  parseIpAddress(text) !== undefined || (text.includes('.') && !(readDnsName(text) instanceof Error));

/** RFC 8738 §3: the text forms of RFC 1123 and RFC 5952 and no other. */
function readIpAddress(text: string): Identifier | AcmeRefusal {
  const octets = parseIpAddress(text);
  const canonical = octets && formatIpAddress(octets);
  if (canonical !== undefined && canonical === text) return { type: 'ip', value: canonical };
  const identifier = { type: 'ip', value: printable(text) } as const;
  if (canonical === undefined) return refusal('malformed', 'The IP address cannot be read.', { identifier });
  return refusal('malformed', `The IP address is not in its canonical form, which is ${canonical}.`, { identifier });
}

/** What a client sent, safe to show in a terminal. */
const printable = (text: string): string => text.slice(0, MAX_NAME_LENGTH).replaceAll(/[^\x20-\x7e]/g, '?');

/** One text for each identifier, e.g. to compare the names of an order and a request. */
export const nameOf = ({ type, value }: Identifier): string => `${type}:${value}`;

export const namesOf = (identifiers: readonly Identifier[]): string[] =>
  [...new Set(identifiers.map(nameOf))].toSorted();

export const isWildcard = ({ type, value }: Identifier): boolean => type === 'dns' && value.startsWith('*.');

/** The name that control is proven of: a wildcard is proven by its base domain (RFC 8555 §7.1.4). */
export const provenName = ({ value }: Identifier): string => value.replace(/^\*\./, '');
