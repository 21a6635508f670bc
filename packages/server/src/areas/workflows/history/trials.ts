// Trials: triggers, or conditions that are not kept yet, are asked about objects as they are now. Nothing is done.
import {
  MAX_TRIAL_OBJECTS,
  resourceEventFacts,
  type WorkflowTrialDto,
  type WorkflowTrialObjectDto,
  type WorkflowTrialRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import type { ObjectValues } from '../../../platform/database/filter/read-values.ts';
import { findObjectsOfEvent } from '../../../platform/events/store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readNestedTrigger } from '../definitions/read-sets.ts';
import type { NestedTrigger } from '../definitions/store-nested.ts';
import type { Subjects } from '../definitions/subjects.ts';
import { fieldsOf, makeReady, outcomeOf, valuesByName, type ReadyTrigger } from '../engine/conditions.ts';
import { HOLDS } from '../engine/tables.ts';
import type { WorkflowSubject } from '../ports.ts';
import { readConditions } from '../read-conditions.ts';
import { presentConditions, stepsOf } from './tree.ts';

const DAY_MS = 86_400_000;

export type Trials = ReturnType<typeof createTrials>;

export function createTrials({ database, clock }: Platform, { subjects }: { readonly subjects: Subjects }) {
  const { executor } = database;

  async function objectsOf(
    subject: WorkflowSubject,
    { objectUuids, event, days }: WorkflowTrialRequestDto,
    context: RequestContext,
  ): Promise<{ readonly uuids: readonly string[]; readonly isPart: boolean }> {
    if (objectUuids) return { uuids: [...new Set(objectUuids.map((uuid) => uuid.toLowerCase()))], isPart: false };
    if (!event) {
      const uuids = await subject.findNewest(context, MAX_TRIAL_OBJECTS + 1);
      return { uuids: uuids.slice(0, MAX_TRIAL_OBJECTS), isPart: uuids.length > MAX_TRIAL_OBJECTS };
    }
    if (resourceEventFacts[event].resource !== subject.resource)
      throw rejected(`event: ${event} is about ${resourceEventFacts[event].resource}, not about ${subject.resource}`);
    const since = new Date(clock.now().getTime() - days * DAY_MS);
    const uuids = await findObjectsOfEvent(executor, { event, since, limit: MAX_TRIAL_OBJECTS + 1 });
    return { uuids: uuids.slice(0, MAX_TRIAL_OBJECTS), isPart: uuids.length > MAX_TRIAL_OBJECTS };
  }

  return {
    async run(request: WorkflowTrialRequestDto, context: RequestContext): Promise<WorkflowTrialDto> {
      const subject = subjects.require(request.resource, 'trials');
      const evaluated = subject.evaluated(context);
      const trigger = await triggerOf(request);
      const options = { lookup: evaluated.lookup, now: clock.now() };
      // Fields and values that cannot be compared are refused; a trigger that has come to have some does not match.
      if (request.conditions) readConditions(request.conditions.map(itemOf), options);
      const ready = makeReady(trigger, { ...options, resource: subject.resource });
      const { uuids, isPart } = await objectsOf(subject, request, context);
      const names = await subject.findShown(uuids, context);
      const fields = fieldsOf([ready]);
      const values = await evaluated.read(executor, { fields, uuids: uuids.filter((uuid) => names.has(uuid)) });
      const judged = [...values].map(([uuid, of]) => ({ uuid, of, outcome: outcomeOf(ready, valuesByName(of)) }));
      const matched = judged.filter(({ outcome }) => outcome === HOLDS);
      const told = [...matched, ...judged.filter(({ outcome }) => outcome !== HOLDS)].slice(0, request.limit);
      return {
        evaluated: judged.length,
        matched: matched.length,
        isPart,
        ignores: trigger.ignore_trigger,
        objects: told.map((object) => presentObject(ready, { ...object, name: names.get(object.uuid) ?? '' }, subject)),
        steps: stepsOf(trigger).map(({ action, execution }) => ({
          action: { uuid: action.uuid, name: action.name },
          execution: { uuid: execution.uuid, name: execution.name },
          type: execution.type,
          items: [...execution.items],
        })),
      };
    },
  };

  async function triggerOf({ triggerUuid, conditions, resource }: WorkflowTrialRequestDto): Promise<NestedTrigger> {
    if (triggerUuid !== undefined && conditions !== undefined)
      throw rejected('A trial is of a trigger or of conditions, not of both.');
    if (triggerUuid === undefined) return unkept(resource, conditions ?? []);
    const trigger = await readNestedTrigger(executor, triggerUuid.toLowerCase());
    if (trigger.resource !== resource)
      throw rejected(`resource: the trigger ${trigger.name} is about ${trigger.resource}, not about ${resource}`);
    return trigger;
  }
}

type Conditions = NonNullable<WorkflowTrialRequestDto['conditions']>;

const itemOf = ({ value, ...item }: Conditions[number]) => ({ ...item, ...(value === undefined ? {} : { value }) });

/** Conditions as a trigger that has nothing to do. */
function unkept(resource: NestedTrigger['resource'], conditions: Conditions): NestedTrigger {
  const described = { uuid: '', name: '', description: null, resource };
  const condition = { ...described, type: 'checkField' as const, items: conditions.map(itemOf) };
  return {
    ...described,
    type: 'manual',
    ignore_trigger: false,
    event: null,
    rules: conditions.length === 0 ? [] : [{ ...described, conditions: [condition] }],
    actions: [],
  };
}

function presentObject(
  ready: ReadyTrigger,
  { uuid, name, of, outcome }: {
    readonly uuid: string;
    readonly name: string;
    readonly of: ObjectValues;
    readonly outcome: number;
  }, // prettier-ignore
  { resource }: WorkflowSubject,
): WorkflowTrialObjectDto {
  const fields = [...of.keys()];
  const inputs = fields.map((field) => of.get(field) ?? null);
  const conditions = presentConditions(ready.trigger, outcome, { resource, fields, inputs });
  return {
    uuid,
    name,
    matched: outcome === HOLDS,
    conditions: conditions.map(({ condition: _condition, rule: _rule, ...told }) => told),
  };
}
