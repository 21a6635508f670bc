// Seals committed audit records. The sealer removes them from the queue in batches, and appends one link per batch to
// the chain of the node that wrote them. It runs every second on every node; a stopped node's records are sealed by
// whichever node finds them. It checks the chain head before appending. Tampering is recorded but does not stop the
// sealing.
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditKey } from './store-key.ts';
import { headMac, GENESIS, MISSING_ROW_HASH, positionAfter, sealValue, type ChainPosition } from './chain.ts';
import { evaluateHead } from './chain-head.ts';
import type { AuditTampering } from './events.ts';
import { insertRecords } from './store-records.ts';
import type { ExternalAuditSink } from './external-sink.ts';
import { initialRules } from './logging-rules.ts';
import { recordOf } from './record.ts';
import * as store from './store-chain.ts';
import type { AuditSealRow } from './tables.ts';

/** Records per seal: about 40 KB, hashed in a few milliseconds. */
const BATCH = 1_000;
const INTERVAL_MS = 1_000;
/** Age at which an unsealed record is considered to belong to a stopped node; a running node seals within a second. */
const ABANDONED_AFTER_MS = 10_000;

export interface AuditSealer {
  start(): void;
  stop(): Promise<void>;
  /** Seals due records and returns their number. With `everything`, all nodes' records are sealed immediately. */
  seal(options?: { readonly everything?: boolean }): Promise<number>;
  /**
   * Heads of the chains that this process continued. If the head of a chain is earlier or different, the chain was
   * truncated.
   */
  readonly remembered: ReadonlyMap<string, ChainPosition>;
}

export interface SealerParts {
  readonly key: AuditKey;
  readonly outside: ExternalAuditSink;
  /** How often chain heads are sent externally. */
  readonly endIntervalMs: number;
}

/** Chains that this process continues. */
interface KnownChains extends Pick<SealerParts, 'key' | 'outside'> {
  readonly platform: Platform;
  readonly remembered: Map<string, ChainPosition>;
}

export function createAuditSealer(platform: Platform, parts: SealerParts): AuditSealer {
  const { key, outside, endIntervalMs } = parts;
  const { database, clock, log, nodeId } = platform;
  const remembered = new Map<string, ChainPosition>();
  const chains: KnownChains = { platform, key, outside, remembered };
  /** Number of the last seal sent externally, by node. */
  const sent = new Map<string, number>();
  let sentAtMs = -Infinity;

  async function seal({ everything = false }: { readonly everything?: boolean } = {}): Promise<number> {
    const abandonedAfterMs = everything ? 0 : ABANDONED_AFTER_MS;
    let total = 0;
    for (const chain of await store.findDueChains(database.executor, { ownNode: nodeId, abandonedAfterMs })) {
      let count: number;
      do {
        count = await sealBatch(chains, chain);
        total += count;
      } while (count === BATCH);
    }
    return total;
  }

  /** Sends the heads that changed since they were last sent. */
  async function sendHeads({ isLast }: { readonly isLast: boolean }): Promise<void> {
    if (!isLast && clock.monotonicMs() - sentAtMs < endIntervalMs) return;
    const macKey = await key();
    for (const [node, place] of remembered) {
      if (sent.get(node) === place.number) continue;
      await outside.sendEnd({ node, place, mac: headMac(macKey, { node, place }) }, { isLast });
      sent.set(node, place.number);
      sentAtMs = clock.monotonicMs();
    }
  }

  const rounds = createRounds({
    log,
    what: 'sealing audit records',
    periodMs: INTERVAL_MS,
    run: async () => {
      await seal();
      await sendHeads({ isLast: false });
      return false;
    },
  });

  return {
    remembered,
    seal,
    start: () => rounds.start(INTERVAL_MS),
    async stop() {
      await rounds.stop();
      // Records written during shutdown are sealed after the next start or by another node.
      await seal().catch((error: unknown) => log.warn({ error }, 'the last audit records have not been sealed yet'));
      await sendHeads({ isLast: true }).catch((error: unknown) =>
        log.warn({ error }, 'could not send the last audit chain head'),
      );
    },
  };
}

async function sealBatch(chains: KnownChains, chain: string): Promise<number> {
  const { database, clock } = chains.platform;
  const { remembered, key, outside } = chains;
  const macKey = await key();
  const sealed = await database.transaction(async (tx) => {
    const stored = await store.lockChain(tx, chain, GENESIS);
    const last = await store.findLastSeal(tx, chain);
    const rows = await store.claimUnsealed(tx, { nodeId: chain, limit: BATCH });
    if (rows.length === 0) return undefined;
    const memory = await recall(chains, tx, { chain, last });
    const { place, problem } = evaluateHead({ key: macKey, stored, last, remembered: memory });
    const tampering = problem === undefined ? undefined : tamperingOf(chains, { chain, last, problem });
    if (tampering) await recordTampering(chains, tx, tampering);
    const unvalued = {
      node_id: chain,
      seal_number: place.number + 1,
      first_sequence: place.nextSequence,
      audit_ids: rows.map(({ id }) => id),
      row_hashes: Buffer.concat(rows.map(({ hash }) => hash ?? MISSING_ROW_HASH)),
      previous_value: place.value,
      sealed_at: clock.now(),
    };
    const seal = { ...unvalued, chain_value: sealValue(macKey, unvalued) };
    const end = positionAfter(seal);
    await store.insertSeal(tx, seal, { mac: headMac(macKey, { node: chain, place: end }) });
    return { end, tampering, count: rows.length };
  });
  if (!sealed) return 0;
  remembered.set(chain, sealed.end);
  if (sealed.tampering) await outside.reportTampering(sealed.tampering);
  return sealed.count;
}

/**
 * Returns the remembered head and whether its seal is still in the chain: usually as its head, unless other nodes
 * continued the chain.
 */
async function recall(
  chains: KnownChains,
  tx: Executor,
  { chain, last }: { chain: string; last: AuditSealRow | undefined },
) {
  const { remembered } = chains;
  const memory = remembered.get(chain);
  if (!memory) return undefined;
  const isPassed = last !== undefined && last.seal_number > memory.number;
  const isHeld = isPassed
    ? await store.hasPosition(tx, chain, memory)
    : last?.seal_number === memory.number && Buffer.compare(last.chain_value, memory.value) === 0;
  return { ...memory, isHeld };
}

function tamperingOf(
  chains: KnownChains,
  found: { chain: string; last: AuditSealRow | undefined; problem: string },
): AuditTampering {
  const { clock, nodeId } = chains.platform;
  const { remembered } = chains;
  const memory = remembered.get(found.chain);
  return {
    node: found.chain,
    foundBy: nodeId,
    foundAt: clock.now().toISOString(),
    problem: found.problem,
    foundSeal: found.last?.seal_number ?? 0,
    ...(memory ? { rememberedSeal: memory.number } : {}),
  };
}

/** Runs in the transaction that continues the chain, so that tampering is reported once. */
async function recordTampering(chains: KnownChains, tx: Executor, tampering: AuditTampering): Promise<void> {
  const { events, clock, nodeId } = chains.platform;
  const entry = {
    facts: { module: 'core', resource: 'auditLogs', operation: 'checkValidation' },
    result: 'failure',
    message: `The audit chain of node ${tampering.node} was truncated or its head altered: ${tampering.problem}.`,
    data: tampering,
    always: true,
  } as const;
  const record = recordOf(coreContext(newUuid()), { entry, nodeId, now: clock.now(), rules: initialRules });
  await insertRecords(tx, [record]);
  await events.append(tx, 'audit_tampered', tampering);
}
