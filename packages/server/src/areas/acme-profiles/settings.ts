// Settings of ACME profiles: which are refused, and their columns. Pure.
import { isIP } from 'node:net';
import {
  MAX_NAME_LENGTH,
  SYSTEM_DNS_RESOLVER,
  type AcmeProfileEditRequestDto,
  type AcmeProfileRequestDto,
} from '@signetry/contract';
import { problemsOfNamePolicy, storedNamePolicy } from './name-policy.ts';
import { problemsOfOffers, storedOffers } from './offered-profiles.ts';

const DNS_PORT = 53;

/** Labels of letters and digits (RFC 8659 §4.2). */
const CAA_IDENTITY = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
/** Links are written into headers between angle brackets (RFC 8288 §3). */
const URI_CHARACTERS = /^[!#-;=?-Z[\]_a-z~%]+$/;

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
  if (settings.caaByDefault && settings.caaIdentities !== undefined)
    problems.push('caaIdentities: must be absent where caaByDefault is true');
  return [...problems, ...problemsOfNamePolicy(settings.namePolicy), ...problemsOfOffers(settings.offeredProfiles)];
}

/** Null: the resolver of the system. */
export const resolverOf = (text: string): string | null =>
  text === '' || text.toLowerCase() === SYSTEM_DNS_RESOLVER.toLowerCase() ? null : text;

/** Undefined when it is not a port; an empty text means the usual one. */
export function portOf(text: string): number | undefined {
  if (text === '') return DNS_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function isWebUrl(text: string): boolean {
  if (!URI_CHARACTERS.test(text) || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}

/** What the interface says for a request that leaves everything out. */
export const defaultSettings = {
  dnsResolverIp: '',
  dnsResolverPort: String(DNS_PORT),
  retryInterval: 30,
  validity: 36_000,
  requireContact: false,
  requireTermsOfService: false,
  issueCertificateAttributes: [],
  revokeCertificateAttributes: [],
} satisfies Partial<AcmeProfileRequestDto>;

/** Columns of the settings; those that a request leaves out and that are to be kept are not among them. */
export const columnsOf = (request: Settings) => ({
  description: request.description || null,
  terms_of_service_url: request.termsOfServiceUrl || null,
  website_url: request.websiteUrl || null,
  dns_resolver_ip: resolverOf(request.dnsResolverIp),
  dns_resolver_port: portOf(request.dnsResolverPort) ?? DNS_PORT,
  retry_interval_s: request.retryInterval,
  validity_s: request.validity,
  require_contact: request.requireContact,
  require_terms_of_service: request.requireTermsOfService,
  ...(request.externalAccountRequired === undefined
    ? {}
    : { external_account_required: request.externalAccountRequired }),
  ...(request.caaIdentities === undefined
    ? {}
    : {
        caa_identities: [...new Set(request.caaIdentities.map((identity) => identity.toLowerCase()))],
        caa_by_default: false,
      }),
  ...(request.caaByDefault === undefined ? {} : { caa_by_default: request.caaByDefault }),
  ...(request.authorizationReuse === undefined ? {} : { authorization_reuse_s: request.authorizationReuse }),
  ...(request.allowLoopbackValidation === undefined
    ? {}
    : { allow_loopback_validation: request.allowLoopbackValidation }),
  ...(request.namePolicy === undefined ? {} : { name_policy: storedNamePolicy(request.namePolicy) }),
  ...(request.offeredProfiles === undefined ? {} : { offered_profiles: storedOffers(request.offeredProfiles) }),
  ...(request.additionalChallenges === undefined
    ? {}
    : { additional_challenges: [...new Set(request.additionalChallenges)] }),
});
