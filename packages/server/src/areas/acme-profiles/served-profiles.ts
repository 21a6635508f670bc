// ACME profiles as the protocol server reads them on every request.
import type { AcmeAdditionalChallenge } from '@signetry/contract';
import {
  createServedProfiles,
  type ProfileParts,
  type ServedProfile,
  type ServedProfiles,
} from '../protocol-profiles/index.ts';
import type { NamePolicy } from './name-policy.ts';
import { serveOffers, type ServedOffer } from './offered-profiles.ts';
import type { AcmeProfileRow } from './tables.ts';

/** Attributes carry secrets: never log a profile. */
export interface ServedAcmeProfile extends ServedProfile {
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
  /** Names that a CAA record may permit, in lower case; none: CAA is not checked; undefined: the default. */
  readonly caaIdentities: readonly string[] | undefined;
  readonly authorizationReuseS: number;
  readonly allowLoopbackValidation: boolean;
  /** Undefined: no rule. */
  readonly namePolicy: NamePolicy | undefined;
  /** What an order may choose; nothing under the name of an RA profile, which is chosen by that. */
  readonly offeredProfiles: readonly ServedOffer[];
  /** Offered beside the challenges that every profile has. */
  readonly additionalChallenges: readonly AcmeAdditionalChallenge[];
}

export type ServedAcmeProfiles = ServedProfiles<ServedAcmeProfile>;

export const createServedAcmeProfiles = (parts: ProfileParts<AcmeProfileRow>): ServedAcmeProfiles =>
  createServedProfiles(parts, async (row, served) =>
    completed(row, {
      ...served,
      offeredProfiles: served.family === 'profile' ? await serveOffers(parts.raProfiles, row.offered_profiles) : [],
    }),
  );

const completed = (
  row: AcmeProfileRow,
  served: ServedProfile & Pick<ServedAcmeProfile, 'offeredProfiles'>,
): ServedAcmeProfile => ({
  ...served,
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
  caaIdentities: row.caa_by_default ? undefined : row.caa_identities,
  authorizationReuseS: row.authorization_reuse_s,
  allowLoopbackValidation: row.allow_loopback_validation,
  namePolicy: row.name_policy ?? undefined,
  additionalChallenges: row.additional_challenges,
});
