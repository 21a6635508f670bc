// RA profiles of the first generation: the certificate profile that they choose, and the settings of certificates that
// are kept with each end entity.
import { rejected, validateAttributes } from '@signetry/connector-sdk';
import type { BaseAttributeDto, RaProfileDto, RequestAttributeDto } from '@signetry/contract';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import { readProfile } from '../profiles/certificate-profile.ts';
import {
  CERTIFICATE_PROFILES,
  presentCertificateProfile,
  settingsOf,
  type CertificateProfileName,
} from './certificate-profiles.ts';
import { idOf, requireProfile, type EndEntityProfile } from './end-entity-profiles.ts';
import { certificateSettings, LEGACY, legacyRaProfileAttributes, readChosenName } from './legacy-attributes.ts';
import { endEntityProfilesOf, type LegacyParts } from './legacy-parts.ts';

/** What an RA profile says about the certificates of its end entities. */
export interface CertificateChoice {
  readonly certificateProfile: CertificateProfileName;
  readonly settings: readonly RequestAttributeDto[];
}

export async function raProfileDefinitions(parts: LegacyParts, authorityUuid: string): Promise<BaseAttributeDto[]> {
  const authority = await parts.registry.get(authorityUuid);
  const profiles = await endEntityProfilesOf(parts, authorityUuid);
  const offered = new Set(profiles.flatMap(({ certificateProfiles }) => certificateProfiles));
  return legacyRaProfileAttributes({
    endEntityProfiles: profiles.map(({ id, name }) => ({ id, name })),
    certificateProfiles: CERTIFICATE_PROFILES.filter((name) => offered.has(name)).map(presentCertificateProfile),
    authorities: [presentAuthorityName(authority)],
    deltaCrls: authority.crlOnRevocation === 'delta',
  });
}

export const presentAuthorityName = ({ uuid, name }: SigningAuthority) => ({ id: idOf(uuid), name });

/** Refuses bad attributes of an RA profile. */
export async function checkRaProfile(
  parts: LegacyParts,
  authorityUuid: string,
  attributes: readonly RequestAttributeDto[],
): Promise<void> {
  const problems = validateAttributes(await raProfileDefinitions(parts, authorityUuid), attributes);
  if (problems.length > 0) throw rejected(...problems);
  const chosen = readChosenName(attributes, LEGACY.endEntityProfile) ?? '';
  const profile = requireProfile(await endEntityProfilesOf(parts, authorityUuid), chosen);
  readChoice(profile, attributes, { allowPlaceholders: true });
}

/** Of an RA profile as it comes with an end entity: its attributes are those that the platform keeps. */
export const choiceOf = (profile: EndEntityProfile, raProfile: RaProfileDto): CertificateChoice =>
  readChoice(
    profile,
    (raProfile.attributes ?? []).map(({ uuid, name, contentType, content = [] }) => ({
      uuid: uuid ?? '',
      name,
      contentType,
      content,
    })),
    { allowPlaceholders: false },
  );

function readChoice(
  profile: EndEntityProfile,
  attributes: readonly RequestAttributeDto[],
  options: { readonly allowPlaceholders: boolean },
): CertificateChoice {
  const named = readChosenName(attributes, LEGACY.endEntityProfile);
  if (named !== undefined && named !== profile.name)
    throw rejected(`The RA profile is for the end entity profile ${named}, not for ${profile.name}.`);
  const wanted = readChosenName(attributes, LEGACY.certificateProfile) ?? profile.certificateProfiles[0];
  const certificateProfile = profile.certificateProfiles.find((name) => name === wanted);
  if (certificateProfile === undefined)
    throw rejected(
      `The end entity profile ${profile.name} has no certificate profile ${wanted}; it has ${profile.certificateProfiles.join(', ')}.`,
    );
  const settings = [...certificateSettings(attributes), ...settingsOf(certificateProfile)];
  readProfile(settings, options);
  return { certificateProfile, settings };
}
