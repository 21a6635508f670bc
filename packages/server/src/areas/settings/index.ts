// Settings of the platform as a whole: how certificates are validated, and how long it is kept what happened. Sections
// that one area obeys alone belong to that area: logging to audit, authentication to identity, events to workflows.
// Owns: no table.
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
  /** How certificates are validated whose RA profile says nothing of its own. Pass the transaction that it is for. */
  validationDefaults(tx?: Executor): Promise<ValidationDefaults>;
  /** How long it is kept what happened. */
  retention(): Promise<RetentionSettings>;
}

export interface SettingsParts {
  readonly audit: AuditTrail;
  /** Of all areas; complete once they were created. */
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
