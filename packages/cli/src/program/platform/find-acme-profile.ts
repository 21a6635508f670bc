// Finds the ACME profile that a command refers to.
import type { AcmeProfileListDto } from '@signetry/contract';
import type { Flags } from '../command-line/command.ts';
import type { Connection } from './connect.ts';
import { findNamed } from './find-named.ts';

export const DEFAULT_ACME_PROFILE = 'default';

export const acmeProfileFlag = {
  profile: { value: 'NAME', initial: DEFAULT_ACME_PROFILE, about: 'ACME profile' },
} as const satisfies Flags;

/** Finds an ACME profile by name or UUID. */
export async function findAcmeProfile({ client, options }: Connection, given: string): Promise<AcmeProfileListDto> {
  return findNamed('ACME', await client.acmeProfiles.listAcmeProfiles({}, options), given);
}
