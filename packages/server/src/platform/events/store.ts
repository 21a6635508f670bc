// Rows of the outbox, the published event log, and its followers. Owns: event_outbox, event_log, event_log_head,
// event_follower, event_set_aside.
import type { Resource } from '@signetry/contract';
import { sql, type Generated } from 'kysely';
import type { Executor } from '../database/database.ts';

export interface OutboxRow {
  readonly event: string;
  readonly payload: never;
  readonly created_at: Date;
}

/** An event as stored for all followers of the log. */
export interface PublishedEvent {
  /** Position of the previous event plus one. */
  readonly position: number;
  readonly uuid: string;
  readonly event: string;
  readonly resource: Resource;
  /** Object that the event concerns; null if the object has no identifier. */
  readonly objectUuid: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly raisedAt: Date;
}

export type UnplacedEvent = Omit<PublishedEvent, 'position'>;

interface FollowerRow {
  name: string;
  position: number;
  failures: Generated<number>;
  problem: string | null;
  retry_at: Date | null;
}

export type EventTables = {
  event_outbox: { id: Generated<number>; event: string; payload: string };
  event_follower: FollowerRow;
};

export async function insertOutbox(tx: Executor, event: string, payloads: readonly unknown[]): Promise<void> {
  await tx
    .withTables<EventTables>()
    .insertInto('event_outbox')
    .values(payloads.map((payload) => ({ event, payload: JSON.stringify(payload) })))
    .execute();
}

/**
 * Returns a part of a `WITH` clause that appends an event for each row, for statements that do everything in one step.
 * @param payload an expression over `from` that yields jsonb
 */
export const outboxCte = (facts: { readonly event: string; readonly payload: string; readonly from: string }): string =>
  `outbox AS (INSERT INTO event_outbox (event, payload) SELECT '${facts.event}', ${facts.payload} FROM ${facts.from})`;

