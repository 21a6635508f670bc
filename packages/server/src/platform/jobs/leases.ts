// Leases on rows: the holder works on the row alone until its lease expires; then another node may take over. Expiry is
// judged by the clock of the database, which all nodes share. A table has `leased_until`, and `leased_by` where the
// lease belongs to a node rather than to one piece of work.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../database/database.ts';

export interface NodeLease {
  readonly nodeId: string;
  readonly leaseS: number;
}

/** The end of a lease that begins, or is renewed, now. */
export const leaseEnd = (leaseS: number): RawBuilder<Date> => sql`clock_timestamp() + make_interval(secs => ${leaseS})`;

/** Nobody holds the row. */
export const isUnleased = (column = 'leased_until'): RawBuilder<SqlBool> =>
  sql`(${sql.ref(column)} IS NULL OR ${sql.ref(column)} < clock_timestamp())`;

/** Nobody else holds the row: this node may have died with its lease, and started again. */
export const isFreeFor = (nodeId: string): RawBuilder<SqlBool> =>
  sql`(leased_by = ${nodeId} OR leased_until IS NULL OR leased_until < clock_timestamp())`;

/** Sets the lease, in an UPDATE. */
export const leaseTo = ({ nodeId, leaseS }: NodeLease): RawBuilder<unknown> =>
  sql`leased_by = ${nodeId}, leased_until = ${leaseEnd(leaseS)}`;

/** False when it is no longer this node's, or the row is not `open` any more. */
export async function renewLease(
  executor: Executor,
  row: { readonly table: string; readonly uuid: string; readonly open: RawBuilder<SqlBool> },
  { nodeId, leaseS }: NodeLease,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE ${sql.table(row.table)} SET leased_until = ${leaseEnd(leaseS)}
    WHERE uuid = ${row.uuid}::uuid AND leased_by = ${nodeId} AND ${row.open} RETURNING uuid`.execute(executor);
  return rows.length > 0;
}

/** Another node need not wait until it runs out. */
export async function releaseLease(
  executor: Executor,
  row: { readonly table: string; readonly uuid: string },
  { nodeId }: Pick<NodeLease, 'nodeId'>,
): Promise<void> {
  await sql`
    UPDATE ${sql.table(row.table)} SET leased_by = NULL, leased_until = NULL
    WHERE uuid = ${row.uuid}::uuid AND leased_by = ${nodeId}`.execute(executor);
}
