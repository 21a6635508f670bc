// Removes data whose retention period has expired: hourly, on one node, in small batches. The first batch of each kind
// is committed together with an audit record that describes the removal.
import { retentionOperations, type RetentionSettings } from '@signetry/contract';
import { coreContextFor } from '../../kernel/actor.ts';
import type { Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';

const QUEUE = 'retention';
const HOURLY = '37 * * * *';
const DAY_MS = 86_400_000;
/** Number of rows that can be removed within tens of milliseconds. */
const BATCH = 500;

interface RemovalParts {
  readonly audit: AuditTrail;
  readonly policies: () => readonly RetentionPolicy[];
  readonly settings: () => Promise<RetentionSettings>;
}

export function declareRemoval(platform: Platform, parts: RemovalParts): void {
  platform.jobs.declare({
    name: QUEUE,
    schedule: HOURLY,
    retryLimit: 0,
    handle: (_payload, { signal }) => removeOld(platform, parts, signal),
  });
}

/** Removes all data older than its retention period. */
async function removeOld(
  platform: Pick<Platform, 'database' | 'clock' | 'log'>,
  { audit, policies, settings }: RemovalParts,
  signal?: AbortSignal,
): Promise<void> {
  const kept = await settings();
  for (const policy of policies()) {
    const days = kept[policy.setting];
    if (days === null) continue;
    if (signal?.aborted) return;
    const before = new Date(platform.clock.now().getTime() - days * DAY_MS);
    const removed = await removeByPolicy(platform, { audit, policy, before, signal });
    if (removed > 0) platform.log.info({ removed, before }, `removed old ${policy.what}`);
  }
}

async function removeByPolicy(
  { database }: Pick<Platform, 'database'>,
  { audit, policy, before, signal }: {
    readonly audit: AuditTrail;
    readonly policy: RetentionPolicy;
    readonly before: Date;
    readonly signal: AbortSignal | undefined;
  }, // prettier-ignore
): Promise<number> {
  const { what, setting, tables } = policy;
  const context = coreContextFor(retentionOperations.setRetentionSettings);
  const facts = { module: 'core', resource: 'settings', operation: 'delete' } as const;
  let total = 0;
  for (;;) {
    const isFirst = total === 0;
    const removed = await database.transaction(async (tx) => {
      const count = await policy.remove(tx, { before, limit: BATCH, context });
      const data = { removed: what, before: before.toISOString(), setting, tables };
      if (isFirst && count > 0)
        await audit.append(tx, context, { facts, objects: [{ name: setting }], data, always: true });
      return count;
    });
    total += removed;
    if (removed === 0 || signal?.aborted) return total;
  }
}
