// Requirements that a profile must meet before it can serve requests.
import { linkTo } from '../../../platform/http/header-url.ts';
import { rejection } from '../model/problems.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';

/** RA profile under which certificates are issued; present if `assertServed` accepted the profile. */
export type IssuingRaProfile = NonNullable<ServedAcmeProfile['raProfile']> & { readonly authorityUuid: string };

/** Rejects a profile that is unknown, disabled, or without an RA profile that can issue. */
export function assertServed(profile: ServedAcmeProfile | undefined, name: string): ServedAcmeProfile {
  if (!profile) throw rejection('malformed', `There is no ACME directory with the name ${name.slice(0, 100)}.`);
  if (!profile.enabled)
    throw rejection('malformed', `ACME profile ${profile.name} is disabled. An administrator can enable it.`);
  const { raProfile } = profile;
  if (!raProfile?.authorityUuid)
    throw rejection('malformed', `ACME profile ${profile.name} has no RA profile for issuing certificates.`);
  if (!raProfile.enabled)
    throw rejection('malformed', `RA profile ${raProfile.name} is disabled. An administrator can enable it.`);
  return profile;
}

/**
 * Rejects requests while clients must agree to changed terms of service: an administrator can block all clients until
 * they have agreed (RFC 8555 §7.3.3).
 */
export function assertTermsUnchanged(profile: ServedAcmeProfile): void {
  if (profile.family !== 'profile' || !profile.termsOfServiceChangeDisable) return;
  const changes = profile.termsOfServiceChangeUrl ?? profile.termsOfServiceUrl;
  throw rejection('userActionRequired', 'The terms of service have changed. Read and accept them to continue.', {
    ...(profile.termsOfServiceUrl === undefined ? {} : { instance: profile.termsOfServiceUrl }),
    ...(changes === undefined ? {} : { headers: { link: linkTo(changes, 'terms-of-service') } }),
  });
}

/** Call only after `assertServed`. */
export function raProfileOf({ name, raProfile }: ServedAcmeProfile): IssuingRaProfile {
  if (!raProfile?.authorityUuid) throw rejection('malformed', `ACME profile ${name} has no RA profile.`);
  return { ...raProfile, authorityUuid: raProfile.authorityUuid };
}
