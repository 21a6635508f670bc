// Blocks of the list of all certificates (migration 0114-certificate-blocks): the number of listed certificates in each
// identifier range. Blocks and deltas are read in one snapshot, so list positions are always exact.
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts';
import type { Database, Executor } from '../../../platform/database/database.ts';
import type { DerivedMismatch } from '../../../platform/platform.ts';

/** A block is split when it has grown to twice this size. */
const SIZE = 1_000;
const BEYOND_ALL = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

const blockOf = (uuid: string) => sql`LATERAL (SELECT b.first_uuid FROM certificate_block b
  WHERE b.first_uuid <= ${sql.ref(uuid)} ORDER BY b.first_uuid DESC LIMIT 1) AS block`;

/** Current state of the blocks, including deltas. */
const CURRENT = sql`
  SELECT b.first_uuid, b.listed + coalesce(changed.listed, 0) AS listed
  FROM certificate_block b LEFT JOIN (
    SELECT block.first_uuid, sum(d.listed) AS listed
    FROM certificate_block_delta d CROSS JOIN ${blockOf('d.certificate_uuid')} GROUP BY 1
  ) AS changed ON changed.first_uuid = b.first_uuid`;

export interface BlockStart {
  /**
   * Upper bound (exclusive) of the identifiers in this block and in all later blocks of the list; absent for the first
   * block.
   */
  readonly below: string | undefined;
  /** Number of certificates in the list before the block. */
  readonly passed: number;
}

/**
 * Returns the block that contains the position, with the list sorted newest first; undefined beyond the end of the
 * list.
 */
export async function findBlock(executor: Executor, offset: number): Promise<BlockStart | undefined> {
  const { rows } = await sql<{ below: string | null; passed: number }>`
    SELECT below, passed::bigint AS passed FROM (
      SELECT listed, sum(listed) OVER newest - listed AS passed, lag(first_uuid) OVER newest AS below
      FROM (${CURRENT}) AS current WINDOW newest AS (ORDER BY first_uuid DESC)) AS block
    WHERE passed <= ${offset}::bigint AND passed + listed > ${offset}::bigint`.execute(executor);
  const [found] = rows;
  return found && { below: found.below ?? undefined, passed: found.passed };
}

/** Merges up to `limit` deltas into the blocks and splits large blocks. Returns true if more deltas may be left. */
export async function foldBlocks(database: Database, limit: number): Promise<boolean> {
  if (!(await hasDeltas(database.executor))) return false;
  return database.transaction(async (tx) => {
    if (!(await tryLock(tx))) return false;
    // During a large import, blocks are split only after all deltas have been merged.
    if ((await fold(tx, limit)) === limit && (await hasDeltas(tx))) return true;
    const grown = await sql<{ first_uuid: string }>`
      SELECT first_uuid FROM certificate_block WHERE listed > ${2 * SIZE}`.execute(tx);
    for (const { first_uuid: first } of grown.rows) await splitBlock(tx, first);
    return false;
  });
}

async function hasDeltas(executor: Executor): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM certificate_block_delta) AS found`.execute(executor);
  return rows[0]?.found ?? false;
}

async function tryLock(tx: Executor): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.certificateBlocks}) AS locked`.execute(tx);
  return rows[0]?.locked ?? false;
}

async function fold(tx: Executor, limit: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    WITH taken AS (
      DELETE FROM certificate_block_delta
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM certificate_block_delta LIMIT ${limit}::int)) RETURNING *),
    moved AS (
      SELECT block.first_uuid, sum(taken.listed) AS listed
      FROM taken CROSS JOIN ${blockOf('taken.certificate_uuid')} GROUP BY 1),
    counted AS (
      UPDATE certificate_block b SET listed = b.listed + moved.listed FROM moved WHERE moved.first_uuid = b.first_uuid)
    SELECT count(*)::int AS taken FROM taken`.execute(tx);
  return rows[0]?.taken ?? 0;
}

/**
 * Splits a block. Subtracts the deltas of the counted certificates, which are merged later and would otherwise count
 * twice.
 */
async function splitBlock(tx: Executor, first: string): Promise<void> {
  await sql`
    INSERT INTO certificate_block (first_uuid, listed)
    WITH bounds AS (
      SELECT ${first}::uuid AS first, coalesce(
        (SELECT first_uuid FROM certificate_block WHERE first_uuid > ${first}::uuid ORDER BY first_uuid LIMIT 1),
        ${BEYOND_ALL}) AS next),
    rows AS MATERIALIZED (
      SELECT c.uuid, row_number() OVER (ORDER BY c.uuid) - 1 AS place FROM certificate c
      WHERE NOT c.archived AND c.uuid >= (SELECT first FROM bounds) AND c.uuid < (SELECT next FROM bounds)),
    starts AS (
      SELECT first AS uuid, 0 AS place FROM bounds
      UNION ALL SELECT uuid, place FROM rows WHERE place > 0 AND place % ${sql.lit(SIZE)} = 0),
    parts AS (
      SELECT uuid, lead(uuid, 1, (SELECT next FROM bounds)) OVER in_order AS next,
        lead(place, 1, (SELECT count(*) FROM rows)) OVER in_order - place AS listed
      FROM starts WINDOW in_order AS (ORDER BY place))
    SELECT uuid, listed - coalesce((SELECT sum(d.listed) FROM certificate_block_delta d
      WHERE d.certificate_uuid >= parts.uuid AND d.certificate_uuid < parts.next), 0) FROM parts
    ON CONFLICT (first_uuid) DO UPDATE SET listed = EXCLUDED.listed`.execute(tx);
}

const COUNTED = sql`
  SELECT b.first_uuid, count(c.uuid) AS listed
  FROM (SELECT first_uuid, lead(first_uuid, 1, ${BEYOND_ALL}) OVER (ORDER BY first_uuid) AS next FROM certificate_block) AS b
  LEFT JOIN certificate c ON NOT c.archived AND c.uuid >= b.first_uuid AND c.uuid < b.next GROUP BY 1`;

/** Compares the blocks with the certificates. */
export async function findBlockMismatches(executor: Executor): Promise<DerivedMismatch[]> {
  const { rows } = await sql<{ what: string; kept: string; right: string }>`
    SELECT current.first_uuid::text AS what, current.listed::text AS kept, counted.listed::text AS "right"
    FROM (${CURRENT}) AS current JOIN (${COUNTED}) AS counted ON counted.first_uuid = current.first_uuid
    WHERE current.listed <> counted.listed ORDER BY 1`.execute(executor);
  return rows;
}

/** Recounts all blocks and discards their deltas. */
export async function recountBlocks(tx: Executor): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.certificateBlocks})`.execute(tx);
  await sql`
    WITH deltas AS (DELETE FROM certificate_block_delta)
    UPDATE certificate_block b SET listed = counted.listed FROM (${COUNTED}) AS counted
    WHERE counted.first_uuid = b.first_uuid`.execute(tx);
}
