// Queries for an event's triggers.
import type { ResourceEvent } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { OverridingResource, TriggerRow } from '../tables.ts';

/** Object whose triggers are referenced; if absent, the platform's triggers are referenced. */
export interface AssociatedObject {
  readonly resource: OverridingResource;
  readonly uuid: string;
}

export interface TriggerSet {
  readonly event: ResourceEvent;
  readonly of: AssociatedObject | undefined;
  /** Ordered, without duplicates. */
  readonly triggerUuids: readonly string[];
  readonly by: { readonly userUuid: string | null; readonly username: string };
  readonly at: Date;
}

/**
 * Replaces the existing triggers; remaining associations keep their identifiers. New associations are inserted first,
 * because the insert waits for a concurrent removal of the object, which in turn waits for the remaining associations.
 */
export async function replaceTriggers(tx: Executor, { event, of, triggerUuids, by, at }: TriggerSet): Promise<void> {
  const [resource, object] = [of?.resource ?? null, of?.uuid ?? null];
  const wanted = sql`unnest(${triggerUuids}::uuid[]) WITH ORDINALITY AS t (uuid, position)`;
  const ofSet = sql`a.event = ${event} AND a.object_uuid IS NOT DISTINCT FROM ${object}::uuid`;
  await sql`
    INSERT INTO workflow_trigger_association
      (uuid, trigger_uuid, event, resource, object_uuid, position, triggered_by_uuid, triggered_by, created_at)
    SELECT gen_random_uuid(), t.uuid, ${event}, ${resource}, ${object}::uuid, t.position, ${by.userUuid}::uuid,
      ${by.username}, ${at}
    FROM ${wanted}
    ON CONFLICT ON CONSTRAINT workflow_trigger_association_key DO NOTHING`.execute(tx);
  await sql`
    UPDATE workflow_trigger_association a
    SET position = t.position, triggered_by_uuid = ${by.userUuid}::uuid, triggered_by = ${by.username}, created_at = ${at}
    FROM ${wanted}
    WHERE a.trigger_uuid = t.uuid AND ${ofSet}`.execute(tx);
  await sql`
    DELETE FROM workflow_trigger_association a
    WHERE ${ofSet} AND a.trigger_uuid <> ALL(${triggerUuids}::uuid[])`.execute(tx);
}

interface AssociatedRow extends Pick<
  TriggerRow,
  'uuid' | 'name' | 'description' | 'type' | 'resource' | 'ignore_trigger' | 'event'
> {
  readonly associated_event: ResourceEvent;
}

/** Returns the triggers of one object or of the platform, by event: ignore triggers first, then the others in order. */
export async function findTriggersOf(executor: Executor, of: AssociatedObject | undefined): Promise<AssociatedRow[]> {
  const { rows } = await sql<AssociatedRow>`
    SELECT t.uuid, t.name, t.description, t.type, t.resource, t.ignore_trigger, t.event, a.event AS associated_event
    FROM workflow_trigger_association a JOIN workflow_trigger t ON t.uuid = a.trigger_uuid
    WHERE a.resource IS NOT DISTINCT FROM ${of?.resource ?? null}
      AND a.object_uuid IS NOT DISTINCT FROM ${of?.uuid ?? null}::uuid
    ORDER BY a.event, t.ignore_trigger DESC, a.position`.execute(executor);
  return rows;
}
