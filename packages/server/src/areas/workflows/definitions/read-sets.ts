// What the engine evaluates: all triggers of an event with everything that they consist of.
import type { ResourceEvent } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { OverridingResource } from '../tables.ts';
import {
  findAssociatedTriggers,
  findNestedActions,
  findNestedRules,
  type LinkedTrigger,
  type NestedTrigger,
} from './store-nested.ts';

export { readRevision } from './store-revision.ts';

/** A trigger that is asked about an event. */
export interface Association {
  readonly uuid: string;
  /** Absent: of the platform as a whole. */
  readonly of: { readonly resource: OverridingResource; readonly objectUuid: string } | undefined;
  readonly trigger: NestedTrigger;
  /** Whose rights the actions have; null of the platform itself. */
  readonly triggeredByUuid: string | null;
  readonly triggeredBy: string;
}

/**
 * All associations of an event, those of the platform after those of objects; of each object the ignore triggers first,
 * then in their order. The same trigger is the same value wherever it is associated. Three statements, so that it needs
 * a snapshot to be of one moment.
 */
export async function readAssociations(executor: Executor, event: ResourceEvent): Promise<Association[]> {
  const rows = await findAssociatedTriggers(executor, event);
  const nested = new Map((await nest(executor, rows)).map((trigger) => [trigger.uuid, trigger]));
  return rows.map((row) => ({
    uuid: row.association_uuid,
    of:
      row.association_resource === null || row.object_uuid === null
        ? undefined
        : { resource: row.association_resource, objectUuid: row.object_uuid },
    trigger: nested.get(row.uuid) as NestedTrigger, // one of each row
    triggeredByUuid: row.triggered_by_uuid,
    triggeredBy: row.triggered_by,
  }));
}

/** Triggers with their rules and actions. */
export async function nest(executor: Executor, linked: readonly LinkedTrigger[]): Promise<NestedTrigger[]> {
  const distinct = [...new Map(linked.map((trigger) => [trigger.uuid, trigger])).values()];
  const ruleUuids = distinct.flatMap((trigger) => trigger.rule_uuids);
  const actionUuids = distinct.flatMap((trigger) => trigger.action_uuids);
  const rules = byUuid(ruleUuids.length === 0 ? [] : await findNestedRules(executor, ruleUuids));
  const actions = byUuid(actionUuids.length === 0 ? [] : await findNestedActions(executor, actionUuids));
  return distinct.map(({ uuid, name, description, type, resource, ignore_trigger, event, ...parts }) => ({
    ...{ uuid, name, description, type, resource, ignore_trigger, event },
    rules: parts.rule_uuids.flatMap((each) => rules.get(each) ?? []),
    actions: parts.action_uuids.flatMap((each) => actions.get(each) ?? []),
  }));
}

const byUuid = <Row extends { readonly uuid: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.uuid, row]));
