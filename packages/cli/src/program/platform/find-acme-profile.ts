// The ACME profile that a command is about.
import type { AcmeProfileListDto } from '@signetry/contract';
import type { Flags } from '../command-line/command.ts';
import { CliFailure } from '../failures.ts';
import type { Connection } from './connect.ts';

export const DEFAULT_ACME_PROFILE = 'default';

export const acmeProfileFlag = {
  profile: { value: 'NAME', initial: DEFAULT_ACME_PROFILE, about: 'ACME profile' },
} as const satisfies Flags;

/** Finds an ACME profile by name or UUID. */
export async function findAcmeProfile({ client, options }: Connection, name: string): Promise<AcmeProfileListDto> {
  const profiles = await client.acmeProfiles.listAcmeProfiles({}, options);
  const profile = profiles.find((one) => one.name === name) ?? profiles.find((one) => one.uuid === name.toLowerCase());
  if (profile === undefined) {
    const names = profiles.map((one) => one.name).join(', ');
    throw new CliFailure(`There is no ACME profile ${name}, or it is not visible to you.`, {
      help: [names === '' ? 'There are no ACME profiles.' : `ACME profiles: ${names}.`],
    });
  }
  return profile;
}
