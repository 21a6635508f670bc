// Verifies the audit trail: recomputes every link and every record hash, and accounts for every record and every sealed
// ID. Reads in batches without locks or long snapshots, so it can run while records are written.
import type { Executor } from '../../platform/database/database.ts';
import {
  CHAIN_START,
  HASH_BYTES,
  positionAfter,
  purgeMac,
  sameBytes,
  sealVersion,
  type ChainPosition,
} from './chain.ts';
import { matchesSeal, type SentHead } from './chain-head.ts';
import * as store from './store-chain.ts';
import { createAuditFindings, type AuditFindings, type AuditReport } from './findings.ts';
import { createIdSet, type IdSet } from './id-set.ts';
import type { AuditChainRow, AuditSealRow } from './tables.ts';
import { verifyHeads } from './verify-heads.ts';

/**
 * Age at which a missing seal is overdue. A running node seals within a second; a different node seals a crashed node's
 * records after ten seconds.
 */
const OVERDUE_AFTER_MS = 20_000;
const SEALS_PER_READ = 100;
/** Number of records whose hashes are fetched in one query. */
const ROWS_PER_READ = 5_000;
const IDS_PER_READ = 50_000;

export interface VerifyOptions {
  readonly key: Uint8Array;
  readonly now: Date;
  readonly remembered: ReadonlyMap<string, ChainPosition>;
  /** Externally stored heads. */
  readonly ends?: readonly SentHead[];
}

interface Verification extends VerifyOptions {
  readonly executor: Executor;
  /** Records that exist and are sealed. */
  readonly covered: IdSet;
  readonly findings: AuditFindings;
  /** Position up to which each chain was followed. */
  readonly places: Map<string, ChainPosition>;
  /** Number of each chain's newest version 2 seal, which was written together with a MAC for the head. */
  readonly newestWithEnd: Map<string, number>;
  /** Nodes whose chain has a wrong head. */
  readonly badEnds: Set<string>;
}

export async function verifyAudit(executor: Executor, options: VerifyOptions): Promise<AuditReport> {
  const findings = createAuditFindings();
  const verification: Verification = {
    ...options,
    // Snapshot: chains that begin during the verification need not be present.
    remembered: new Map(options.remembered),
    executor,
    covered: createIdSet(),
    findings,
    places: new Map(),
    newestWithEnd: new Map(),
    badEnds: new Set(),
  };
  await followChains(verification);
  const loose = await findUncoveredRows(verification);
  // Records that were sealed during the scan are covered by seals added since then.
  if (loose.length > 0) await followChains(verification);
  for (const { id, node_id } of loose) {
    if (!verification.covered.has(id))
      findings.badRow({ node: node_id, id, problem: 'the record is not covered by any seal' });
  }
  for (const node of await store.findNodesPastHead(executor)) reportBadHead(verification, node);
  for (const node of verification.remembered.keys())
    if (!verification.places.has(node)) reportBadHead(verification, node);
  const overdue = await store.findOverdue(executor, OVERDUE_AFTER_MS);
  if (overdue.first) {
    const { id, node_id: node } = overdue.first;
    findings.badRow({ node, id, problem: 'the record should have been sealed by now' });
  }
  await verifyHeads(executor, { key: options.key, ends: options.ends ?? [], findings });
  return findings.report({ verifiedAt: options.now, unsealedOlderThanLimit: overdue.count });
}

/** Follows every chain from its last position to its current head. */
async function followChains(verification: Verification): Promise<void> {
  for (const end of await store.findChains(verification.executor)) await verifyChain(verification, end);
}

/** Follows a node's chain to the head that was just read. */
async function verifyChain(verification: Verification, end: AuditChainRow): Promise<void> {
  const { executor, remembered, findings } = verification;
  const node = end.node_id;
  const memory = remembered.get(node);
  const reached = await followSeals(verification, { node, upToNumber: end.seal_number });
  const isReached =
    reached.number === end.seal_number &&
    reached.nextSequence === end.next_sequence &&
    sameBytes(reached.value, end.chain_value);
  // This process may have continued the chain since `end` was read; the remembered seal then exists.
  const isCut =
    memory !== undefined && memory.number > end.seal_number && !(await store.hasPosition(executor, node, memory));
  if (isReached && !isCut && (await hasValidHead(verification, end))) return;
  if (reportBadHead(verification, node)) findings.gap({ node, from: reached.nextSequence, to: end.next_sequence - 1 });
}

/**
 * If a chain contains seals that were written with a MAC for the head, the head must have the MAC for the newest of
 * these seals.
 */
async function hasValidHead({ executor, key, newestWithEnd }: Verification, stored: AuditChainRow): Promise<boolean> {
  const newest = newestWithEnd.get(stored.node_id);
  if (newest === undefined) return true;
  const part = { nodeId: stored.node_id, afterNumber: newest - 1, upToNumber: newest, limit: 1 };
  const [seal] = await store.findSeals(executor, part);
  return seal !== undefined && matchesSeal(key, { stored, seal });
}

/** Reports a chain's wrong head only once. Returns whether it had not been reported before. */
function reportBadHead({ badEnds, findings }: Verification, node: string): boolean {
  if (badEnds.has(node)) return false;
  badEnds.add(node);
  findings.badSeal({ node, problem: 'the head of the chain was altered or the chain was truncated' });
  return true;
}

