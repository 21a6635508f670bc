// Queries for the sealer, the verifier and the purge: queue, chains, seals, record hashes and markers.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import { sameBytes, type ChainPosition } from './chain.ts';
import type { AuditChainRow, AuditPurgeRow, AuditSealRow, AuditTables } from './tables.ts';

const tables = (executor: Executor) => executor.withTables<AuditTables>();

/**
 * SHA-256 over all columns of a record `a`. A JSON array is unambiguous: texts are quoted, absent values are null.
 * Timestamps are in microseconds, because their text form depends on the session. A column added later is appended only
 * if it is not null, so that hashes of older records stay unchanged; it is first filled one release later, so that the
 * previous release computes the same hash after a rollback.
 */
const rowHash = sql<Uint8Array>`sha256(convert_to(json_build_array(
  a.id, a.node_id, (extract(epoch FROM a."timestamp") * 1000000)::bigint, (extract(epoch FROM a.logged_at) * 1000000)::bigint,
  a.version, a.module, a.operation, a.operation_result, a.resource, a.resource_objects, a.affiliated_resource, a.affiliated_objects,
  a.actor_type, a.actor_auth_method, a.actor_uuid, a.actor_name, a.source_method, a.source_path, a.source_content_type,
  a.source_ip_address, a.source_user_agent, a.message, a.operation_data, a.additional_data)::text, 'UTF8'))`;

export interface RowHash {
  readonly id: number;
  /** Null if the record no longer exists. */
  readonly hash: Uint8Array | null;
}

/** Finds the chains that have records to be sealed: the node's own chain, and those of nodes that no longer seal. */
export async function findDueChains(
  executor: Executor,
  due: { readonly ownNode: string; readonly abandonedAfterMs: number },
): Promise<string[]> {
  const rows = await sql<{ node_id: string }>`
    SELECT DISTINCT node_id FROM audit_unsealed
    WHERE node_id = ${due.ownNode}::uuid OR queued_at < clock_timestamp() - make_interval(secs => ${due.abandonedAfterMs / 1000})`.execute(
    executor,
  );
  return rows.rows.map(({ node_id }) => node_id);
}

/** Locks a chain's head until the transaction ends. Creates the chain if it does not exist. */
export async function lockChain(tx: Executor, nodeId: string, genesis: Uint8Array): Promise<AuditChainRow> {
  const query = tables(tx).selectFrom('audit_chain').selectAll().where('node_id', '=', nodeId).forUpdate();
  const found = await query.executeTakeFirst();
  if (found) return found;
  const first = {
    node_id: nodeId,
    seal_number: 0,
    next_sequence: 1,
    chain_value: genesis,
    end_seal_number: null,
    end_mac: null,
  };
  await tables(tx)
    .insertInto('audit_chain')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return query.executeTakeFirstOrThrow();
}

/**
 * Removes up to `limit` records from the queue and returns them with their hashes, by ascending ID. The caller holds
 * the chain lock.
 */
export async function claimUnsealed(
  tx: Executor,
  batch: { readonly nodeId: string; readonly limit: number },
): Promise<readonly RowHash[]> {
  const taken = await sql<RowHash>`
    WITH taken AS (
      DELETE FROM audit_unsealed WHERE audit_id IN (
        SELECT audit_id FROM audit_unsealed WHERE node_id = ${batch.nodeId}::uuid
        ORDER BY audit_id LIMIT ${batch.limit})
      RETURNING audit_id
    )
    SELECT taken.audit_id AS id, CASE WHEN a.id IS NOT NULL THEN ${rowHash} END AS hash
    FROM taken LEFT JOIN audit_record a ON a.id = taken.audit_id
    ORDER BY taken.audit_id`.execute(tx);
  return taken.rows;
}

/**
 * Returns a chain's newest seal. The caller must hold the chain lock and use a separate statement, in order to see what
 * was committed while it waited for the lock.
 */
export async function findLastSeal(tx: Executor, nodeId: string): Promise<AuditSealRow | undefined> {
  const query = tables(tx).selectFrom('audit_seal').selectAll().where('node_id', '=', nodeId);
  const row = await query.orderBy('seal_number', 'desc').limit(1).executeTakeFirst();
  return row && Object.assign(row, { audit_ids: numbers(row.audit_ids) });
}

/** Returns whether the chain contains the seal at a position. */
export async function hasPosition(executor: Executor, nodeId: string, place: ChainPosition): Promise<boolean> {
  const [seal] = await findSeals(executor, {
    nodeId,
    afterNumber: place.number - 1,
    upToNumber: place.number,
    limit: 1,
  });
  return seal !== undefined && sameBytes(seal.chain_value, place.value);
}

/** Inserts a seal and advances its chain's head. */
export async function insertSeal(
  tx: Executor,
  seal: AuditSealRow,
  { mac }: { readonly mac: Uint8Array },
): Promise<void> {
  await sql`
    WITH sealed AS (
      INSERT INTO audit_seal (node_id, seal_number, first_sequence, audit_ids, row_hashes, previous_value, chain_value, sealed_at)
      VALUES (${seal.node_id}, ${seal.seal_number}, ${seal.first_sequence}, ${seal.audit_ids}::bigint[], ${seal.row_hashes},
        ${seal.previous_value}, ${seal.chain_value}, ${seal.sealed_at.toISOString()}::timestamptz)
    )
    UPDATE audit_chain SET seal_number = ${seal.seal_number}, chain_value = ${seal.chain_value},
      next_sequence = ${seal.first_sequence + seal.audit_ids.length}, end_seal_number = ${seal.seal_number}, end_mac = ${mac}
    WHERE node_id = ${seal.node_id}::uuid`.execute(tx);
}

