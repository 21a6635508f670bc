// ACME profiles in the form of the interface.
import type { AcmeProfileDto, AcmeProfileListDto } from '@signetry/contract';
import { presentAssociation, type OwnerAndGroups, type ShownProfileValues } from '../protocol-profiles/index.ts';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../ra-profiles/index.ts';
import { directoryUrl } from './directory-url.ts';
import type { AcmeProfileRow } from './tables.ts';

export interface Shown {
  readonly raProfile: RaProfileFacts | undefined;
  readonly directoryBase: string;
}

/** Without RA profile nothing is served under the name of the profile, so it has no directory. */
export const presentListedProfile = (row: AcmeProfileRow, { raProfile, directoryBase }: Shown): AcmeProfileListDto => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  description: row.description ?? undefined,
  raProfile: raProfile && presentSimplifiedRaProfile(raProfile),
  directoryUrl: raProfile && directoryUrl(directoryBase, { family: 'profile', name: row.name }),
});

export const presentProfile = (
  row: AcmeProfileRow,
  shown: Shown &
    Pick<AcmeProfileDto, 'issueCertificateAttributes' | 'revokeCertificateAttributes' | 'offeredProfiles'> & {
      readonly association: OwnerAndGroups;
      readonly values: ShownProfileValues;
    },
): AcmeProfileDto => ({
  ...presentListedProfile(row, shown),
  termsOfServiceUrl: row.terms_of_service_url ?? undefined,
  websiteUrl: row.website_url ?? undefined,
  dnsResolverIp: row.dns_resolver_ip ?? undefined,
  dnsResolverPort: String(row.dns_resolver_port),
  retryInterval: row.retry_interval_s,
  termsOfServiceChangeDisable: row.terms_of_service_change_disable,
  validity: row.validity_s,
  termsOfServiceChangeUrl: row.terms_of_service_change_url ?? undefined,
  requireContact: row.require_contact,
  requireTermsOfService: row.require_terms_of_service,
  issueCertificateAttributes: shown.issueCertificateAttributes,
  revokeCertificateAttributes: shown.revokeCertificateAttributes,
  certificateAssociations: presentAssociation(shown.association, shown.values.ofCertificates),
  customAttributes: shown.values.own,
  externalAccountRequired: row.external_account_required,
  caaIdentities: row.caa_by_default ? undefined : row.caa_identities,
  caaByDefault: row.caa_by_default,
  authorizationReuse: row.authorization_reuse_s,
  allowLoopbackValidation: row.allow_loopback_validation,
  namePolicy: row.name_policy ?? undefined,
  offeredProfiles: shown.offeredProfiles,
  additionalChallenges: row.additional_challenges,
});
