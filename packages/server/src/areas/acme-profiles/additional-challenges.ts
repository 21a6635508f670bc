// Which challenges a profile may offer beside the usual ones. Pure.
import { publicHostOf } from '../../platform/net/public-names.ts';
import type { Settings } from './settings.ts';
import type { AcmeProfileRow } from './tables.ts';

type Kept = Pick<AcmeProfileRow, 'additional_challenges' | 'caa_identities' | 'caa_by_default'>;

/**
 * Records of dns-persist-01 name the authority as CAA records do, so a profile without such a name cannot offer it.
 * What a request leaves out is what was there.
 */
export function problemsOfChallenges(
  request: Pick<Settings, 'additionalChallenges' | 'caaIdentities' | 'caaByDefault'>,
  { kept, directoryBase }: { readonly kept: Kept; readonly directoryBase: string },
): string[] {
  const challenges = request.additionalChallenges ?? kept.additional_challenges;
  if (!challenges.includes('dns-persist-01')) return [];
  const isByDefault = request.caaByDefault ?? (request.caaIdentities === undefined && kept.caa_by_default);
  if (isByDefault && publicHostOf(directoryBase) !== undefined) return [];
  const identities = isByDefault ? [] : (request.caaIdentities ?? kept.caa_identities);
  if (identities.length > 0) return [];
  const reason = isByDefault
    ? `the public URL, ${directoryBase}, has no public host that it could be by default`
    : 'caaIdentities is empty';
  return [
    `additionalChallenges: dns-persist-01 needs the name of the issuer that its records are to hold, but ${reason}; list the name in caaIdentities, or leave dns-persist-01 out`,
  ];
}
