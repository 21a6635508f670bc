// Logging settings: which modules and resources are logged, where audit records are sent, and which reads are recorded.
// A change to these settings is always recorded in the database, so that it cannot hide itself. Only callers with full
// permissions can reduce what is recorded.
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingsSection } from '../../platform/settings/section.ts';
import { reducesLogging } from './logging-rules.ts';
import type { LoggingPolicy } from './logging-policy.ts';
import type { AuditTrail } from './trail.ts';

export type LoggingSettings = ReturnType<typeof createLoggingSettings>;

export function createLoggingSettings(
  { database }: Pick<Platform, 'database'>,
  { policy, trail }: { readonly policy: LoggingPolicy; readonly trail: AuditTrail },
) {
  const settingsOf = <Value extends object>(name: string, section: SettingsSection<Value>) => ({
    current: section.current,
    async change(settings: Value, context: RequestContext): Promise<void> {
      await database.transaction(async (tx) => {
        const before = await policy.read(tx);
        await section.change(tx, () => settings);
        if (reducesLogging(before, await policy.read(tx))) assertMayReduceLogging(context);
        await trail.append(tx, context, { objects: [{ name }], data: settings, always: true });
      });
      section.forget();
      await policy.refresh();
    },
  });

  return { logging: settingsOf('logging', policy.logging), reads: settingsOf('auditReads', policy.reads) };
}

function assertMayReduceLogging({ actor }: RequestContext): void {
  if (actor.permissions.allowAllResources && !actor.hasScope) return;
  throw new AppError('access_denied', { resource: 'ANY', action: 'ANY', name: 'to reduce audit logging' });
}
