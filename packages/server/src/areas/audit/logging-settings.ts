// What administrators choose to be logged: modules and resources, where audit records go, and which reads leave one. A
// change of that is always recorded in the database: it must not be possible to hide it by itself. Only full
// permissions make the platform record less.
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingsSection } from '../../platform/settings/section.ts';
import { recordsLess } from './logging-rules.ts';
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
        if (recordsLess(before, await policy.read(tx))) assertMayRecordLess(context);
        await trail.append(tx, context, { objects: [{ name }], data: settings, always: true });
      });
      section.forget();
      await policy.refresh();
    },
  });

  return { logging: settingsOf('logging', policy.logging), reads: settingsOf('auditReads', policy.reads) };
}

function assertMayRecordLess({ actor }: RequestContext): void {
  if (actor.permissions.allowAllResources && !actor.hasScope) return;
  throw new AppError('access_denied', { resource: 'ANY', action: 'ANY', name: 'to reduce what is recorded' });
}
