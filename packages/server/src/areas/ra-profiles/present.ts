// Presents RA profiles in the API format.
import type { RaProfileDto, ResponseAttributeDto, SimplifiedRaProfileDto } from '@signetry/contract';
import type { AuthorityFacts } from '../authorities/index.ts';
import type { RaProfileFacts } from './ra-profile-facts.ts';
import type { RaProfileRow } from './tables.ts';

export const presentRaProfile = (
  row: RaProfileRow,
  shown: {
    readonly authority: AuthorityFacts | undefined;
    readonly attributes?: readonly ResponseAttributeDto[];
    readonly enabledProtocols: readonly string[] | undefined;
  },
): RaProfileDto => ({
  uuid: row.uuid,
  name: row.name,
  enabled: row.enabled,
  ...(row.description === null ? {} : { description: row.description }),
  ...(shown.authority
    ? {
        authorityInstanceUuid: shown.authority.uuid,
        authorityInstanceName: shown.authority.name,
        legacyAuthority: shown.authority.isLegacy,
      }
    : {}),
  ...(shown.attributes ? { attributes: [...shown.attributes] } : {}),
  enabledProtocols: [...(shown.enabledProtocols ?? [])],
  certificateValidationSettings: {
    ...(row.validation_enabled === null ? {} : { enabled: row.validation_enabled }),
    ...(row.validation_frequency_days === null ? {} : { frequency: row.validation_frequency_days }),
    ...(row.validation_expiring_threshold_days === null
      ? {}
      : { expiringThreshold: row.validation_expiring_threshold_days }),
  },
  usedByPlatform: row.internal,
});

/** Presents an RA profile as a reference in other objects. */
export const presentSimplifiedRaProfile = (
  profile: Pick<RaProfileFacts, 'uuid' | 'name' | 'enabled' | 'authorityUuid'>,
): SimplifiedRaProfileDto => ({
  uuid: profile.uuid,
  name: profile.name,
  enabled: profile.enabled,
  ...(profile.authorityUuid === null ? {} : { authorityInstanceUuid: profile.authorityUuid }),
});
