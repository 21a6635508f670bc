// Rules of ACME profiles that need no database. Pure.
import { isIP } from 'node:net';
import {
  MAX_NAME_LENGTH,
  SYSTEM_DNS_RESOLVER,
  type AcmeProfileEditRequestDto,
  type AcmeProfileRequestDto,
} from '@signetry/contract';
import { FAMILY_WORD } from './directory-url.ts';

export const DNS_PORT = 53;

/** Unreserved characters (RFC 3986 §2.3). */
const NAME = /^[A-Za-z0-9._~-]+$/;
/** Labels of letters and digits (RFC 8659 §4.2). */
const CAA_IDENTITY = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
/** Links stand in headers between angle brackets (RFC 8288 §3). */
const URI_CHARACTERS = /^[!#-;=?-Z[\]_a-z~%]+$/;

/** Can a directory be served under the name at all? */
export const isNameInUrls = (name: string): boolean => NAME.test(name);

export function problemsOfName(name: string): string[] {
  if (name === FAMILY_WORD)
    return [`The name ${FAMILY_WORD} is taken: it begins the addresses of RA profiles. Choose another one.`];
  // Clients take "." and ".." out of paths (RFC 3986 §5.2.4).
  if (isNameInUrls(name) && name.length <= MAX_NAME_LENGTH && name !== '.' && name !== '..') return [];
  return [
    `The name of an ACME profile stands in URLs: letters, digits, "-", ".", "_" and "~" only, at most ${MAX_NAME_LENGTH}.`,
  ];
}

/** What a new profile and an edit have in common; an edit may leave attributes out. */
export type Settings = Omit<
  AcmeProfileRequestDto,
  'name' | 'issueCertificateAttributes' | 'revokeCertificateAttributes'
> &
  Partial<AcmeProfileEditRequestDto>;

export function problemsOfSettings(settings: Settings): string[] {
  const problems: string[] = [];
  for (const field of ['retryInterval', 'validity', 'authorizationReuse'] as const)
    if ((settings[field] ?? 0) < 0) problems.push(`${field}: must not be negative`);
  if (resolverOf(settings.dnsResolverIp) !== null && isIP(settings.dnsResolverIp) === 0)
    problems.push('dnsResolverIp: must be an IP address, or empty for the resolver of the system');
  if (portOf(settings.dnsResolverPort) === undefined) problems.push('dnsResolverPort: must be from 1 to 65535');
  for (const field of ['termsOfServiceUrl', 'websiteUrl', 'termsOfServiceChangeUrl'] as const)
    if (settings[field] && !isWebUrl(settings[field])) problems.push(`${field}: must be an http or https URL`);
  for (const identity of settings.caaIdentities ?? [])
    if (!CAA_IDENTITY.test(identity) || identity.length > MAX_NAME_LENGTH)
      problems.push(`caaIdentities: ${JSON.stringify(identity.slice(0, 100))} is not a domain name`);
  return problems;
}

/** Null: the resolver of the system. */
export const resolverOf = (text: string): string | null =>
  text === '' || text.toLowerCase() === SYSTEM_DNS_RESOLVER.toLowerCase() ? null : text;

/** Undefined when it is none; an empty text is the usual one. */
export function portOf(text: string): number | undefined {
  if (text === '') return DNS_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function isWebUrl(text: string): boolean {
  if (!URI_CHARACTERS.test(text) || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}
