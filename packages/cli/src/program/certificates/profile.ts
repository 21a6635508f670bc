// The RA profile that a certificate is requested under, with its authority.
import { CliFailure } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail } from './answers.ts';
import { titleOf } from './title.ts';

export interface ProfileAddress {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Finds a profile by name or UUID. */
export async function findProfile({ client, options }: Connection, name: string): Promise<ProfileAddress> {
  const profiles = await client.raProfiles.listRaProfiles({}, options);
  const profile = profiles.find((one) => one.name === name) ?? profiles.find((one) => one.uuid === name.toLowerCase());
  if (profile === undefined) {
    const usable = profiles.filter(({ enabled }) => enabled).map((one) => one.name);
    throw new CliFailure(`There is no RA profile ${name}, or it is not visible to you.`, {
      help: [usable.length === 0 ? 'No RA profile can be used.' : `Choose with --profile: ${usable.join(', ')}.`],
    });
  }
  if (!profile.enabled)
    throw new CliFailure(`The RA profile ${name} is disabled.`, {
      help: ['Enable it, or choose another with --profile.'],
    });
  if (profile.authorityInstanceUuid === undefined)
    throw new CliFailure(`The RA profile ${name} has no authority: it was removed.`);
  return { authorityUuid: profile.authorityInstanceUuid, raProfileUuid: profile.uuid };
}

/** The profile of a certificate, which renewing and revoking go through. */
export function profileOf(certificate: CertificateDetail): ProfileAddress {
  const { raProfile } = certificate;
  if (raProfile?.authorityInstanceUuid === undefined)
    throw new CliFailure(`The certificate ${titleOf(certificate)} (${certificate.uuid}) has no RA profile.`, {
      help: ['Only certificates under an RA profile can be renewed or revoked; assign one first.'],
    });
  return { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid };
}
