// Presents CMP profiles in the API format.
import type { CmpProfileDetailDto, CmpProfileDto } from '@signetry/contract';
import { presentAssociation, type OwnerAndGroups, type ShownProfileValues } from '../protocol-profiles/index.ts';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../ra-profiles/index.ts';
import { cmpUrl } from './cmp-url.ts';
import { cmpSettings } from './settings.ts';
import type { CmpProfileRow } from './tables.ts';

export interface DisplayFacts {
  readonly raProfile: RaProfileFacts | undefined;
  readonly directoryBase: string;
  readonly weakSecret: boolean;
}

/**
 * Presents a profile as a list entry. A profile without an RA profile has no URL, because nothing is served under its
 * name.
 */
export const presentListedProfile = (
  row: CmpProfileRow,
  { raProfile, directoryBase, weakSecret }: DisplayFacts,
): CmpProfileDto => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  variant: row.variant,
  description: row.description ?? undefined,
  raProfile: raProfile && presentSimplifiedRaProfile(raProfile),
  cmpUrl: raProfile && cmpUrl(directoryBase, { family: 'profile', name: row.name }),
  bindNames: row.bind_names ?? undefined,
  weakSecret,
});

export const presentProfile = (
  row: CmpProfileRow,
  shown: DisplayFacts &
    Pick<CmpProfileDetailDto, 'issueCertificateAttributes' | 'revokeCertificateAttributes' | 'signingCertificate'> & {
      readonly association: OwnerAndGroups;
      readonly values: ShownProfileValues;
    },
): CmpProfileDetailDto => ({
  ...cmpSettings.present(row),
  ...presentListedProfile(row, shown),
  issueCertificateAttributes: shown.issueCertificateAttributes,
  revokeCertificateAttributes: shown.revokeCertificateAttributes,
  customAttributes: shown.values.own,
  signingCertificate: shown.signingCertificate,
  certificateAssociations: presentAssociation(shown.association, shown.values.ofCertificates),
});
