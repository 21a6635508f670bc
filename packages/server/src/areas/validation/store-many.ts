// Queries for validating many certificates.
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';

export interface CheckedCertificate {
  readonly uuid: string;
  readonly dueAtMs: number | undefined;
}

/** Stores only when unchanged verdicts were reached, and when time alone next changes them. */
export async function storeChecked(tx: Executor, checked: readonly CheckedCertificate[], at: Date): Promise<void> {
  if (checked.length === 0) return;
  // A fixed lock order: concurrent writers of the same rows must not deadlock.
  const ordered = checked.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1));
  const dues = ordered.map(({ dueAtMs }) => (dueAtMs === undefined ? null : new Date(dueAtMs)));
  await sql`
    INSERT INTO certificate_check AS known (certificate_uuid, checked_at, due_at)
    SELECT checked.uuid, ${at}::timestamptz, checked.due_at
    FROM unnest(${ordered.map(({ uuid }) => uuid)}::uuid[], ${dues}::timestamptz[]) AS checked (uuid, due_at)
    WHERE EXISTS (SELECT FROM certificate c WHERE c.uuid = checked.uuid)
    ON CONFLICT (certificate_uuid) DO UPDATE SET checked_at = excluded.checked_at, due_at = excluded.due_at`.execute(
    tx,
  );
}

/** Returns certificates whose status is now due to change by time alone, longest overdue first. */
export async function findDueNow(
  executor: Executor,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT certificate_uuid AS uuid FROM certificate_check WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`.execute(
    executor,
  );
  return rows.map(({ uuid }) => uuid);
}

export async function findNextDue(executor: Executor): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date }>`
    SELECT due_at FROM certificate_check WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1`.execute(executor);
  return rows[0]?.due_at;
}

/** Clears the due time of certificates without a verdict; periodic validation covers them. */
export const forgetDue = (
  executor: Executor,
  { uuids, now }: { readonly uuids: readonly string[]; readonly now: Date },
): Promise<unknown> =>
  sql`UPDATE certificate_check SET due_at = NULL WHERE certificate_uuid = ANY(${uuids}::uuid[]) AND due_at <= ${now}`.execute(
    executor,
  );

/** Schedules the validation of a certificate that was released from hold, to run as soon as possible. */
export const scheduleValidation = (tx: Executor, uuid: string, at: Date): Promise<unknown> =>
  sql`
    INSERT INTO certificate_check AS known (certificate_uuid, checked_at, due_at) VALUES (${uuid}, ${at}, ${at})
    ON CONFLICT (certificate_uuid) DO UPDATE SET due_at = excluded.due_at`.execute(tx);
