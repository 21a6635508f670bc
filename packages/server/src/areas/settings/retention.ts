// Retention periods for recorded data. Each area defines how its data is removed.
import type { RetentionSettings, RetentionSettingsUpdate } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSettingsSection } from '../../platform/settings/section.ts';
import type { AuditTrail } from '../audit/index.ts';

const NAME = 'retention';
const initial: RetentionSettings = {
  eventsKeptDays: 30,
  evaluationsKeptDays: 90,
  deliveriesKeptDays: 30,
  notificationsKeptDays: 365,
  jobRunsKeptDays: 90,
  requestsKeptDays: 90,
  // Evidence is removed only if an administrator sets a retention period.
  discoveriesKeptDays: null,
  certificateHistoryKeptDays: null,
  keyEventsKeptDays: null,
  auditRecordsKeptDays: null,
};

export interface Retention {
  current(): Promise<RetentionSettings>;
  set(settings: RetentionSettingsUpdate, context: RequestContext): Promise<RetentionSettings>;
}

export function createRetention(platform: Platform, { audit }: { readonly audit: AuditTrail }): Retention {
  const section = createSettingsSection(platform, { name: NAME, initial });
  return {
    current: section.current,
    async set(settings, context) {
      await platform.database.transaction(async (tx) => {
        await section.change(tx, (before) => ({ ...before, ...settings }));
        await audit.append(tx, context, { objects: [{ name: NAME }], data: settings, always: true });
      });
      section.forget();
      return section.current();
    },
  };
}
