// Finds the RA profile that a command refers to.
import type { Flags } from '../command-line/command.ts';
import type { Connection } from './connect.ts';
import { findNamed } from './find-named.ts';

export const raProfileFlag = {
  'ra-profile': { value: 'NAME', initial: 'default', about: 'RA profile' },
} as const satisfies Flags;

/** Finds an RA profile by name or UUID. */
export async function findRaProfile(
  { client, options }: Connection,
  given: string,
): Promise<{ readonly uuid: string; readonly name: string }> {
  return findNamed('RA', await client.raProfiles.listRaProfiles({}, options), given);
}
