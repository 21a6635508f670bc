// Additional challenges that a profile can offer. Pure.
import { publicHostOf } from '../../platform/net/public-names.ts';
import type { Settings } from './settings.ts';
import type { AcmeProfileRow } from './tables.ts';

type RetainedColumns = Pick<AcmeProfileRow, 'additional_challenges' | 'caa_identities' | 'caa_by_default'>;

/**
 * dns-persist-01 records identify the authority by name, as CAA records do, so a profile without such a name cannot
 * offer this challenge. Fields omitted from a request keep their values.
 */
export function problemsOfChallenges(
  request: Pick<Settings, 'additionalChallenges' | 'caaIdentities' | 'caaByDefault'>,
  { kept, directoryBase }: { readonly kept: RetainedColumns; readonly directoryBase: string },
): string[] {
  const challenges = request.additionalChallenges ?? kept.additional_challenges;
  if (!challenges.includes('dns-persist-01')) return [];
  const isByDefault = request.caaByDefault ?? (request.caaIdentities === undefined && kept.caa_by_default);
  if (isByDefault && publicHostOf(directoryBase) !== undefined) return [];
  const identities = isByDefault ? [] : (request.caaIdentities ?? kept.caa_identities);
  if (identities.length > 0) return [];
  const reason = isByDefault
    ? `the public URL, ${directoryBase}, has no public host name to use by default`
    : 'caaIdentities is empty';
  return [
    `additionalChallenges: dns-persist-01 requires an issuer domain name for its records, but ${reason}; add the name to caaIdentities, or remove dns-persist-01`,
  ];
}
