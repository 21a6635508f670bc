// ACME profile settings: their validation and their columns. Pure.
import { isIP } from 'node:net';
import {
  MAX_NAME_LENGTH,
  SYSTEM_DNS_RESOLVER,
  type AcmeAdditionalChallenge,
  type AcmeProfileEditRequestDto,
  type AcmeProfileRequestDto,
} from '@signetry/contract';
import { description, optionalText, settingsOf } from '../protocol-profiles/index.ts';
import { problemsOfNamePolicy, storedNamePolicy, type NamePolicy } from './name-policy.ts';
import { problemsOfOffers, storedOffers } from './offered-profiles.ts';

const DNS_PORT = 53;

/** Labels of letters, digits and hyphens (RFC 8659 §4.2). */
const CAA_IDENTITY = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
/** Characters permitted in links, which are written between angle brackets in headers (RFC 8288 §3). */
const URI_CHARACTERS = /^[!#-;=?-Z[\]_a-z~%]+$/;

/** Settings common to creation and edits; an edit can omit attributes. */
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
    problems.push('dnsResolverIp: must be an IP address, or empty for the system resolver');
  if (portOf(settings.dnsResolverPort) === undefined) problems.push('dnsResolverPort: must be from 1 to 65535');
  for (const field of ['termsOfServiceUrl', 'websiteUrl', 'termsOfServiceChangeUrl'] as const)
    if (settings[field] && !isWebUrl(settings[field])) problems.push(`${field}: must be an http or https URL`);
  for (const identity of settings.caaIdentities ?? [])
    if (!CAA_IDENTITY.test(identity) || identity.length > MAX_NAME_LENGTH)
      problems.push(`caaIdentities: ${JSON.stringify(identity.slice(0, 100))} is not a domain name`);
  if (settings.caaByDefault && settings.caaIdentities !== undefined)
    problems.push('caaIdentities: must be absent if caaByDefault is true');
  return [...problems, ...problemsOfNamePolicy(settings.namePolicy), ...problemsOfOffers(settings.offeredProfiles)];
}

/** Returns null if the system resolver is used. */
export function resolverOf(text: string): string | null {
  return text === '' || text.toLowerCase() === SYSTEM_DNS_RESOLVER.toLowerCase() ? null : text;
}

/** Returns undefined if the text is not a port; empty text means the default port. */
export function portOf(text: string): number | undefined {
  if (text === '') return DNS_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function isWebUrl(text: string): boolean {
  if (!URI_CHARACTERS.test(text) || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}

/** API defaults for omitted fields. */
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

export const acmeSettings = settingsOf<Settings>()({
  description,
  termsOfServiceUrl: { ...optionalText('terms_of_service_url'), omitted: 'reset' },
  websiteUrl: { ...optionalText('website_url'), omitted: 'reset' },
  dnsResolverIp: { column: 'dns_resolver_ip', store: resolverOf },
  dnsResolverPort: {
    column: 'dns_resolver_port',
    store: (text: string): number => portOf(text) ?? DNS_PORT,
    present: String,
  },
  /** Seconds, like all durations here. */
  retryInterval: { column: 'retry_interval_s' },
  validity: { column: 'validity_s' },
  requireContact: { column: 'require_contact' },
  requireTermsOfService: { column: 'require_terms_of_service' },
  /** A change to a new profile's terms does not disable it by default. */
  termsOfServiceChangeDisable: { column: 'terms_of_service_change_disable', initial: false },
  termsOfServiceChangeUrl: { ...optionalText('terms_of_service_change_url'), omitted: 'reset' },
  externalAccountRequired: { column: 'external_account_required', initial: false },
  externalAccountValidates: { column: 'external_account_validates', initial: false },
  /** Issuer names in lowercase. If empty, CAA records are not checked. */
  caaIdentities: { column: 'caa_identities', initial: [], store: caaIdentitiesOf, present: false },
  /** Whether the profile uses the platform's CAA identities. */
  caaByDefault: { column: 'caa_by_default', initial: true },
  /** How long a validated authorization is reused; 0: each order validates its names again. */
  authorizationReuse: { column: 'authorization_reuse_s', initial: 0 },
  allowLoopbackValidation: { column: 'allow_loopback_validation', initial: false },
  namePolicy: { column: 'name_policy', initial: null as NamePolicy | null, store: storedNamePolicy },
  offeredProfiles: { column: 'offered_profiles', initial: {}, store: storedOffers, present: false },
  additionalChallenges: {
    column: 'additional_challenges',
    initial: [],
    store: (challenges: readonly AcmeAdditionalChallenge[]): AcmeAdditionalChallenge[] => [...new Set(challenges)],
  },
});

/** Columns that a request may omit. */
export type RetainedSettings = typeof acmeSettings.initial;

function caaIdentitiesOf(identities: readonly string[]): string[] {
  return [...new Set(identities.map((identity) => identity.toLowerCase()))];
}

/** A profile that specifies its own names no longer uses the default. */
export const columnsOf = (request: Settings, kept: RetainedSettings) => ({
  ...acmeSettings.columns(request, kept),
  caa_by_default: request.caaByDefault ?? (request.caaIdentities === undefined && kept.caa_by_default),
});