/** Checks each seal with its records, and returns the position that the chain reaches. */
async function followSeals(
  verification: Verification,
  chain: { readonly node: string; readonly upToNumber: number },
): Promise<ChainPosition> {
  const { executor, places } = verification;
  let place: ChainPosition = places.get(chain.node) ?? CHAIN_START;
  for (;;) {
    const part = { nodeId: chain.node, afterNumber: place.number, upToNumber: chain.upToNumber, limit: SEALS_PER_READ };
    const seals = await store.findSeals(executor, part);
    for (const seal of seals) place = verifySeal(verification, seal, place);
    places.set(chain.node, place);
    await verifyRows(verification, seals);
    if (seals.length < SEALS_PER_READ) return place;
  }
}

function verifySeal(verification: Verification, seal: AuditSealRow, previous: ChainPosition): ChainPosition {
  const { key, remembered, findings, newestWithEnd } = verification;
  const [id] = seal.audit_ids;
  const node = seal.node_id;
  const facts = { node, sequence: seal.first_sequence, sealedAt: seal.sealed_at, ...(id === undefined ? {} : { id }) };
  const memory = remembered.get(node);
  const version = sealVersion(key, seal);
  if (version === 2) newestWithEnd.set(node, seal.seal_number);
  const isForged =
    version === undefined || (memory?.number === seal.seal_number && !sameBytes(memory.value, seal.chain_value));
  if (seal.seal_number !== previous.number + 1) {
    findings.badSeal({ ...facts, problem: 'a seal is missing' });
    findings.gap({ node, from: previous.nextSequence, to: seal.first_sequence - 1 });
  }
  const continues =
    seal.seal_number !== previous.number + 1 ||
    (seal.first_sequence === previous.nextSequence && sameBytes(seal.previous_value, previous.value));
  if (isForged || !continues)
    findings.badSeal({ ...facts, problem: 'the seal was altered or does not continue the previous one' });
  return positionAfter(seal);
}

interface SealedRow {
  readonly id: number;
  readonly node: string;
  readonly sequence: number;
  readonly sealedAt: Date;
  readonly hash: Uint8Array;
}

async function verifyRows(verification: Verification, seals: readonly AuditSealRow[]): Promise<void> {
  const rows = seals.flatMap((seal) =>
    seal.audit_ids.map((id, index) => ({
      id,
      node: seal.node_id,
      sequence: seal.first_sequence + index,
      sealedAt: seal.sealed_at,
      hash: seal.row_hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
    })),
  );
  for (let start = 0; start < rows.length; start += ROWS_PER_READ) {
    await verifyRowBatch(verification, rows.slice(start, start + ROWS_PER_READ));
  }
}

async function verifyRowBatch(verification: Verification, rows: readonly SealedRow[]): Promise<void> {
  const { executor, covered, findings } = verification;
  const found = await store.findRowHashes(
    executor,
    rows.map(({ id }) => id),
  );
  const gone: SealedRow[] = [];
  for (const row of rows) {
    findings.counts.sealed += 1;
    const hash = found.get(row.id);
    if (!hash) {
      gone.push(row);
      continue;
    }
    covered.add(row.id);
    if (sameBytes(hash, row.hash)) continue;
    findings.badRow({ ...factsOf(row), problem: 'the record was altered' });
  }
  if (gone.length > 0) await verifyRemovedRows(verification, gone);
}

/** Checks that removed records are listed in a purge marker that has this installation's MAC. */
async function verifyRemovedRows(verification: Verification, gone: readonly SealedRow[]): Promise<void> {
  const { executor, key, findings } = verification;
  const ids = gone.map(({ id }) => id).sort((a, b) => a - b);
  const span = { from: ids[0] ?? 0, to: ids.at(-1) ?? 0 };
  const markers = (await store.findPurgeMarkers(executor, span)).filter((marker) =>
    sameBytes(purgeMac(key, marker), marker.mac),
  );
  const ranges = markers
    .flatMap(({ first_ids, last_ids }) => first_ids.map((first, index) => ({ first, last: last_ids[index] ?? first })))
    .sort((a, b) => a.first - b.first);
  const purged = new Set<number>();
  let position = 0;
  for (const id of ids) {
    while (position < ranges.length && (ranges[position]?.last ?? 0) < id) position += 1;
    const range = ranges[position];
    if (range && range.first <= id) purged.add(id);
  }
  for (const row of gone) {
    if (purged.has(row.id)) {
      findings.counts.purged += 1;
      continue;
    }
    findings.badRow({ ...factsOf(row), problem: 'the record was removed, and no purge accounts for it' });
    findings.gap({ node: row.node, from: row.sequence, to: row.sequence });
  }
}

/**
 * Checks that every record is either sealed or queued for sealing. Counts all records, and returns those that are
 * neither in a seal read so far nor in the queue.
 */
async function findUncoveredRows(verification: Verification): Promise<{ id: number; node_id: string }[]> {
  const { executor, covered, findings } = verification;
  const loose: { id: number; node_id: string }[] = [];
  let after = 0;
  for (;;) {
    const ids = await store.findRecordIds(executor, { after, limit: IDS_PER_READ });
    findings.counts.rows += ids.length;
    const uncovered = ids.filter((id) => !covered.has(id));
    if (uncovered.length > 0) loose.push(...(await store.findUnqueued(executor, uncovered)));
    if (ids.length < IDS_PER_READ) return loose;
    after = ids.at(-1) ?? after;
  }
}

const factsOf = ({ id, node, sequence, sealedAt }: SealedRow) => ({ id, node, sequence, sealedAt });
