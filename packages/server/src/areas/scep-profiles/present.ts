// Presents SCEP profiles in the API format.
import type { ScepProfileDetailDto, ScepProfileDto } from '@signetry/contract';
import { presentAssociation, type OwnerAndGroups, type ShownProfileValues } from '../protocol-profiles/index.ts';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../ra-profiles/index.ts';
import { scepUrl } from './scep-url.ts';
import { scepSettings } from './settings.ts';
import type { ScepProfileRow } from './tables.ts';

export interface Shown {
  readonly raProfile: RaProfileFacts | undefined;
  readonly directoryBase: string;
  readonly weakSecret: boolean;
}

/** A profile without an RA profile is not served, so it has no URL. */
export const presentListedProfile = (
  row: ScepProfileRow,
  { raProfile, directoryBase, weakSecret }: Shown,
): ScepProfileDto => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  description: row.description ?? undefined,
  raProfile: raProfile && presentSimplifiedRaProfile(raProfile),
  includeCaCertificate: row.include_ca_certificate,
  includeCaCertificateChain: row.include_ca_certificate_chain,
  renewThreshold: row.renewal_threshold_days || undefined,
  scepUrl: raProfile && scepUrl(directoryBase, { family: 'profile', name: row.name }),
  enableIntune: row.enable_intune,
  bindNames: row.bind_names ?? undefined,
  weakSecret,
});

export const presentProfile = (
  row: ScepProfileRow,
  shown: Shown &
    Pick<ScepProfileDetailDto, 'issueCertificateAttributes' | 'caCertificate'> & {
      readonly association: OwnerAndGroups;
      readonly values: ShownProfileValues;
    },
): ScepProfileDetailDto => ({
  ...scepSettings.present(row),
  ...presentListedProfile(row, shown),
  issueCertificateAttributes: shown.issueCertificateAttributes,
  customAttributes: shown.values.own,
  caCertificate: shown.caCertificate,
  certificateAssociations: presentAssociation(shown.association, shown.values.ofCertificates),
  hasChallengePassword: row.sealed_challenge_password !== null,
  hasIntuneApplicationKey: row.sealed_intune_application_key !== null,
});
