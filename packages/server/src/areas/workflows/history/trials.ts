// Trials: triggers or unsaved conditions are evaluated against objects in their current state. Nothing is changed
// permanently.
import {
  MAX_TRIAL_COUNT,
  MAX_TRIAL_OBJECTS,
  MAX_TRIED_OBJECTS,
  resourceEventFacts,
  type WorkflowStepRefusalDto,
  type WorkflowTrialDto,
  type WorkflowTrialObjectDto,
  type WorkflowTrialRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { ObjectValues } from '../../../platform/database/filter/read-values.ts';
import { findObjectsOfEvent } from '../../../platform/events/store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readNestedTrigger } from '../definitions/read-sets.ts';
import type { NestedTrigger } from '../definitions/store-nested.ts';
import { fieldsOf, prepareTrigger, outcomeOf, valuesByName, type PreparedTrigger } from '../engine/conditions.ts';
import { HOLDS } from '../engine/tables.ts';
import type { FindSavedSearch, WorkflowSubject } from '../ports.ts';
import { readConditions } from '../read-conditions.ts';
import { createRejectedSteps, type RejectedStepsParts } from './rejected-steps.ts';
import { presentConditions, stepsOf } from './tree.ts';

const DAY_MS = 86_400_000;

export type Trials = ReturnType<typeof createTrials>;

export interface TrialParts extends RejectedStepsParts {
  readonly findSavedSearch: FindSavedSearch;
}

const firstOf = (uuids: readonly string[]) => ({ uuids: uuids.slice(0, MAX_TRIAL_OBJECTS), found: uuids.length });

export function createTrials(platform: Platform, parts: TrialParts) {
  const { database, clock } = platform;
  const { executor } = database;
  const { subjects } = parts;
  const findRefused = createRejectedSteps(platform, parts);

  /** Returns the first objects to evaluate, and the number of candidates. */
  async function objectsOf(
    subject: WorkflowSubject,
    request: WorkflowTrialRequestDto,
    context: RequestContext,
  ): Promise<{ readonly uuids: readonly string[]; readonly found: number }> {
    const { objectUuids, event, days, filters, viewUuid } = request;
    const ways = { objectUuids, filters, viewUuid, event };
    const given = Object.entries(ways).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (given.length > 1) throw rejected(`Select objects in only one way; the request has ${given.join(' and ')}.`);
    if (objectUuids) return firstOf([...new Set(objectUuids.map((uuid) => uuid.toLowerCase()))]);
    if (!event) {
      const saved = viewUuid && (await parts.findSavedSearch({ uuid: viewUuid, resource: subject.resource }, context));
      const choice = saved || { filters: filters ?? [], includeArchived: filters === undefined };
      return subject.findChosen(choice, context, { limit: MAX_TRIAL_OBJECTS, counted: MAX_TRIAL_COUNT });
    }
    if (resourceEventFacts[event].resource !== subject.resource)
      throw rejected(`event: ${event} applies to ${resourceEventFacts[event].resource}, not to ${subject.resource}`);
    const since = new Date(clock.now().getTime() - days * DAY_MS);
    return firstOf(await findObjectsOfEvent(executor, { event, since, limit: MAX_TRIAL_COUNT }));
  }

  async function evaluateTrial(subject: WorkflowSubject, request: WorkflowTrialRequestDto, context: RequestContext) {
    const evaluated = subject.evaluated(context);
    const trigger = await triggerOf(executor, request);
    const options = { lookup: evaluated.lookup, now: clock.now() };
    // Fields and values that cannot be compared are rejected here; a stored trigger that contains any does not match.
    if (request.conditions) readConditions(request.conditions.map(itemOf), options);
    const ready = prepareTrigger(trigger, { ...options, resource: subject.resource });
    const { uuids, found } = await objectsOf(subject, request, context);
    const names = await subject.findShown(uuids, context);
    const fields = fieldsOf([ready]);
    const values = await evaluated.read(executor, { fields, uuids: uuids.filter((uuid) => names.has(uuid)) });
    const judged = uuids.flatMap((uuid) => {
      const of = values.get(uuid);
      return of ? [{ uuid, of, name: names.get(uuid) ?? '', outcome: outcomeOf(ready, valuesByName(of)) }] : [];
    });
    return { ready, trigger, judged, found: uuids.length < found ? found : judged.length };
  }

  return {
    async run(request: WorkflowTrialRequestDto, context: RequestContext): Promise<WorkflowTrialDto> {
      const subject = subjects.require(request.resource, 'trials');
      const { ready, trigger, judged, found } = await evaluateTrial(subject, request, context);
      const matched = judged.filter(({ outcome }) => outcome === HOLDS);
      const told = [...matched, ...judged.filter(({ outcome }) => outcome !== HOLDS)].slice(0, request.limit);
      const tried = told.filter(({ outcome }) => outcome === HOLDS).slice(0, MAX_TRIED_OBJECTS);
      const uuids = tried.map(({ uuid }) => uuid);
      const { triedAs, refusals } = await findRefused(trigger, uuids, context);
      return {
        found,
        evaluated: judged.length,
        matched: matched.length,
        isPart: judged.length < found,
        ignores: trigger.ignore_trigger,
        objects: told.map((object) =>
          presentObject(ready, { ...object, refusals: refusals.get(object.uuid) }, subject),
        ),
        steps: stepsOf(trigger).map(({ action, execution }) => ({
          action: { uuid: action.uuid, name: action.name },
          execution: { uuid: execution.uuid, name: execution.name },
          type: execution.type,
          items: [...execution.items],
        })),
        triedAs: [...triedAs],
      };
    },
  };
}

async function triggerOf(
  executor: Executor,
  { triggerUuid, conditions, resource }: WorkflowTrialRequestDto,
): Promise<NestedTrigger> {
  if (triggerUuid !== undefined && conditions !== undefined)
    throw rejected('Specify either a trigger or conditions for a trial, not both.');
  if (triggerUuid === undefined) return unstoredTrigger(resource, conditions ?? []);
  const trigger = await readNestedTrigger(executor, triggerUuid.toLowerCase());
  if (trigger.resource !== resource)
    throw rejected(`resource: the trigger ${trigger.name} applies to ${trigger.resource}, not to ${resource}`);
  return trigger;
}

type Conditions = NonNullable<WorkflowTrialRequestDto['conditions']>;

const itemOf = ({ value, ...item }: Conditions[number]) => ({ ...item, ...(value === undefined ? {} : { value }) });

/** Wraps conditions in a trigger without actions. */
function unstoredTrigger(resource: NestedTrigger['resource'], conditions: Conditions): NestedTrigger {
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
  ready: PreparedTrigger,
  { uuid, name, of, outcome, refusals }: {
    readonly uuid: string;
    readonly name: string;
    readonly of: ObjectValues;
    readonly outcome: number;
    readonly refusals: readonly WorkflowStepRefusalDto[] | undefined;
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
    ...(refusals && { refusals: [...refusals] }),
    conditions: conditions.map(({ condition: _condition, rule: _rule, ...told }) => told),
  };
}
