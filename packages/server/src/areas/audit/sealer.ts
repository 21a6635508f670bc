// Seals committed audit records: takes them off the queue in batches and appends one link per batch to the chain of the
// node that wrote them. Runs every second on every node; records of a node that stopped are sealed by whoever finds them.
import type { Platform } from '../../platform/platform.ts';
import type { AuditKey } from './store-key.ts';
import { GENESIS, MISSING_ROW_HASH, sealValue } from './chain.ts';
import * as store from './store-chain.ts';

/** Records of a seal: some 40 KB, hashed in a few milliseconds. */
const BATCH = 1_000;
const INTERVAL_MS = 1_000;
/** A running node seals within a second; records that lie this long have lost their node. */
const ABANDONED_AFTER_MS = 10_000;
/** How often the end of the chain goes to the log, where an intruder in the database cannot take it back. */
const WITNESS_INTERVAL_MS = 3_600_000;

/** End of a chain as this process wrote it. */
export interface RememberedEnd {
  readonly sealNumber: number;
  readonly value: Uint8Array;
}

export interface AuditSealer {
  start(): void;
  stop(): Promise<void>;
  /** Seals what is due, or with `everything` the records of all nodes at once; answers their number. */
  seal(options?: { readonly everything?: boolean }): Promise<number>;
  /** Ends of the chains that this process continued: a chain that ends earlier or otherwise was cut. */
  readonly remembered: ReadonlyMap<string, RememberedEnd>;
}

export function createAuditSealer(platform: Platform, key: AuditKey): AuditSealer {
  const { database, clock, log, nodeId } = platform;
  const remembered = new Map<string, RememberedEnd>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  let stopped = false;
  let witnessedAtMs = -Infinity;

  async function sealBatch(chain: string): Promise<number> {
    const macKey = await key();
    const sealed = await database.transaction(async (tx) => {
      const end = await store.lockChain(tx, chain, GENESIS);
      const rows = await store.takeUnsealed(tx, { nodeId: chain, limit: BATCH });
      if (rows.length === 0) return undefined;
      const seal = {
        node_id: chain,
        seal_number: end.seal_number + 1,
        first_sequence: end.next_sequence,
        audit_ids: rows.map(({ id }) => id),
        row_hashes: Buffer.concat(rows.map(({ hash }) => hash ?? MISSING_ROW_HASH)),
        previous_value: end.chain_value,
        sealed_at: clock.now(),
      };
      const chain_value = sealValue(macKey, seal);
      await store.insertSeal(tx, { ...seal, chain_value });
      return { sealNumber: seal.seal_number, value: chain_value, count: rows.length };
    });
    if (!sealed) return 0;
    remembered.set(chain, sealed);
    return sealed.count;
  }

  async function seal({ everything = false }: { readonly everything?: boolean } = {}): Promise<number> {
    const abandonedAfterMs = everything ? 0 : ABANDONED_AFTER_MS;
    let total = 0;
    for (const chain of await store.findDueChains(database.executor, { ownNode: nodeId, abandonedAfterMs })) {
      let count: number;
      do {
        count = await sealBatch(chain);
        total += count;
      } while (count === BATCH);
    }
    return total;
  }

  function witness(): void {
    const end = remembered.get(nodeId);
    if (!end || clock.monotonicMs() - witnessedAtMs < WITNESS_INTERVAL_MS) return;
    witnessedAtMs = clock.monotonicMs();
    log.info(
      { node: nodeId, seal: end.sealNumber, value: Buffer.from(end.value).toString('hex') },
      'end of the audit chain',
    );
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = seal()
        .then(witness)
        .catch((error: unknown) => log.error({ error }, 'audit records could not be sealed; trying again'))
        .finally(() => {
          if (!stopped) schedule();
        });
    }, INTERVAL_MS);
  }

  return {
    remembered,
    seal,
    start: schedule,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
      // What was written while stopping is sealed by the next start or by another node.
      await seal().catch((error: unknown) => log.warn({ error }, 'the last audit records are not sealed yet'));
    },
  };
}
