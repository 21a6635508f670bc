// Recognizes filters for certificates that expire within a time range, and counts the matches.
import { sql, type RawBuilder } from 'kysely';
import type { Scalar } from '../../../kernel/filter/field.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import { timestampText } from '../../../platform/database/timestamps.ts';

export interface Expiry {
  readonly from: Date;
  readonly to: Date;
}

/** Returns the range in which a certificate must expire to match a condition. Both bounds are included. */
export function expiryIn(condition: SqlCondition): Expiry | undefined {
  const { field } = condition;
  if (field.source !== 'property' || field.identifier !== 'NOT_AFTER' || condition.kind !== 'within') return undefined;
  const { from, to } = condition;
  return isDate(from) && isDate(to) && from <= to ? { from, to } : undefined;
}

const isDate = (value: Scalar): value is Date => value instanceof Date;

export const boundsOf = ({ from, to }: Expiry) =>
  [from, to].map((instant) => sql`${timestampText(instant)}::timestamptz`) as [
    RawBuilder<unknown>,
    RawBuilder<unknown>,
  ];

/**
 * Returns the number of listed certificates that expire in the range: whole hours from the counters and deltas, partial
 * hours at either end from the index.
 */
export async function countByExpiry(executor: Executor, expiry: Expiry): Promise<number> {
  const [from, to] = boundsOf(expiry);
  const afterFirst = sql`(date_trunc('hour', ${from}, 'UTC') + interval '1 hour')`;
  const last = sql`date_trunc('hour', ${to}, 'UTC')`;
  const counted = (table: string, hour: string) => sql`coalesce((SELECT sum(certificates) FROM ${sql.table(table)}
    WHERE NOT archived AND ${sql.ref(hour)} >= ${afterFirst} AND ${sql.ref(hour)} < ${last}), 0)`;
  const ended = (range: RawBuilder<unknown>) =>
    sql`(SELECT count(*) FROM certificate WHERE NOT archived AND not_after IS NOT NULL AND ${range})`;
  const { rows } = await sql<{ total: number }>`
    SELECT (${counted('certificate_expiry_hour', 'hour')} + ${counted('certificate_count_delta', 'expiry_hour')}
      + ${ended(sql`not_after BETWEEN ${from} AND ${to} AND not_after < ${afterFirst}`)}
      + ${ended(sql`not_after <= ${to} AND not_after >= greatest(${afterFirst}, ${last})`)})::bigint AS total`.execute(
    executor,
  );
  return rows[0]?.total ?? 0;
}
