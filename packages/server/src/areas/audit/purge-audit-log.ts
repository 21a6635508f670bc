// Deletes matching audit records and leaves markers with a MAC that identify them, so that verification can distinguish
// a purge from manual removal. Runs in one transaction with the audit record of the purge itself.
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
import { deleteSealed, findLastOfOldest, findNewestId } from './store.ts';
import type { AuditTrail } from './trail.ts';

/** Maximum number of records per marker. This limits a marker's size to about 160 KB if no two IDs are consecutive. */
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
  /** Description of the filters for the audit record. */
  readonly description: object;
}

/** Returns the number of deleted records. */
export async function purgeAuditLog(services: PurgeServices, request: PurgeRequest): Promise<number> {
  const { platform, trail, sealer, key } = services;
  const { conditions, context, description } = request;
  // Only sealed records are deleted, so everything written before the request is sealed first.
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
 * Deletes records older than `before`, considering only the `limit` oldest records, and returns their number. Unsealed
 * records are kept. The caller writes the audit record.
 */
export async function purgeOldest(tx: Executor, { before, limit, by, at, key }: OldestRecordsPurge): Promise<number> {
  const field = auditFields.lookup('property', 'AUDIT_LOG_TIMESTAMP');
  if (!field) throw new Error('Audit records have no timestamp field.');
  const isOld = { kind: 'compare', field, comparison: '<', value: before } as const;
  const ids = await deleteSealed(tx, { conditions: [isOld], after: 0, upTo: await findLastOfOldest(tx, limit), limit });
  if (ids.length === 0) return 0;
  const marker = { uuid: newUuid(), purged_at: at, actor_name: by, part: 0, ...runsOf(ids), record_count: ids.length };
  await insertPurgeMarker(tx, { ...marker, mac: purgeMac(await key(), marker) });
  return ids.length;
}

interface OldestRecordsPurge {
  readonly before: Date;
  readonly limit: number;
  /** The actor's name. */
  readonly by: string | null;
  readonly at: Date;
  readonly key: AuditKey;
}
