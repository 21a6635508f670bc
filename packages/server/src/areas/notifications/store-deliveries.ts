// Queries for deliveries.
import { sql } from 'kysely';
import type { NotificationDeliveryState, ResourceEvent } from '@signetry/contract';
import { newUuid } from '../../kernel/ids.ts';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { toJson, tables } from './store.ts';
import type { DeliveryRow, InstanceRow } from './tables.ts';

export type NewDelivery = Pick<
  DeliveryRow,
  | 'cause'
  | 'instance_uuid'
  | 'instance_name'
  | 'profile_uuid'
  | 'profile_name'
  | 'profile_version'
  | 'event'
  | 'resource'
  | 'object_uuid'
  | 'recipients'
  | 'data'
>;

/** Returns false if the cause already has a delivery. */
export async function insertDelivery(tx: Executor, delivery: NewDelivery, now: Date): Promise<boolean> {
  const uuid = newUuid();
  const inserted = await tables(tx)
    .insertInto('notification_delivery')
    .values({
      uuid,
      idempotency_key: uuid,
      ...delivery,
      recipients: toJson(delivery.recipients),
      data: toJson(delivery.data),
      state: 'waiting',
      attempts: 0,
      raised_at: now,
      queued_at: now,
      next_at: now,
      ended_at: null,
      problem: null,
    })
    .onConflict((conflict) => conflict.column('cause').doNothing())
    .returning('uuid')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Deliveries that are due at a given time. A time later than `never` exceeds the longest possible postponement, so it
 * was recorded before the clock was set back.
 */
export interface Due {
  readonly now: Date;
  readonly never: Date;
}

const isDue = ({ now, never }: Due) => sql`state = 'waiting' AND (next_at <= ${now} OR next_at > ${never})`;

/** Returns the instances that have due deliveries. Reads only the two ends of an index, however long the queue is. */
export async function findDueInstances(executor: Executor, { now, never }: Due): Promise<InstanceRow[]> {
  const { rows } = await sql<InstanceRow>`
    SELECT i.* FROM notification_instance i
    WHERE EXISTS (SELECT FROM notification_delivery d
        WHERE d.instance_uuid = i.uuid AND d.state = 'waiting' AND d.next_at <= ${now})
      OR EXISTS (SELECT FROM notification_delivery d
        WHERE d.instance_uuid = i.uuid AND d.state = 'waiting' AND d.next_at > ${never})`.execute(executor);
  return rows;
}

/**
 * Claims due deliveries, oldest first. They become due again at `until` unless their outcome has been recorded by then.
 */
export async function claimDeliveries(
  executor: Executor,
  { instanceUuid, until, limit, ...due }: Due & {
    readonly instanceUuid: string;
    readonly until: Date;
    readonly limit: number;
  }, // prettier-ignore
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    UPDATE notification_delivery d
    SET next_at = ${until}, attempts = d.attempts + 1, queued_at = least(d.queued_at, ${due.now})
    FROM (SELECT uuid FROM notification_delivery
      WHERE instance_uuid = ${instanceUuid} AND ${isDue(due)}
      ORDER BY next_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS due
    WHERE d.uuid = due.uuid RETURNING d.*`.execute(executor);
  return rows;
}

export interface Settlement {
  readonly state: NotificationDeliveryState;
  readonly attempts: number;
  readonly next_at: Date | null;
  readonly ended_at: Date | null;
  readonly problem: string | null;
}

/** Records the outcome of an attempt. Returns false if the delivery has since been claimed again. */
export async function settleDelivery(executor: Executor, claimed: DeliveryRow, settled: Settlement): Promise<boolean> {
  const { numUpdatedRows } = await tables(executor)
    .updateTable('notification_delivery')
    .set(settled)
    .where('uuid', '=', claimed.uuid)
    .where('state', '=', 'waiting')
    .where('next_at', '=', claimed.next_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface DeliveryFilter {
  readonly state?: NotificationDeliveryState | undefined;
  readonly instanceUuid?: string | undefined;
  readonly profileUuid?: string | undefined;
  readonly objectUuid?: string | undefined;
  readonly event?: ResourceEvent | undefined;
  /** ISO 8601 time. The event was raised at or after this time. */
  readonly from?: string | undefined;
  /** ISO 8601 time. The event was raised before this time. */
  readonly until?: string | undefined;
}

/** Returns the newest deliveries first. */
export async function findDeliveryPage(
  executor: Executor,
  { state, instanceUuid, profileUuid, objectUuid, event, from, until }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  let query = tables(executor).selectFrom('notification_delivery');
  if (state !== undefined) query = query.where('state', '=', state);
  if (instanceUuid !== undefined) query = query.where('instance_uuid', '=', instanceUuid);
  if (profileUuid !== undefined) query = query.where('profile_uuid', '=', profileUuid);
  if (objectUuid !== undefined) query = query.where('object_uuid', '=', objectUuid);
  if (event !== undefined) query = query.where('event', '=', event);
  if (from !== undefined) query = query.where('raised_at', '>=', new Date(from));
  if (until !== undefined) query = query.where('raised_at', '<', new Date(until));
  const items = await query
    .selectAll()
    .orderBy('raised_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(page.itemsPerPage)
    .offset(pageOffset(page))
    .execute();
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { items, totalItems: total };
}

export const findDelivery = (executor: Executor, uuid: string): Promise<DeliveryRow | undefined> =>
  tables(executor).selectFrom('notification_delivery').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/**
 * Restarts a delivery that has ended; returns undefined if it is still waiting. A failed delivery may have reached some
 * recipients, so it keeps its idempotency key; a successful delivery is restarted in order to send it again.
 */
export const requeueDelivery = (tx: Executor, uuid: string, now: Date) =>
  tables(tx)
    .updateTable('notification_delivery')
    .set({ state: 'waiting', attempts: 0, queued_at: now, next_at: now, ended_at: null, problem: null })
    .set({ idempotency_key: sql`CASE WHEN state = 'delivered' THEN ${newUuid()}::uuid ELSE idempotency_key END` })
    .where('uuid', '=', uuid)
    .where('state', '<>', 'waiting')
    .returning('uuid')
    .executeTakeFirst();

/** Ends the deliveries that are waiting for an instance that is being removed, because they can no longer be sent. */
export async function endDeliveriesOf(tx: Executor, instanceUuid: string, now: Date): Promise<void> {
  await tables(tx)
    .updateTable('notification_delivery')
    .set({ state: 'failed', next_at: null, ended_at: now, problem: 'The notification provider was removed.' })
    .where('instance_uuid', '=', instanceUuid)
    .where('state', '=', 'waiting')
    .execute();
}

/** Removes up to `limit` deliveries that ended before the given time, and returns the number removed. */
export async function purgeDeliveries(
  executor: Executor,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM notification_delivery WHERE uuid IN (
      SELECT uuid FROM notification_delivery WHERE state <> 'waiting' AND ended_at < ${before}
      ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(executor);
  return Number(numAffectedRows);
}
