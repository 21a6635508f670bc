// Settings of the platform as a whole: how certificates are validated, and what events start. Sections that one area
// obeys alone belong to that area: logging to audit, authentication to identity.
// Owns: no table. Invariant: events name triggers that exist.
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createPlatformSection, type ValidationDefaults } from './platform-section.ts';
import { settingsRoutes } from './routes.ts';
import { createSettingsService, type FindTriggers } from './service.ts';

export type { ValidationDefaults } from './platform-section.ts';

export interface Settings {
  /** How certificates are validated whose RA profile says nothing of its own. Pass the transaction that it is for. */
  validationDefaults(tx?: Executor): Promise<ValidationDefaults>;
  /** For whoever owns triggers; until then none exist. */
  registerTriggers(find: FindTriggers): void;
}

export function createSettingsArea(platform: Platform, { audit }: { readonly audit: AuditTrail }): Area & Settings {
  const section = createPlatformSection(platform);
  let findTriggers: FindTriggers = async () => [];
  const service = createSettingsService(platform, {
    audit,
    section,
    findTriggers: (executor, uuids) => findTriggers(executor, uuids),
  });
  return {
    routes: settingsRoutes(service),
    validationDefaults: async (tx) => (await (tx ? section.read(tx) : section.current())).validation,
    registerTriggers: (find) => void (findTriggers = find),
  };
}
