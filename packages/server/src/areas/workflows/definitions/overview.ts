// All definitions at once, each with everything that it consists of, and triggers with where they are asked.
import type { ActionDetailDto, PlacedTrigger, RuleDetailDto, TriggerPlace } from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../../kernel/actor.ts';
import type { ObjectNames, Platform } from '../../../platform/platform.ts';
import type { Executions } from './executions.ts';
import { presentActionDetail, presentRuleDetail, presentTriggerDetail } from './present.ts';
import { nest } from './read-sets.ts';
import { findLinkedTriggers, findNestedActions, findNestedRules } from './store-nested.ts';
import { findAssociations } from './store.ts';

export interface OverviewParts {
  readonly executions: Pick<Executions, 'profileNames'>;
  /** Complete once every area was created. */
  readonly objectNames: () => ObjectNames;
}

export type Overview = ReturnType<typeof createOverview>;

/** In the order of their names. Objects that the caller may not see are left out by whoever answers. */
export function createOverview({ database: { executor } }: Platform, { executions, objectNames }: OverviewParts) {
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
      return byName(rows).map((row) => ({
        ...presentTriggerDetail(row, names),
        places: [...(places.get(row.uuid) ?? [])],
      }));
    },

    rules: async (): Promise<RuleDetailDto[]> => byName(await findNestedRules(executor)).map(presentRuleDetail),

    async actions(): Promise<ActionDetailDto[]> {
      const rows = await findNestedActions(executor);
      const names = await executions.profileNames(rows.flatMap((row) => row.executions));
      return byName(rows).map((row) => presentActionDetail(row, names));
    },
  };
}

const nameOf = (objectName: string | undefined) => (objectName === undefined ? {} : { objectName });

const byName = <Row extends { readonly name: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
