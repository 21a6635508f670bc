// Rows of the outbox, of the log of published events, and of those who follow it.
// Owns: event_outbox, event_log, event_log_head, event_follower, event_set_aside.
import type { Resource } from '@signetry/contract';
import { sql, type Generated } from 'kysely';
import type { Executor } from '../database/database.ts';

export interface OutboxRow {
  readonly event: string;
  readonly payload: never;
  readonly created_at: Date;
}

/** An event as it is kept for everybody who follows the log. */
export interface PublishedEvent {
  /** One more than that of the event before. */
  readonly position: number;
  readonly uuid: string;
  readonly event: string;
  readonly resource: Resource;
  /** What it is about; null where that has no identifier. */
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
 * A part of a `WITH` that appends an event for each row: for statements that do everything at once.
 * @param payload an expression over `from` that yields jsonb
 */
export const outboxCte = (facts: { readonly event: string; readonly payload: string; readonly from: string }): string =>
  `outbox AS (INSERT INTO event_outbox (event, payload) SELECT '${facts.event}', ${facts.payload} FROM ${facts.from})`;

export async function takeOutbox(tx: Executor, limit: number): Promise<readonly OutboxRow[]> {
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

/** Waits for whoever is placing events now; until the transaction ends nobody else places any. */
export async function lockHead(tx: Executor): Promise<number> {
  const { rows } = await sql<{ position: string }>`SELECT position FROM event_log_head FOR UPDATE`.execute(tx);
  return Number(rows[0]?.position);
}

export const readHead = async (executor: Executor): Promise<number> => {
  const { rows } = await sql<{ position: string }>`SELECT position FROM event_log_head`.execute(executor);
  return Number(rows[0]?.position);
};

/** Appends events after the head, which the caller has locked. */
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
  /** Positions above this one. */
  readonly after: number;
  readonly limit: number;
}

/** In their order. */
export async function readLog(executor: Executor, { after, limit }: LogRange): Promise<PublishedEvent[]> {
  const { rows } = await sql<LogRow>`
    SELECT position, uuid, event, resource, object_uuid, data, raised_at FROM event_log
    WHERE position > ${after} ORDER BY position LIMIT ${limit}`.execute(executor);
  return rows.map(eventOf);
}

/**
 * In their order, the wanted ones only; without `wanted`, all.
 * @returns the events, and the position up to which there are no others of them
 */
export async function readWanted(
  executor: Executor,
  { after, limit, wanted }: LogRange & { readonly wanted: readonly string[] | undefined },
): Promise<{ readonly events: readonly PublishedEvent[]; readonly upTo: number }> {
  // The head is of the same moment as the events.
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

/** Undefined when it is not kept any more. */
export async function findEvent(executor: Executor, uuid: string): Promise<PublishedEvent | undefined> {
  const { rows } = await sql<LogRow>`
    SELECT position, uuid, event, resource, object_uuid, data, raised_at FROM event_log WHERE uuid = ${uuid}`.execute(
    executor,
  );
  return rows.map(eventOf)[0];
}

/** What an event was about since then, the newest first, each once. */
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

/** Somebody who follows for the first time begins with what comes next. */
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
 * Undefined while another node is at it, and before the time for which it waits after a failure: minutes at the most,
 * unless the clock was set back.
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

/** The pause doubles with each failure. */
export async function noteFailure(executor: Executor, name: string, problem: string): Promise<void> {
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

/** Deletes what is older and was read by every follower; answers how many. */
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

/** The head, and the oldest event that is kept; the one after the head where none is. */
export async function readEnds(executor: Executor): Promise<{ readonly head: number; readonly oldest: number }> {
  const { rows } = await sql<{ head: string; oldest: string }>`
    SELECT h.position AS head, coalesce((SELECT min(position) FROM event_log), h.position + 1) AS oldest
    FROM event_log_head h`.execute(executor);
  return { head: Number(rows[0]?.head), oldest: Number(rows[0]?.oldest) };
}
