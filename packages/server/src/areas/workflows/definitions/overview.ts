// All definitions in one response, each with its components and the definitions that use it; triggers also with their
// associations and recent activity.
import type {
  DefinitionUse,
  PlacedTrigger,
  TriggerActivity,
  TriggerPlace,
  UsedAction,
  UsedCondition,
  UsedExecution,
  UsedRule,
} from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { ObjectNames, Platform } from '../../../platform/platform.ts';
import type { Executions } from './executions.ts';
import {
  presentActionDetail,
  presentCondition,
  presentExecution,
  presentRuleDetail,
  presentTriggerDetail,
} from './present.ts';
import { nest } from './read-sets.ts';
import { findLinkedTriggers, findNestedActions, findNestedRules } from './store-nested.ts';
import { findActivities, type Activity } from './store-activity.ts';
import {
  actionExecutions,
  conditions,
  executions as storedExecutions,
  findAssociations,
  ruleConditions,
  triggerActions,
  triggerRules,
  type Composition,
} from './store.ts';

const DAY_MS = 86_400_000;

export interface OverviewParts {
  readonly executions: Pick<Executions, 'profileNames'>;
  /** Returns complete results once all areas have been created. */
  readonly objectNames: () => ObjectNames;
}

export type Overview = ReturnType<typeof createOverview>;

/** Returns the definitions sorted by name. The caller of this function must omit objects that the user cannot see. */
export function createOverview(
  { database: { executor }, clock }: Platform,
  { executions, objectNames }: OverviewParts,
) {
  async function placesByTrigger({ actor }: RequestContext): Promise<ReadonlyMap<string, readonly TriggerPlace[]>> {
    const associations = await findAssociations(executor);
    const names = new Map<string, string>();
    for (const resource of new Set(associations.flatMap((each) => each.resource ?? []))) {
      const visible = visibleObjects(actor.permissions, resource, 'detail');
      const uuids = associations.flatMap((each) => (each.resource === resource ? (each.object_uuid ?? []) : []));
      const shown = [...new Set(uuids)].filter((uuid) => isVisible(visible, uuid));
      for (const { uuid, name } of (await objectNames()[resource]?.(executor, shown)) ?? []) names.set(uuid, name);
    }
    const byTrigger = Map.groupBy(associations, (each) => each.trigger_uuid);
    return new Map(
      [...byTrigger].map(([trigger, of]) => [
        trigger,
        of.map(({ event, resource, object_uuid: object, triggered_by: triggeredBy }) => ({
          event,
          triggeredBy,
          ...(resource !== null && object !== null && { resource, objectUuid: object, ...nameOf(names.get(object)) }),
        })),
      ]),
    );
  }

  return {
    async triggers(context: RequestContext): Promise<PlacedTrigger[]> {
      const rows = await nest(executor, await findLinkedTriggers(executor));
      const names = await executions.profileNames(
        rows.flatMap(({ actions }) => actions.flatMap((action) => action.executions)),
      );
      const places = await placesByTrigger(context);
      const activities = await findActivities(
        executor,
        rows.map(({ uuid }) => uuid),
        new Date(clock.now().getTime() - DAY_MS),
      );
      return byName(rows).map((row) => ({
        ...presentTriggerDetail(row, names),
        places: [...(places.get(row.uuid) ?? [])],
        activity: presentActivity(activities.get(row.uuid)),
      }));
    },

    async rules(context: RequestContext): Promise<UsedRule[]> {
      const usedBy = await usesOf(executor, { composition: triggerRules, resource: 'triggers' }, context);
      const rows = await findNestedRules(executor);
      return byName(rows).map((row) => ({ ...presentRuleDetail(row), usedBy: usedBy(row.uuid) }));
    },

    async actions(context: RequestContext): Promise<UsedAction[]> {
      const usedBy = await usesOf(executor, { composition: triggerActions, resource: 'triggers' }, context);
      const rows = await findNestedActions(executor);
      const names = await executions.profileNames(rows.flatMap((row) => row.executions));
      return byName(rows).map((row) => ({ ...presentActionDetail(row, names), usedBy: usedBy(row.uuid) }));
    },

    async conditions(context: RequestContext): Promise<UsedCondition[]> {
      const usedBy = await usesOf(executor, { composition: ruleConditions, resource: 'rules' }, context);
      const rows = await conditions.findAll(executor);
      return byName(rows).map((row) => ({ ...presentCondition(row), usedBy: usedBy(row.uuid) }));
    },

    async executions(context: RequestContext): Promise<UsedExecution[]> {
      const usedBy = await usesOf(executor, { composition: actionExecutions, resource: 'actions' }, context);
      const rows = await storedExecutions.findAll(executor);
      const names = await executions.profileNames(rows);
      return byName(rows).map((row) => ({ ...presentExecution(row, names), usedBy: usedBy(row.uuid) }));
    },
  };
}

/** Returns the definitions that use each part of a composition; those that the caller cannot see are only counted. */
async function usesOf(
  executor: Executor,
  { composition, resource }: { readonly composition: Composition; readonly resource: 'triggers' | 'rules' | 'actions' },
  { actor }: RequestContext,
): Promise<(partUuid: string) => DefinitionUse> {
  const visible = visibleObjects(actor.permissions, resource, 'detail');
  const byPart = Map.groupBy(await composition.findUses(executor), ({ part }) => part);
  return (partUuid) => {
    const uses = byPart.get(partUuid) ?? [];
    const named = uses.filter(({ uuid }) => isVisible(visible, uuid)).map(({ uuid, name }) => ({ uuid, name }));
    return { count: uses.length, named };
  };
}

const presentActivity = (activity: Activity | undefined): TriggerActivity => ({
  ...(activity?.last_evaluated_at && { lastEvaluatedAt: activity.last_evaluated_at.toISOString() }),
  ...(activity?.last_matched_at && { lastMatchedAt: activity.last_matched_at.toISOString() }),
  failuresOfDay: activity?.failures ?? 0,
});

const nameOf = (objectName: string | undefined) => (objectName === undefined ? {} : { objectName });

const byName = <Row extends { readonly name: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