export const findChains = (executor: Executor): Promise<AuditChainRow[]> =>
  tables(executor).selectFrom('audit_chain').selectAll().orderBy('node_id').execute();

/** Finds nodes that have seals beyond the head of their chain, or seals but no chain. Both are written together. */
export async function findNodesPastHead(executor: Executor): Promise<string[]> {
  const rows = await sql<{ node_id: string }>`
    SELECT DISTINCT s.node_id FROM audit_seal s LEFT JOIN audit_chain c ON c.node_id = s.node_id
    WHERE c.node_id IS NULL OR s.seal_number > c.seal_number`.execute(executor);
  return rows.rows.map(({ node_id }) => node_id);
}

/** The driver returns members of bigint arrays as text; IDs are far below 2^53. */
const numbers = (members: readonly (number | string)[]): number[] => members.map(Number);

export async function findSeals(
  executor: Executor,
  part: { readonly nodeId: string; readonly afterNumber: number; readonly upToNumber: number; readonly limit: number },
): Promise<AuditSealRow[]> {
  const rows = await tables(executor)
    .selectFrom('audit_seal')
    .selectAll()
    .where('node_id', '=', part.nodeId)
    .where('seal_number', '>', part.afterNumber)
    .where('seal_number', '<=', part.upToNumber)
    .orderBy('seal_number')
    .limit(part.limit)
    .execute();
  return rows.map((row) => Object.assign(row, { audit_ids: numbers(row.audit_ids) }));
}

/** Returns the hashes of the records that exist. */
export async function findRowHashes(executor: Executor, ids: readonly number[]): Promise<Map<number, Uint8Array>> {
  const rows = await sql<{ id: number; hash: Uint8Array }>`
    SELECT a.id, ${rowHash} AS hash FROM audit_record a WHERE a.id = ANY (${[...ids]}::bigint[])`.execute(executor);
  return new Map(rows.rows.map(({ id, hash }) => [id, hash]));
}

/** Returns up to `limit` record IDs after a given ID, in ascending order. */
export async function findRecordIds(
  executor: Executor,
  part: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await sql<{ ids: string[] | null }>`
    SELECT array_agg(id ORDER BY id) AS ids
    FROM (SELECT id FROM audit_record WHERE id > ${part.after} ORDER BY id LIMIT ${part.limit}) AS page`.execute(
    executor,
  );
  return numbers(rows.rows[0]?.ids ?? []);
}

/** Returns the records that exist and are not queued. */
export async function findUnqueued(
  executor: Executor,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly node_id: string }[]> {
  const rows = await sql<{ id: number; node_id: string }>`
    SELECT a.id, a.node_id FROM audit_record a
    WHERE a.id = ANY (${[...ids]}::bigint[]) AND NOT EXISTS (SELECT 1 FROM audit_unsealed u WHERE u.audit_id = a.id)
    ORDER BY a.id`.execute(executor);
  return rows.rows;
}

/** Finds queued records that should have been sealed by now. */
export async function findOverdue(
  executor: Executor,
  limitMs: number,
): Promise<{ readonly count: number; readonly first: { readonly id: number; readonly node_id: string } | undefined }> {
  const rows = await sql<{ count: number; id: number | null; node_id: string | null }>`
    SELECT count(*) AS count, min(audit_id) AS id, (array_agg(node_id ORDER BY audit_id))[1] AS node_id FROM audit_unsealed
    WHERE queued_at < clock_timestamp() - make_interval(secs => ${limitMs / 1000})`.execute(executor);
  const [row] = rows.rows;
  const first = row && row.id !== null && row.node_id !== null ? { id: row.id, node_id: row.node_id } : undefined;
  return { count: row?.count ?? 0, first };
}

export async function findPurgeMarkers(
  executor: Executor,
  span: { readonly from: number; readonly to: number },
): Promise<AuditPurgeRow[]> {
  const rows = await tables(executor)
    .selectFrom('audit_purge')
    .selectAll()
    .where(sql<boolean>`first_ids[1] <= ${span.to} AND last_ids[array_upper(last_ids, 1)] >= ${span.from}`)
    .execute();
  return rows.map((row) => Object.assign(row, { first_ids: numbers(row.first_ids), last_ids: numbers(row.last_ids) }));
}

export async function insertPurgeMarker(tx: Executor, marker: AuditPurgeRow): Promise<void> {
  await sql`
    INSERT INTO audit_purge (uuid, part, purged_at, actor_name, first_ids, last_ids, record_count, mac)
    VALUES (${marker.uuid}, ${marker.part}, ${marker.purged_at.toISOString()}::timestamptz, ${marker.actor_name},
      ${marker.first_ids}::bigint[], ${marker.last_ids}::bigint[], ${marker.record_count}, ${marker.mac})`.execute(tx);
}
