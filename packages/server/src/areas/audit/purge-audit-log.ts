// Deletes audit records that match and leaves markers, under a MAC, that say which ones: verification can then tell a
// purge from a removal by hand. One transaction with the audit record of the purge itself.
import type { RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SqlCondition } from '../../platform/database/filter/compile.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { AuditKey } from './store-key.ts';
import { purgeMac, runsOf } from './chain.ts';
import { insertPurgeMarker } from './store-chain.ts';
import type { AuditSealer } from './sealer.ts';
import { auditFields } from './search-fields.ts';
import { deleteSealed, findEndOfOldest, findNewestId } from './store.ts';
import type { AuditTrail } from './trail.ts';

/** Records of a marker: bounds its size, some 160 KB when no two ids follow each other. */
const ROWS_PER_MARKER = 10_000;

export interface PurgeServices {
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly trail: AuditTrail;
  readonly sealer: AuditSealer;
  readonly key: AuditKey;
}

export interface PurgeRequest {
  readonly conditions: readonly SqlCondition[];
  readonly context: RequestContext;
  /** What the audit record says about the filters. */
  readonly description: object;
}

/** Returns the number of deleted records. */
export async function purgeAuditLog(services: PurgeServices, request: PurgeRequest): Promise<number> {
  const { platform, trail, sealer, key } = services;
  const { conditions, context, description } = request;
  // Only sealed records are deleted, so everything that was written before the request is sealed first.
  await sealer.seal({ everything: true });
  const macKey = await key();
  const facts = { uuid: newUuid(), purged_at: platform.clock.now(), actor_name: context.actor.username };
  return runSearch({ database: platform.database, conditions, inTransaction: true }, async (tx) => {
    const upTo = await findNewestId(tx);
    let after = 0;
    let total = 0;
    let firstId: number | undefined;
    for (let part = 0; ; part += 1) {
      const ids = await deleteSealed(tx, { conditions, after, upTo, limit: ROWS_PER_MARKER });
      if (ids.length === 0) break;
      const marker = { ...facts, part, ...runsOf(ids), record_count: ids.length };
      await insertPurgeMarker(tx, { ...marker, mac: purgeMac(macKey, marker) });
      total += ids.length;
      firstId ??= ids[0];
      after = ids.at(-1) ?? after;
    }
    const range = total > 0 ? { firstId, lastId: after } : {};
    const data = { purge: facts.uuid, records: total, ...range, ...description };
    await trail.append(tx, context, { data, always: true });
    return total;
  });
}

/**
 * Deletes records that were written before, of so many of the oldest, and returns how many; those that are not sealed
 * yet stay. Whoever asks records it.
 */
export async function purgeOldest(tx: Executor, { before, limit, by, at, key }: PurgeOfOldest): Promise<number> {
  const field = auditFields.lookup('property', 'AUDIT_LOG_TIMESTAMP');
  if (!field) throw new Error('Audit records have no time.');
  const isOld = { kind: 'compare', field, comparison: '<', value: before } as const;
  const ids = await deleteSealed(tx, { conditions: [isOld], after: 0, upTo: await findEndOfOldest(tx, limit), limit });
  if (ids.length === 0) return 0;
  const marker = { uuid: newUuid(), purged_at: at, actor_name: by, part: 0, ...runsOf(ids), record_count: ids.length };
  await insertPurgeMarker(tx, { ...marker, mac: purgeMac(await key(), marker) });
  return ids.length;
}

interface PurgeOfOldest {
  readonly before: Date;
  readonly limit: number;
  /** Name of the actor. */
  readonly by: string | null;
  readonly at: Date;
  readonly key: AuditKey;
}
