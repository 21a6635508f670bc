// Triggers: the rules that an object must match, and the resulting actions.
import type {
  Resource,
  ResourceEvent,
  TriggerDetailDto,
  TriggerDto,
  TriggerRequestDto,
  UpdateTriggerRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { ObjectNames, Platform } from '../../../platform/platform.ts';
import type { TriggerRow } from '../tables.ts';
import { holdParts, namesOf, type ChangeDefinition } from './change.ts';
import { isAbout } from './conditions.ts';
import { MAX_PARTS, triggerProblems } from './definition-rules.ts';
import type { Executions } from './executions.ts';
import { presentTrigger, presentTriggerDetail } from './present.ts';
import { nest } from './read-sets.ts';
import { findLinkedTriggers } from './store-nested.ts';
import { actions, findAssociationsOfTrigger, rules, triggerActions, triggerRules, triggers } from './store.ts';
import type { Subjects } from './subjects.ts';

export interface TriggerParts {
  readonly change: ChangeDefinition;
  readonly subjects: Subjects;
  readonly executions: Executions;
  /** Returns complete results once all areas have been created. */
  readonly objectNames: () => ObjectNames;
}

export type Triggers = ReturnType<typeof createTriggers>;

export function createTriggers({ database, clock }: Platform, parts: TriggerParts) {
  const { executor } = database;
  const { change, subjects, executions } = parts;

  async function detail(uuid: string): Promise<TriggerDetailDto> {
    const [trigger] = await nest(executor, await findLinkedTriggers(executor, [uuid]));
    const row = requireFound(trigger, triggers.what, uuid);
    const names = await executions.profileNames(row.actions.flatMap((action) => action.executions));
    return presentTriggerDetail(row, names);
  }

  return {
    detail,
    list: async (resource: Resource | undefined): Promise<TriggerDto[]> =>
      (await triggers.findAll(executor)).filter(isAbout(resource)).map(presentTrigger),

    async create(request: TriggerRequestDto, context: RequestContext): Promise<TriggerDetailDto> {
      subjects.require(request.resource, 'triggers');
      assertValid(request);
      const now = clock.now();
      const row = { uuid: newUuid(), name: request.name, ...fieldsOf(request), created_at: now, updated_at: now };
      await rejectTakenName(triggers, row.name, () =>
        change(context, async (tx) => {
          const inserted = await triggers.insert(tx, row);
          await setParts(tx, row, request);
          return inserted;
        }),
      );
      return detail(row.uuid);
    },

    async update(uuid: string, request: UpdateTriggerRequestDto, context: RequestContext): Promise<TriggerDetailDto> {
      assertValid(request);
      await change(context, async (tx) => {
        const row = await triggers.lock(tx, uuid);
        await assertStillFits(tx, row, request);
        await triggers.update(tx, uuid, { ...fieldsOf(request), updated_at: clock.now() });
        await setParts(tx, row, request);
        return [row];
      });
      return detail(uuid);
    },

    async remove(uuid: string, context: RequestContext): Promise<void> {
      await change(context, async (tx) => {
        const { name } = await triggers.lock(tx, uuid);
        const places = await describeAssociations(tx, parts.objectNames(), uuid);
        if (places.length > 0)
          throw rejected(
            `Cannot delete trigger ${name}: it is associated with events (${places.length}): ${namesOf(places)}. Remove it from them first.`,
          );
        return triggers.removeMany(tx, [uuid]);
      });
    },
  };
}

function assertValid(request: Omit<TriggerRequestDto, 'name'>): void {
  const problems = triggerProblems(request);
  if ((request.rulesUuids ?? []).length > MAX_PARTS) problems.push(`rulesUuids: at most ${MAX_PARTS} are allowed`);
  if (problems.length > 0) throw rejected(...problems);
}

const fieldsOf = ({ description, type, resource, ignoreTrigger, event }: Omit<TriggerRequestDto, 'name'>) => ({
  description: description || null,
  type: type ?? null,
  resource,
  ignore_trigger: ignoreTrigger,
  event: event ?? null,
});

async function setParts(
  tx: Executor,
  { uuid, resource }: Pick<TriggerRow, 'uuid' | 'resource'>,
  { rulesUuids = [], actionsUuids = [] }: Pick<TriggerRequestDto, 'rulesUuids' | 'actionsUuids'>,
): Promise<void> {
  await triggerRules.replace(tx, uuid, await holdParts(tx, rules, { uuids: rulesUuids, resource }));
  await triggerActions.replace(tx, uuid, await holdParts(tx, actions, { uuids: actionsUuids, resource }));
}

/** Rejects a change of the resource, or of the event if it no longer matches the existing associations. */
async function assertStillFits(
  tx: Executor,
  row: TriggerRow,
  { resource, event }: { readonly resource: Resource; readonly event?: ResourceEvent | undefined },
): Promise<void> {
  if (resource !== row.resource)
    throw rejected(`resource: trigger ${row.name} applies to ${row.resource}; the resource cannot be changed`);
  if (event === undefined || event === row.event) return;
  const others = new Set((await findAssociationsOfTrigger(tx, row.uuid)).map((each) => each.event));
  others.delete(event);
  if (others.size > 0)
    throw rejected(`event: trigger ${row.name} is associated with other events (${[...others].join(', ')})`);
}

/** Describes the trigger's associations. */
async function describeAssociations(tx: Executor, objectNames: ObjectNames, uuid: string): Promise<string[]> {
  const associations = await findAssociationsOfTrigger(tx, uuid);
  const names = new Map<string, string>();
  for (const resource of new Set(associations.flatMap((each) => each.resource ?? []))) {
    const uuids = associations.flatMap((each) => (each.resource === resource ? (each.object_uuid ?? []) : []));
    for (const each of (await objectNames[resource]?.(tx, uuids)) ?? []) names.set(each.uuid, each.name);
  }
  return associations.map(({ event, resource, object_uuid: object }) =>
    object === null ? `${event} on the platform` : `${event} on ${resource} ${names.get(object) ?? object}`,
  );
}
