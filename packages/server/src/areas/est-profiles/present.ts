// Presents EST profiles in the API format.
import type { EstProfileDto, EstProfileListDto } from '@signetry/contract';
import { presentAssociation, type OwnerAndGroups, type ShownProfileValues } from '../protocol-profiles/index.ts';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../ra-profiles/index.ts';
import { estUrl } from './protocol.ts';
import { estSettings } from './settings.ts';
import type { EstProfileRow } from './tables.ts';

export interface DisplayFacts {
  readonly raProfile: RaProfileFacts | undefined;
  readonly urlBase: string;
}

/** Presents a profile in a list. If it has no RA profile, nothing is served under its name, so it has no URL. */
export const presentListedProfile = (row: EstProfileRow, { raProfile, urlBase }: DisplayFacts): EstProfileListDto => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  description: row.description ?? undefined,
  raProfile: raProfile && presentSimplifiedRaProfile(raProfile),
  isDefault: row.is_default,
  url: raProfile && estUrl(urlBase, { family: 'profile', name: row.name }),
  bindNames: row.bind_names ?? undefined,
});

export const presentProfile = (
  row: EstProfileRow,
  shown: DisplayFacts &
    Pick<EstProfileDto, 'issueCertificateAttributes'> & {
      readonly association: OwnerAndGroups;
      readonly values: ShownProfileValues;
    },
): EstProfileDto => ({
  ...estSettings.present(row),
  ...presentListedProfile(row, shown),
  users: row.usernames.map((username) => ({ username })),
  issueCertificateAttributes: shown.issueCertificateAttributes,
  certificateAssociations: presentAssociation(shown.association, shown.values.ofCertificates),
});
