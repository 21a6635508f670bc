// Rules with their conditions, actions with their executions, and triggers with their components.
import type { ConditionType, ExecutionType, Resource, ResourceEvent } from '@signetry/contract';
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import type { AssociationRow, ConditionRow, ExecutionRow, TriggerRow } from '../tables.ts';

interface DefinitionRow {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | null;
  readonly resource: Resource;
}

export interface NestedCondition extends DefinitionRow {
  readonly type: ConditionType;
  readonly items: ConditionRow['items'];
}

export interface NestedExecution extends DefinitionRow {
  readonly type: ExecutionType;
  readonly items: ExecutionRow['items'];
}

export interface NestedRule extends DefinitionRow {
  readonly conditions: readonly NestedCondition[];
}

export interface NestedAction extends DefinitionRow {
  readonly executions: readonly NestedExecution[];
}

type TriggerFacts = Pick<
  TriggerRow,
  'uuid' | 'name' | 'description' | 'type' | 'resource' | 'ignore_trigger' | 'event'
>;

/** A trigger with the identifiers of its rules and actions in order. */
export interface LinkedTrigger extends TriggerFacts {
  readonly rule_uuids: readonly string[];
  readonly action_uuids: readonly string[];
}

export interface NestedTrigger extends TriggerFacts {
  readonly rules: readonly NestedRule[];
  readonly actions: readonly NestedAction[];
}

/** Returns rules in no particular order; all rules if no identifiers are specified. */
export async function findNestedRules(executor: Executor, uuids?: readonly string[]): Promise<NestedRule[]> {
  const { rows } = await sql<NestedRule>`
    SELECT r.uuid, r.name, r.description, r.resource, (
      SELECT coalesce(json_agg(json_build_object('uuid', c.uuid, 'name', c.name, 'description', c.description,
        'resource', c.resource, 'type', c.type, 'items', c.items) ORDER BY l.position), '[]')
      FROM workflow_rule_condition l JOIN workflow_condition c ON c.uuid = l.condition_uuid
      WHERE l.rule_uuid = r.uuid
    ) AS conditions
    FROM workflow_rule r WHERE ${among('r', uuids)}`.execute(executor);
  return rows;
}

/** Returns actions in no particular order; all actions if no identifiers are specified. */
export async function findNestedActions(executor: Executor, uuids?: readonly string[]): Promise<NestedAction[]> {
  const { rows } = await sql<NestedAction>`
    SELECT a.uuid, a.name, a.description, a.resource, (
      SELECT coalesce(json_agg(json_build_object('uuid', e.uuid, 'name', e.name, 'description', e.description,
        'resource', e.resource, 'type', e.type, 'items', e.items) ORDER BY l.position), '[]')
      FROM workflow_action_execution l JOIN workflow_execution e ON e.uuid = l.execution_uuid
      WHERE l.action_uuid = a.uuid
    ) AS executions
    FROM workflow_action a WHERE ${among('a', uuids)}`.execute(executor);
  return rows;
}

const among = (table: string, uuids: readonly string[] | undefined) =>
  uuids === undefined ? sql`true` : sql`${sql.ref(`${table}.uuid`)} = ANY(${uuids}::uuid[])`;

const linkedColumns = sql`
  t.uuid, t.name, t.description, t.type, t.resource, t.ignore_trigger, t.event,
  ARRAY(SELECT l.rule_uuid FROM workflow_trigger_rule l WHERE l.trigger_uuid = t.uuid ORDER BY l.position)
    AS rule_uuids,
  ARRAY(SELECT l.action_uuid FROM workflow_trigger_action l WHERE l.trigger_uuid = t.uuid ORDER BY l.position)
    AS action_uuids`;

/** Returns triggers in no particular order; all triggers if no identifiers are specified. */
export async function findLinkedTriggers(executor: Executor, uuids?: readonly string[]): Promise<LinkedTrigger[]> {
  const { rows } = await sql<LinkedTrigger>`
    SELECT ${linkedColumns} FROM workflow_trigger t WHERE ${among('t', uuids)}`.execute(executor);
  return rows;
}

type AssociationFacts = Pick<
  AssociationRow,
  'uuid' | 'resource' | 'object_uuid' | 'triggered_by_uuid' | 'triggered_by'
>;

export interface AssociatedTrigger {
  readonly association: AssociationFacts;
  readonly trigger: LinkedTrigger;
}

/**
 * Returns the associated triggers, those of objects before those of the platform. For each object, ignore triggers come
 * first, then the others in order.
 */
export async function findAssociatedTriggers(executor: Executor, event: ResourceEvent): Promise<AssociatedTrigger[]> {
  const { rows } = await sql<AssociatedTrigger>`
    SELECT
      json_build_object('uuid', a.uuid, 'resource', a.resource, 'object_uuid', a.object_uuid,
        'triggered_by_uuid', a.triggered_by_uuid, 'triggered_by', a.triggered_by) AS association,
      (SELECT to_json(linked) FROM (SELECT ${linkedColumns}) AS linked) AS trigger
    FROM workflow_trigger_association a JOIN workflow_trigger t ON t.uuid = a.trigger_uuid
    WHERE a.event = ${event}
    ORDER BY a.resource NULLS LAST, a.object_uuid, t.ignore_trigger DESC, a.position`.execute(executor);
  return rows;
}
