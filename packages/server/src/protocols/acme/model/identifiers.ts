// Canonical form of order identifiers (RFC 8555 §7.1.4, §9.7.7; RFC 8738 §3). Pure.
import { endsInNumber, formatIpAddress, hostNameForm, parseIpAddress, type HostNameRules } from '@signetry/pki';
import { problemOfLabel } from './a-label.ts';
import { detailOfSubproblems, rejection, storedProblem, type AcmeRejection } from './problems.ts';
import type { Identifier } from './vocabulary.ts';

/**
 * Clients reject certificates with more names, and the certificate, the CSR and the order response grow with the number
 * of names.
 */
const MAX_IDENTIFIERS = 100;

const MAX_NAME_LENGTH = 253;

/** Returns whether any of the identifiers contains an underscore, which only some RA profiles allow. */
export const haveUnderscore = (requested: unknown): boolean =>
  Array.isArray(requested) && JSON.stringify(requested).includes('_');

/** Parses the identifiers of a new order; rejects invalid ones with one problem each (RFC 8555 §6.7.1). */
export function readIdentifiers(requested: unknown, rules: HostNameRules = {}): readonly Identifier[] {
  if (!Array.isArray(requested) || requested.length === 0)
    throw rejection('malformed', '"identifiers" must contain at least one identifier.');
  if (requested.length > MAX_IDENTIFIERS)
    throw rejection('malformed', `An order can contain at most ${MAX_IDENTIFIERS} identifiers.`);
  const problems: AcmeRejection[] = [];
  const found = new Map<string, Identifier>();
  for (const each of requested as readonly unknown[]) {
    const read = readIdentifier(each, rules);
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

function readIdentifier(value: unknown, rules: HostNameRules): Identifier | AcmeRejection {
  // The members are checked below.
  const { type, value: text } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof text !== 'string')
    return rejection('malformed', 'An identifier must have the string members "type" and "value".');
  if (type === 'dns') return readDnsName(text, rules);
  if (type === 'ip') return readIpAddress(text);
  return rejection('unsupportedIdentifier', 'Only the identifier types dns and ip are supported.');
}

function readDnsName(text: string, rules: HostNameRules): Identifier | AcmeRejection {
  const written = text.toLowerCase().replace(/\.$/, '');
  const identifier = { type: 'dns', value: printable(written) } as const;
  const reject = (why: string) => rejection('rejectedIdentifier', `Invalid DNS name: ${why}.`, { identifier });
  if (parseIpAddress(written) !== undefined) return reject('it is an IP address; use the type ip');
  const form = hostNameForm(text, rules);
  if ('problem' in form) return reject(`it ${form.problem}`);
  const name = form.name.toLowerCase();
  const bare = name.replace(/^\*\./, '');
  const labels = bare.split('.');
  const badLabel = labels.map(problemOfLabel).find((problem) => problem !== undefined);
  if (badLabel !== undefined) return reject(badLabel);
  if (endsInNumber(bare)) return reject('it ends in a number and could be mistaken for an IP address');
  if (name !== bare && labels.length < 2) return reject('a wildcard needs at least two labels after it');
  return { type: 'dns', value: name };
}

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
