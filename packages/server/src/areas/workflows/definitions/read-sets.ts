// Definitions that the engine evaluates: all triggers for an event with all their components.
import type { ResourceEvent } from '@signetry/contract';
import { requireFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { OverridingResource } from '../tables.ts';
import {
  findAssociatedTriggers,
  findLinkedTriggers,
  findNestedActions,
  findNestedRules,
  type LinkedTrigger,
  type NestedTrigger,
} from './store-nested.ts';

export { readRevision } from './store-revision.ts';

/** Trigger that is evaluated for an event. */
export interface Association {
  readonly uuid: string;
  /** Absent for triggers that apply to the whole platform. */
  readonly of: { readonly resource: OverridingResource; readonly objectUuid: string } | undefined;
  readonly trigger: NestedTrigger;
  /** User with whose permissions the actions run; null for the platform itself. */
  readonly triggeredByUuid: string | null;
  readonly triggeredBy: string;
}

/**
 * Returns all associations of an event, those with objects before those with the platform. For each object, ignore
 * triggers come first, then the others in order. A trigger is the same value in all its associations. Runs three
 * statements, so consistent results require a snapshot.
 */
export async function readAssociations(executor: Executor, event: ResourceEvent): Promise<Association[]> {
  const rows = await findAssociatedTriggers(executor, event);
  const linked = rows.map(({ trigger }) => trigger);
  const nested = new Map((await nest(executor, linked)).map((trigger) => [trigger.uuid, trigger]));
  return rows.map(({ association: { uuid, resource, object_uuid: objectUuid, ...by }, trigger }) => ({
    uuid,
    of: resource === null || objectUuid === null ? undefined : { resource, objectUuid },
    trigger: nested.get(trigger.uuid) as NestedTrigger, // Every row has an entry.
    triggeredByUuid: by.triggered_by_uuid,
    triggeredBy: by.triggered_by,
  }));
}

/** Returns triggers with their rules and actions. */
export async function nest(executor: Executor, linked: readonly LinkedTrigger[]): Promise<NestedTrigger[]> {
  const distinct = [...new Map(linked.map((trigger) => [trigger.uuid, trigger])).values()];
  const ruleUuids = distinct.flatMap((trigger) => trigger.rule_uuids);
  const actionUuids = distinct.flatMap((trigger) => trigger.action_uuids);
  const rules = byUuid(ruleUuids.length === 0 ? [] : await findNestedRules(executor, ruleUuids));
  const actions = byUuid(actionUuids.length === 0 ? [] : await findNestedActions(executor, actionUuids));
  return distinct.map(({ rule_uuids, action_uuids, ...trigger }) => ({
    ...trigger,
    rules: rule_uuids.flatMap((each) => rules.get(each) ?? []),
    actions: action_uuids.flatMap((each) => actions.get(each) ?? []),
  }));
}

const byUuid = <Row extends { readonly uuid: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.uuid, row]));

/** Returns a trigger with all its components; throws 404 if it does not exist. */
export async function readNestedTrigger(executor: Executor, uuid: string): Promise<NestedTrigger> {
  const [trigger] = await nest(executor, await findLinkedTriggers(executor, [uuid]));
  return requireFound(trigger, 'Trigger', uuid);
}
