// Platform-wide settings: certificate validation and retention. Settings that only a single area uses belong to that
// area: logging to audit, authentication to identity, events to workflows. Owns: no table.
import type { RetentionSettings } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createPlatformSection, type ValidationDefaults } from './platform-section.ts';
import { declareRemoval } from './remove-old.ts';
import { createRetention } from './retention.ts';
import { settingsRoutes } from './routes.ts';
import { createSettingsService } from './service.ts';

export type { ValidationDefaults } from './platform-section.ts';

export interface Settings {
  /**
   * Returns the validation settings for certificates whose RA profile has no such settings. Pass the transaction in
   * which they are used.
   */
  validationDefaults(tx?: Executor): Promise<ValidationDefaults>;
  /** Returns the retention periods. */
  retention(): Promise<RetentionSettings>;
}

export interface SettingsParts {
  readonly audit: AuditTrail;
  /** Retention policies from all areas; available after all areas have been created. */
  readonly policies?: () => readonly RetentionPolicy[];
}

export function createSettingsArea(platform: Platform, { audit, policies = () => [] }: SettingsParts): Area & Settings {
  const section = createPlatformSection(platform);
  const service = createSettingsService(platform, { audit, section });
  const retention = createRetention(platform, { audit });
  declareRemoval(platform, { audit, policies, settings: retention.current });
  return {
    routes: settingsRoutes({ service, retention }),
    validationDefaults: async (tx) => (await (tx ? section.read(tx) : section.current())).validation,
    retention: retention.current,
  };
}
