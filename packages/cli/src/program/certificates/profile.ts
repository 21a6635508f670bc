// The RA profile under which a certificate is requested, and the profile's authority.
import { CliFailure } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail } from './responses.ts';
import { titleOf } from './title.ts';

export interface ProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Finds a profile by name or UUID. */
export async function findProfile({ client, options }: Connection, name: string): Promise<ProfilePath> {
  const profiles = await client.raProfiles.listRaProfiles({}, options);
  const profile = profiles.find((one) => one.name === name) ?? profiles.find((one) => one.uuid === name.toLowerCase());
  if (profile === undefined) {
    const usable = profiles.filter(({ enabled }) => enabled).map((one) => one.name);
    throw new CliFailure(`RA profile "${name}" not found, or not visible to you.`, {
      help: [
        usable.length === 0
          ? 'No enabled RA profile is visible to you.'
          : `Specify one with --profile: ${usable.join(', ')}.`,
      ],
    });
  }
  if (!profile.enabled)
    throw new CliFailure(`RA profile "${name}" is disabled.`, {
      help: ['Enable it, or specify a different one with --profile.'],
    });
  if (profile.authorityInstanceUuid === undefined)
    throw new CliFailure(`RA profile "${name}" has no authority: the authority was removed.`);
  return { authorityUuid: profile.authorityInstanceUuid, raProfileUuid: profile.uuid };
}

/** Returns a certificate's RA profile, which is required for renewal and revocation. */
export function profileOf(certificate: CertificateDetail): ProfilePath {
  const { raProfile } = certificate;
  if (raProfile?.authorityInstanceUuid === undefined)
    throw new CliFailure(`Certificate ${titleOf(certificate)} (${certificate.uuid}) has no RA profile.`, {
      help: ['Only certificates with an RA profile can be renewed or revoked. Assign one first.'],
    });
  return { authorityUuid: raProfile.authorityInstanceUuid, raProfileUuid: raProfile.uuid };
}
