// What has to hold of a profile before anything is done under it.
import { linkTo } from '../../../platform/http/header-url.ts';
import { refusal } from '../model/problems.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';

/** The RA profile that certificates are issued with; there when `assertServed` let a request pass. */
export type IssuingRaProfile = NonNullable<ServedAcmeProfile['raProfile']> & { readonly authorityUuid: string };

/** Refuses a profile that is unknown, disabled, or without an RA profile that can issue. */
export function assertServed(profile: ServedAcmeProfile | undefined, name: string): ServedAcmeProfile {
  if (!profile) throw refusal('malformed', `ACME is not served under the name ${name.slice(0, 100)}.`);
  if (!profile.enabled)
    throw refusal('malformed', `The ACME profile ${profile.name} is disabled; an administrator can enable it.`);
  const { raProfile } = profile;
  if (!raProfile?.authorityUuid)
    throw refusal('malformed', `The ACME profile ${profile.name} has no RA profile to issue certificates with.`);
  if (!raProfile.enabled)
    throw refusal('malformed', `The RA profile ${raProfile.name} is disabled; an administrator can enable it.`);
  return profile;
}

/** After a change of the terms an administrator may hold back every client until it agreed (RFC 8555 §7.3.3). */
export function assertTermsUnchanged(profile: ServedAcmeProfile): void {
  if (profile.family !== 'profile' || !profile.termsOfServiceChangeDisable) return;
  const changes = profile.termsOfServiceChangeUrl ?? profile.termsOfServiceUrl;
  throw refusal('userActionRequired', 'The terms of service have changed. Read and agree to them before you go on.', {
    ...(profile.termsOfServiceUrl === undefined ? {} : { instance: profile.termsOfServiceUrl }),
    ...(changes === undefined ? {} : { headers: { link: linkTo(changes, 'terms-of-service') } }),
  });
}

/** For use after `assertServed`. */
export function raProfileOf({ name, raProfile }: ServedAcmeProfile): IssuingRaProfile {
  if (!raProfile?.authorityUuid) throw refusal('malformed', `The ACME profile ${name} has no RA profile.`);
  return { ...raProfile, authorityUuid: raProfile.authorityUuid };
}
