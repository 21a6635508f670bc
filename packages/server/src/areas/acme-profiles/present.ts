// Presents ACME profiles in the API format.
import type { AcmeProfileDto, AcmeProfileListDto } from '@signetry/contract';
import { presentAssociation, type OwnerAndGroups, type ShownProfileValues } from '../protocol-profiles/index.ts';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../ra-profiles/index.ts';
import { directoryUrl } from './directory-url.ts';
import { acmeSettings } from './settings.ts';
import type { AcmeProfileRow } from './tables.ts';

export interface DisplayFacts {
  readonly raProfile: RaProfileFacts | undefined;
  readonly directoryBase: string;
}

/**
 * Presents a profile as a list entry. A profile without an RA profile has no directory, because nothing is served under
 * its name.
 */
export const presentListedProfile = (
  row: AcmeProfileRow,
  { raProfile, directoryBase }: DisplayFacts,
): AcmeProfileListDto => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  description: row.description ?? undefined,
  raProfile: raProfile && presentSimplifiedRaProfile(raProfile),
  directoryUrl: raProfile && directoryUrl(directoryBase, { family: 'profile', name: row.name }),
});

export const presentProfile = (
  row: AcmeProfileRow,
  shown: DisplayFacts &
    Pick<AcmeProfileDto, 'issueCertificateAttributes' | 'revokeCertificateAttributes' | 'offeredProfiles'> & {
      readonly association: OwnerAndGroups;
      readonly values: ShownProfileValues;
    },
): AcmeProfileDto => ({
  ...acmeSettings.present(row),
  ...presentListedProfile(row, shown),
  issueCertificateAttributes: shown.issueCertificateAttributes,
  revokeCertificateAttributes: shown.revokeCertificateAttributes,
  certificateAssociations: presentAssociation(shown.association, shown.values.ofCertificates),
  customAttributes: shown.values.own,
  caaIdentities: row.caa_by_default ? undefined : row.caa_identities,
  offeredProfiles: shown.offeredProfiles,
});
