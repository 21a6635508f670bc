// Carries out a rotation as a job: reseals all values, waits until every node seals with the new key, reseals values
// that were sealed in the meantime, and only then reports that the old keys can be removed.
import { setTimeout as delay } from 'node:timers/promises';
import { coreContext } from '../../kernel/actor.ts';
import type { KeyRing } from '../../platform/crypto/sealing.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { SEEN_WITHIN_MS, type KeyNodes } from './nodes.ts';
import { resealAll } from './reseal.ts';
import { retiredName } from './retired-keys.ts';
import * as store from './store.ts';

export const ROTATION_QUEUE = 'seal-anew';
const POLL_MS = 1_000;
/** Maximum time until values that were sealed before a node switched keys have been stored. */
export const SETTLE_MS = 30_000;
export interface RotationParts {
  readonly ring: KeyRing;
  readonly nodes: KeyNodes;
  readonly columns: () => readonly SealedColumn[];
  readonly audit: AuditTrail;
  readonly settleMs: number;
}

/** Declares the job; call this before jobs start. */
export function declareRotation(platform: Platform, parts: RotationParts): void {
  const { database, jobs, log } = platform;
  const { ring, nodes, columns, audit, settleMs } = parts;

  jobs.declare<{ rotation: string }>({
    name: ROTATION_QUEUE,
    retryLimit: 1_000,
    handle: async ({ rotation }, { signal }) => {
      const row = await store.findRotation(database.executor, rotation);
      if (!row || row.finished_at !== null) return;
      await nodes.refresh();
      if (ring.currentKeyId() !== row.key_id)
        throw new Error(`Key ${row.key_id} is not the current sealing key of this node.`);
      const options = { platform, ring, columns: columns(), rotation, signal };
      await resealAll(options);
      await waitUntilAllChanged(row.key_id, signal);
      await delay(settleMs, undefined, { signal });
      await resealAll(options);
      await finish(rotation, row.key_id);
    },
  });

  async function waitUntilAllChanged(keyId: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const running = await store.findNodes(database.executor, SEEN_WITHIN_MS);
      if (running.every((node) => node.current_key_id === keyId)) return;
      await delay(POLL_MS, undefined, { signal });
    }
  }

  async function finish(rotation: string, keyId: string): Promise<void> {
    await database.transaction(async (tx) => {
      await store.lockKeys(tx);
      const rows = await store.findKeys(tx);
      const old = rows.filter((row) => !row.is_current && row.retired_at === null).map(({ key_id }) => key_id);
      for (const id of old.filter((each) => ring.keyIds().includes(each))) await storeDerived(tx, id);
      await store.retireOthers(tx);
      await store.finishRotation(tx, rotation);
      await audit.append(tx, coreContext(rotation), {
        facts: { module: 'core', resource: 'settings', operation: 'update' },
        data: { sealingKey: { current: keyId, notNeeded: old, finished: true } },
      });
    });
    log.info({ keyId }, 'every secret is sealed with the new key; old lines can be removed from the sealing key file');
  }

  const storeDerived = (tx: Parameters<typeof store.insertRetired>[0], id: string): Promise<void> =>
    store.insertRetired(
      tx,
      ring.derivedFrom(id).map(({ keyId: key_id, purpose, key }) => ({
        name: retiredName({ key_id, purpose }),
        key_id,
        purpose,
        sealed_key: Buffer.from(ring.seal(key, retiredName({ key_id, purpose }))),
      })),
    );
}
