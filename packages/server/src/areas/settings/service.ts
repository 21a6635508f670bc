// Use cases of the settings. Every change is committed together with its audit record.
import type { PlatformSettingsDto, PlatformSettingsUpdateDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingsSection } from '../../platform/settings/section.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { PlatformSettings } from './platform-section.ts';

interface Parts {
  readonly audit: AuditTrail;
  readonly section: SettingsSection<PlatformSettings>;
}

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService(platform: Platform, { audit, section }: Parts) {
  const { database } = platform;

  async function changePlatform(request: PlatformSettingsUpdateDto, context: RequestContext): Promise<void> {
    assertWebUrl(request.utils?.utilsServiceUrl);
    await database.transaction(async (tx) => {
      await section.change(tx, (before) => mergeSettings(before, request));
      await audit.append(tx, context, { objects: [{ name: 'platform' }], data: request });
    });
    section.forget();
  }

  return {
    platform: async (): Promise<PlatformSettingsDto> => presentPlatform(await section.current()),
    changePlatform,
  };
}

/** Sections that the request omits remain unchanged. If validation is disabled, its numeric settings are not stored. */
function mergeSettings(before: PlatformSettings, { utils, certificates }: PlatformSettingsUpdateDto): PlatformSettings {
  const validation = certificates?.validation;
  return {
    utilsServiceUrl: utils ? (utils.utilsServiceUrl ?? null) : before.utilsServiceUrl,
    validation: validation
      ? {
          enabled: validation.enabled,
          frequencyDays: validation.frequency,
          expiringThresholdDays: validation.expiringThreshold,
        }
      : before.validation,
  };
}

const presentPlatform = ({ utilsServiceUrl, validation }: PlatformSettings): PlatformSettingsDto => ({
  utils: utilsServiceUrl === null ? {} : { utilsServiceUrl },
  certificates: {
    validation: validation.enabled
      ? { enabled: true, frequency: validation.frequencyDays, expiringThreshold: validation.expiringThresholdDays }
      : { enabled: false },
  },
});

function assertWebUrl(text: string | undefined): void {
  const scheme = text && URL.parse(text)?.protocol;
  if (text && scheme !== 'http:' && scheme !== 'https:')
    throw rejected('The utils service URL must start with http:// or https://.');
}
