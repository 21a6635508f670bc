// The RA profile that a command is about.
import type { Flags } from '../command-line/command.ts';
import { CliFailure } from '../failures.ts';
import type { Connection } from './connect.ts';

export const raProfileFlag = {
  'ra-profile': { value: 'NAME', initial: 'default', about: 'RA profile' },
} as const satisfies Flags;

/** Finds an RA profile by name or UUID. */
export async function findRaProfile(
  { client, options }: Connection,
  given: string,
): Promise<{ readonly uuid: string; readonly name: string }> {
  const profiles = await client.raProfiles.listRaProfiles({}, options);
  const profile =
    profiles.find(({ name }) => name === given) ?? profiles.find(({ uuid }) => uuid === given.toLowerCase());
  if (profile) return profile;
  const names = profiles.map(({ name }) => name).join(', ');
  throw new CliFailure(`There is no RA profile ${given}, or it is not visible to you.`, {
    help: [names === '' ? 'There are no RA profiles.' : `RA profiles: ${names}.`],
  });
}
