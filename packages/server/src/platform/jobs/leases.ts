// Row leases: only the holder works on the row until its lease expires; then another node can take over. Expiry is
// determined by the database clock, which all nodes share. A table has `leased_until`, and also `leased_by` if the
// lease belongs to a node rather than to a piece of work.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Executor } from '../database/database.ts';

export interface NodeLease {
  readonly nodeId: string;
  readonly leaseS: number;
}

/** Returns the expiry of a lease that starts or is renewed now. */
export const leaseEnd = (leaseS: number): RawBuilder<Date> => sql`clock_timestamp() + make_interval(secs => ${leaseS})`;

/** Returns the condition that no node holds the row. */
export const isUnleased = (column = 'leased_until'): RawBuilder<SqlBool> =>
  sql`(${sql.ref(column)} IS NULL OR ${sql.ref(column)} < clock_timestamp())`;

/** Returns the condition that no other node holds the row. This node may still hold it from before a crash. */
export const isFreeFor = (nodeId: string): RawBuilder<SqlBool> =>
  sql`(leased_by = ${nodeId} OR leased_until IS NULL OR leased_until < clock_timestamp())`;

/** Returns the assignments that set the lease in an UPDATE. */
export const leaseTo = ({ nodeId, leaseS }: NodeLease): RawBuilder<unknown> =>
  sql`leased_by = ${nodeId}, leased_until = ${leaseEnd(leaseS)}`;

/** Returns false if this node no longer holds the lease, or if the row is no longer `open`. */
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

/** Releases the lease, so that other nodes do not have to wait for its expiry. */
export async function releaseLease(
  executor: Executor,
  row: { readonly table: string; readonly uuid: string },
  { nodeId }: Pick<NodeLease, 'nodeId'>,
): Promise<void> {
  await sql`
    UPDATE ${sql.table(row.table)} SET leased_by = NULL, leased_until = NULL
    WHERE uuid = ${row.uuid}::uuid AND leased_by = ${nodeId}`.execute(executor);
}