export async function claimOutbox(tx: Executor, limit: number): Promise<readonly OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    WITH taken AS (
      DELETE FROM event_outbox WHERE id IN (SELECT id FROM event_outbox ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING id, event, payload, created_at
    ) SELECT event, payload, created_at FROM taken ORDER BY id`.execute(tx);
  return rows;
}

export async function isOutboxEmpty(executor: Executor): Promise<boolean> {
  const { rows } = await sql`SELECT FROM event_outbox LIMIT 1`.execute(executor);
  return rows.length === 0;
}

/**
 * Locks the head of the log and returns its position. Waits for other transactions that append to the log; no other
 * transaction can append until this one ends.
 */
export async function lockHead(tx: Executor): Promise<number> {
  const { rows } = await sql<{ position: string }>`SELECT position FROM event_log_head FOR UPDATE`.execute(tx);
  return Number(rows[0]?.position);
}

export const readHead = async (executor: Executor): Promise<number> => {
  const { rows } = await sql<{ position: string }>`SELECT position FROM event_log_head`.execute(executor);
  return Number(rows[0]?.position);
};

/** Appends events after the head, which the caller must have locked. */
export async function appendToLog(tx: Executor, head: number, events: readonly UnplacedEvent[]): Promise<void> {
  const rows = events.map((event, index) => ({
    position: head + index + 1,
    uuid: event.uuid,
    event: event.event,
    resource: event.resource,
    object_uuid: event.objectUuid,
    data: event.data,
    raised_at: event.raisedAt,
  }));
  await sql`
    INSERT INTO event_log (position, uuid, event, resource, object_uuid, data, raised_at)
    SELECT position, uuid, event, resource, object_uuid, data, raised_at FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row (position bigint, uuid uuid, event text, resource text, object_uuid uuid, data jsonb, raised_at timestamptz)`.execute(
    tx,
  );
  await sql`UPDATE event_log_head SET position = ${head + events.length}`.execute(tx);
}

export interface LogRange {
  /** Only positions above this one are read. */
  readonly after: number;
  readonly limit: number;
}

/** Returns events in order. */
export async function readLog(executor: Executor, { after, limit }: LogRange): Promise<PublishedEvent[]> {
  const { rows } = await sql<LogRow>`
    SELECT position, uuid, event, resource, object_uuid, data, raised_at FROM event_log
    WHERE position > ${after} ORDER BY position LIMIT ${limit}`.execute(executor);
  return rows.map(eventOf);
}

/**
 * Returns the wanted events, in order, or all events if `wanted` is undefined.
 * @returns the events, and the position up to which there are no others
 */
export async function readMatching(
  executor: Executor,
  { after, limit, wanted }: LogRange & { readonly wanted: readonly string[] | undefined },
): Promise<{ readonly events: readonly PublishedEvent[]; readonly upTo: number }> {
  // The head is read in the same snapshot as the events.
  const { rows } = await sql<{ head: string } & (LogRow | { readonly position: null })>`
    SELECT h.position AS head, l.position, uuid, event, resource, object_uuid, data, raised_at FROM event_log_head h
    LEFT JOIN LATERAL (
      SELECT position, uuid, event, resource, object_uuid, data, raised_at FROM event_log
      WHERE position > ${after} ${wanted ? sql`AND event = ANY(${wanted}::text[])` : sql``}
      ORDER BY position LIMIT ${limit}) l ON true
    ORDER BY l.position`.execute(executor);
  const events = rows.flatMap((row) => (row.position === null ? [] : eventOf(row)));
  return { events, upTo: events.length < limit ? Number(rows[0]?.head) : (events.at(-1)?.position ?? after) };
}

/** Returns an event, or undefined if it is no longer stored. */
export async function findEvent(executor: Executor, uuid: string): Promise<PublishedEvent | undefined> {
  const { rows } = await sql<LogRow>`
    SELECT position, uuid, event, resource, object_uuid, data, raised_at FROM event_log WHERE uuid = ${uuid}`.execute(
    executor,
  );
  return rows.map(eventOf)[0];
}

/** Returns the objects that the event has concerned since a time, newest first, without duplicates. */
export async function findObjectsOfEvent(
  executor: Executor,
  { event, since, limit }: { readonly event: string; readonly since: Date; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ object_uuid: string }>`
    SELECT object_uuid FROM event_log WHERE event = ${event} AND raised_at >= ${since} AND object_uuid IS NOT NULL
    GROUP BY object_uuid ORDER BY max(position) DESC LIMIT ${limit}`.execute(executor);
  return rows.map((row) => row.object_uuid);
}

interface LogRow {
  readonly position: string;
  readonly uuid: string;
  readonly event: string;
  readonly resource: Resource;
  readonly object_uuid: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly raised_at: Date;
}

const eventOf = (row: LogRow): PublishedEvent => ({
  position: Number(row.position),
  uuid: row.uuid,
  event: row.event,
  resource: row.resource,
  objectUuid: row.object_uuid,
  data: row.data,
  raisedAt: row.raised_at,
});

/** Adds a follower, which starts with the next event. */
export async function insertFollower(executor: Executor, name: string): Promise<void> {
  await sql`
    INSERT INTO event_follower (name, position) SELECT ${name}, position FROM event_log_head ON CONFLICT DO NOTHING`.execute(
    executor,
  );
}

export interface Follower {
  readonly position: number;
  readonly failures: number;
}

/**
 * Locks and returns the follower. Returns undefined while a different node holds it, and after a failure until its
 * retry time. A retry time more than 10 minutes ahead is ignored, because the clock was set back.
 */
export async function lockFollower(tx: Executor, name: string): Promise<Follower | undefined> {
  const { rows } = await sql<{ position: string; failures: number }>`
    SELECT position, failures FROM event_follower
    WHERE name = ${name} AND (retry_at IS NULL OR retry_at NOT BETWEEN now() AND now() + interval '10 minutes')
    FOR UPDATE SKIP LOCKED`.execute(tx);
  const row = rows[0];
  return row && { position: Number(row.position), failures: row.failures };
}

export async function moveFollower(tx: Executor, name: string, position: number): Promise<void> {
  await sql`
    UPDATE event_follower SET position = ${position}, failures = 0, problem = NULL, retry_at = NULL WHERE name = ${name}`.execute(
    tx,
  );
}

/** Records a failure; the delay before the next attempt doubles with each one. */
export async function recordFailure(executor: Executor, name: string, problem: string): Promise<void> {
  await sql`
    UPDATE event_follower SET failures = failures + 1, problem = ${problem}, retry_at = now() + make_interval(secs => 2 ^ failures)
    WHERE name = ${name}`.execute(executor);
}

export async function setAside(
  tx: Executor,
  name: string,
  facts: { readonly event: PublishedEvent; readonly problem: string },
): Promise<void> {
  const { position, uuid } = facts.event;
  await sql`
    INSERT INTO event_set_aside (follower, position, event_uuid, problem) VALUES (${name}, ${position}, ${uuid}, ${facts.problem})`.execute(
    tx,
  );
}

export async function readProblem(executor: Executor, name: string): Promise<string | null> {
  const { rows } = await sql<{ problem: string | null }>`
    SELECT problem FROM event_follower WHERE name = ${name}`.execute(executor);
  return rows[0]?.problem ?? null;
}

/** Deletes older events that every follower has read; returns their number. */
export async function deleteOldEvents(
  executor: Executor,
  facts: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM event_log WHERE position IN (
      SELECT position FROM event_log
      WHERE raised_at < ${facts.before} AND position <= ALL (SELECT position FROM event_follower)
      ORDER BY position LIMIT ${facts.limit})`.execute(executor);
  return Number(numAffectedRows ?? 0);
}

export interface FollowerLag {
  readonly name: string;
  readonly lag: number;
  readonly setAside: number;
}

export async function findLags(executor: Executor): Promise<readonly FollowerLag[]> {
  const { rows } = await sql<{ name: string; lag: string; set_aside: string }>`
    SELECT f.name, h.position - f.position AS lag,
      (SELECT count(*) FROM event_set_aside a WHERE a.follower = f.name) AS set_aside
    FROM event_follower f CROSS JOIN event_log_head h`.execute(executor);
  return rows.map((row) => ({ name: row.name, lag: Number(row.lag), setAside: Number(row.set_aside) }));
}

/**
 * Returns the head and the position of the oldest stored event, or the position after the head if there are no events.
 */
export async function readEnds(executor: Executor): Promise<{ readonly head: number; readonly oldest: number }> {
  const { rows } = await sql<{ head: string; oldest: string }>`
    SELECT h.position AS head, coalesce((SELECT min(position) FROM event_log), h.position + 1) AS oldest
    FROM event_log_head h`.execute(executor);
  return { head: Number(rows[0]?.head), oldest: Number(rows[0]?.oldest) };
}
