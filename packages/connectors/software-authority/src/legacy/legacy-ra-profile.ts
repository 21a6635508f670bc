// First-generation RA profiles: the selected certificate profile, and the certificate settings stored with each end
// entity.
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

/** Certificate settings that an RA profile specifies for its end entities. */
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

/** Rejects invalid RA profile attributes. */
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

/** Reads the RA profile sent with an end entity; its attributes are those stored by the platform. */
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
    throw rejected(`The RA profile belongs to the end entity profile ${named}, not to ${profile.name}.`);
  const wanted = readChosenName(attributes, LEGACY.certificateProfile) ?? profile.certificateProfiles[0];
  const certificateProfile = profile.certificateProfiles.find((name) => name === wanted);
  if (certificateProfile === undefined)
    throw rejected(
      `The end entity profile ${profile.name} does not offer the certificate profile ${wanted}. Available: ${profile.certificateProfiles.join(', ')}.`,
    );
  const settings = [...certificateSettings(attributes), ...settingsOf(certificateProfile)];
  readProfile(settings, options);
  return { certificateProfile, settings };
}
