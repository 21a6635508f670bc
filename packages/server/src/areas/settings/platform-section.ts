// Settings that apply to all certificates.
import type { Platform } from '../../platform/platform.ts';
import { createSettingsSection, type SettingsSection } from '../../platform/settings/section.ts';

export interface ValidationDefaults {
  readonly enabled: boolean;
  readonly frequencyDays: number;
  readonly expiringThresholdDays: number;
}

export interface PlatformSettings {
  readonly utilsServiceUrl: string | null;
  readonly validation: ValidationDefaults;
}

const initial: PlatformSettings = {
  utilsServiceUrl: null,
  validation: { enabled: true, frequencyDays: 1, expiringThresholdDays: 30 },
};

export const createPlatformSection = (platform: Platform): SettingsSection<PlatformSettings> =>
  createSettingsSection(platform, { name: 'platform', initial });
