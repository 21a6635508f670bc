// Queries for definitions: the objects, their components, and their uses.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';
import { namedObjects, type NamedRow } from '../../../platform/objects/named-objects.ts';
import type {
  ActionRow,
  AssociationRow,
  ConditionRow,
  ExecutionRow,
  RuleRow,
  TriggerRow,
  WorkflowTables,
} from '../tables.ts';

const tables = (executor: Executor) => executor.withTables<WorkflowTables>();

export const conditions = namedObjects<ConditionRow>({ what: 'Condition', table: 'workflow_condition' });
export const executions = namedObjects<ExecutionRow>({ what: 'Execution', table: 'workflow_execution' });
export const rules = namedObjects<RuleRow>({ what: 'Rule', table: 'workflow_rule' });
export const actions = namedObjects<ActionRow>({ what: 'Action', table: 'workflow_action' });
export const triggers = namedObjects<TriggerRow>({ what: 'Trigger', table: 'workflow_trigger' });

/** Converts items to the form that the column stores. */
export const itemsColumn = <Items extends ConditionRow['items'] | ExecutionRow['items']>(items: Items): Items =>
  JSON.stringify(items) as never; // jsonb accepts text.

/** Links between composed objects and their parts, which have a defined order. */
export interface Composition {
  replace(tx: Executor, wholeUuid: string, partUuids: readonly string[]): Promise<void>;
  /** Returns the names of the composed objects that use the part. */
  namesOfWholes(executor: Executor, partUuid: string): Promise<string[]>;
  /** Returns composed objects, one row per part, sorted by name. */
  findUses(executor: Executor): Promise<Use[]>;
}

export interface Use extends NamedRow {
  readonly part: string;
}

interface CompositionFacts {
  readonly link: keyof WorkflowTables;
  /** Columns of the link table. */
  readonly whole: string;
  readonly part: string;
  readonly wholes: keyof WorkflowTables;
}

function composition({ link, whole, part, wholes }: CompositionFacts): Composition {
  const [links, wholeUuid, partUuid] = [sql.table(link), sql.ref(whole), sql.ref(part)];
  return {
    async replace(tx, uuid, partUuids) {
      await sql`DELETE FROM ${links} WHERE ${wholeUuid} = ${uuid}::uuid`.execute(tx);
      await sql`INSERT INTO ${links} (${wholeUuid}, ${partUuid}, position)
        SELECT ${uuid}::uuid, p.uuid, p.position
        FROM unnest(${partUuids}::uuid[]) WITH ORDINALITY AS p (uuid, position)`.execute(tx);
    },
    async namesOfWholes(executor, uuid) {
      const { rows } = await sql<NamedRow>`
        SELECT w.uuid, w.name FROM ${links} l JOIN ${sql.table(wholes)} w ON w.uuid = ${sql.ref(`l.${whole}`)}
        WHERE ${sql.ref(`l.${part}`)} = ${uuid}::uuid ORDER BY w.name`.execute(executor);
      return rows.map(({ name }) => name);
    },
    async findUses(executor) {
      const { rows } = await sql<Use>`
        SELECT w.uuid, w.name, ${sql.ref(`l.${part}`)} AS part
        FROM ${links} l JOIN ${sql.table(wholes)} w ON w.uuid = ${sql.ref(`l.${whole}`)} ORDER BY w.name`.execute(
        executor,
      );
      return rows;
    },
  };
}

export const ruleConditions = composition({
  link: 'workflow_rule_condition',
  whole: 'rule_uuid',
  part: 'condition_uuid',
  wholes: 'workflow_rule',
});
export const actionExecutions = composition({
  link: 'workflow_action_execution',
  whole: 'action_uuid',
  part: 'execution_uuid',
  wholes: 'workflow_action',
});
export const triggerRules = composition({
  link: 'workflow_trigger_rule',
  whole: 'trigger_uuid',
  part: 'rule_uuid',
  wholes: 'workflow_trigger',
});
export const triggerActions = composition({
  link: 'workflow_trigger_action',
  whole: 'trigger_uuid',
  part: 'action_uuid',
  wholes: 'workflow_trigger',
});

/** Returns the associations of a trigger. */
export const findAssociationsOfTrigger = (
  executor: Executor,
  triggerUuid: string,
): Promise<Pick<AssociationRow, 'event' | 'resource' | 'object_uuid'>[]> =>
  tables(executor)
    .selectFrom('workflow_trigger_association')
    .select(['event', 'resource', 'object_uuid'])
    .where('trigger_uuid', '=', triggerUuid)
    .orderBy('event')
    .orderBy('resource')
    .execute();

/** Returns the users who associated a trigger, without duplicates. */
export const findAssociatingUsers = (
  executor: Executor,
  triggerUuid: string,
  limit: number,
): Promise<Pick<AssociationRow, 'triggered_by_uuid' | 'triggered_by'>[]> =>
  tables(executor)
    .selectFrom('workflow_trigger_association')
    .select(['triggered_by_uuid', 'triggered_by'])
    .distinct()
    .where('trigger_uuid', '=', triggerUuid)
    .orderBy('triggered_by')
    .limit(limit)
    .execute();

/** Returns the associations of all triggers, those with the platform first. */
export const findAssociations = (
  executor: Executor,
): Promise<Pick<AssociationRow, 'trigger_uuid' | 'event' | 'resource' | 'object_uuid' | 'triggered_by'>[]> =>
  tables(executor)
    .selectFrom('workflow_trigger_association')
    .select(['trigger_uuid', 'event', 'resource', 'object_uuid', 'triggered_by'])
    .orderBy('resource', (order) => order.nullsFirst())
    .orderBy('event')
    .orderBy('created_at')
    .execute();

/** Returns the names of the executions that send messages through a notification profile. */
export async function findExecutionsOfNotificationProfile(executor: Executor, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM workflow_execution
    WHERE items @> ${JSON.stringify([{ notificationProfileUuid: uuid.toLowerCase() }])}::jsonb
    ORDER BY name`.execute(executor);
  return rows.map(({ name }) => name);
}
