// Profiles as the protocol server reads them on every request: with everything that issuing under them needs, remembered for
// a moment. `version` lets a statement make sure that what is remembered still holds.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RaProfileFacts, RaProfiles } from '../ra-profiles/index.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { activationHolder, profileHolder, type CertificateAttributes } from './certificate-attributes.ts';
import type { AcmeFamily } from './directory-url.ts';
import type { AcmeProfileRow } from './tables.ts';
import type { Association, Associations } from './associations.ts';
import { isNameInUrls } from './settings.ts';
import * as store from './store.ts';

/** Attributes carry secrets: never log a profile. */
export interface ServedProfile {
  /** Under whose name it is served. */
  readonly family: AcmeFamily;
  readonly uuid: string;
  /** Of the ACME profile, in both families. */
  readonly name: string;
  readonly version: number;
  readonly enabled: boolean;
  /** What certificates are issued with: the one of the ACME profile, or the one whose name it is served under. */
  readonly raProfile: ServedRaProfile | undefined;
  readonly retryIntervalS: number;
  readonly validityS: number;
  /** Undefined: the resolver of the system. */
  readonly dnsResolverIp: string | undefined;
  readonly dnsResolverPort: number;
  readonly requireContact: boolean;
  readonly requireTermsOfService: boolean;
  readonly termsOfServiceUrl: string | undefined;
  readonly websiteUrl: string | undefined;
  readonly termsOfServiceChangeDisable: boolean;
  readonly termsOfServiceChangeUrl: string | undefined;
  readonly externalAccountRequired: boolean;
  /** Names that a CAA record may permit, in lower case; none: CAA is not checked. */
  readonly caaIdentities: readonly string[];
  readonly authorizationReuseS: number;
  readonly allowLoopbackValidation: boolean;
  /** In the form in which requests for certificates carry them. */
  readonly issueAttributes: readonly RequestAttributeDto[];
  readonly revokeAttributes: readonly RequestAttributeDto[];
  /** What its certificates belong to. */
  readonly association: Association;
}

export interface ServedRaProfile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Undefined after the authority was removed by force. */
  readonly authorityUuid: string | undefined;
}

export interface ServedProfileParts {
  readonly raProfiles: RaProfiles;
  readonly certificateAttributes: CertificateAttributes;
  readonly associations: Associations;
}

export type ServedProfiles = ReturnType<typeof createServedProfiles>;

export function createServedProfiles({ database, clock }: Platform, parts: ServedProfileParts) {
  const { raProfiles, certificateAttributes, associations } = parts;
  const { executor } = database;
  const cache = createExpiringCache({
    clock,
    load: (key: string): Promise<ServedProfile | undefined> => {
      const [family = '', name = ''] = key.split(' ');
      return family === 'profile' ? loadProfile(name) : loadActivated(name);
    },
  });

  async function loadProfile(name: string): Promise<ServedProfile | undefined> {
    const row = await store.findByName(executor, name);
    if (!row) return undefined;
    const facts = row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid);
    const values = await certificateAttributes.readForRequests(profileHolder(row));
    const association = await associations.read(row);
    return servedProfile(row, { family: 'profile', raProfile: facts && served(facts), values, association });
  }

  async function loadActivated(raProfileName: string): Promise<ServedProfile | undefined> {
    const facts = await raProfiles.findByName(raProfileName);
    const row = facts && (await store.findActivated(executor, facts.uuid));
    if (!row) return undefined;
    const holder = activationHolder({
      ra_profile_uuid: row.activated_on,
      connector_uuid: row.activation_connector_uuid,
    });
    const values = await certificateAttributes.readForRequests(holder);
    const association = await associations.read(row);
    return servedProfile(row, { family: 'raProfile', raProfile: served(facts), values, association });
  }

  return {
    /** The profile served under a name of a family; undefined when there is none, whatever its state otherwise. */
    find: (family: AcmeFamily, name: string): Promise<ServedProfile | undefined> =>
      isNameInUrls(name) ? cache.get(`${family} ${name}`) : Promise.resolve(undefined),
    /** After a change on this node. Changes are rare, so everything is read anew. */
    forget: (): void => cache.invalidate(),
  };
}

const served = ({ uuid, name, enabled, authorityUuid }: RaProfileFacts): ServedRaProfile => ({
  uuid,
  name,
  enabled,
  authorityUuid: authorityUuid ?? undefined,
});

const servedProfile = (
  row: AcmeProfileRow,
  facts: Pick<ServedProfile, 'family' | 'raProfile' | 'association'> & {
    readonly values: {
      readonly issue: readonly RequestAttributeDto[];
      readonly revoke: readonly RequestAttributeDto[];
    };
  },
): ServedProfile => ({
  family: facts.family,
  uuid: row.uuid,
  name: row.name,
  version: row.version,
  enabled: row.enabled,
  raProfile: facts.raProfile,
  retryIntervalS: row.retry_interval_s,
  validityS: row.validity_s,
  dnsResolverIp: row.dns_resolver_ip ?? undefined,
  dnsResolverPort: row.dns_resolver_port,
  requireContact: row.require_contact,
  requireTermsOfService: row.require_terms_of_service,
  termsOfServiceUrl: row.terms_of_service_url ?? undefined,
  websiteUrl: row.website_url ?? undefined,
  termsOfServiceChangeDisable: row.terms_of_service_change_disable,
  termsOfServiceChangeUrl: row.terms_of_service_change_url ?? undefined,
  externalAccountRequired: row.external_account_required,
  caaIdentities: row.caa_identities,
  authorizationReuseS: row.authorization_reuse_s,
  allowLoopbackValidation: row.allow_loopback_validation,
  issueAttributes: facts.values.issue,
  revokeAttributes: facts.values.revoke,
  association: facts.association,
});
