// Form values for a trigger: conditions and steps in display order, each with the API object it comes from. Pure.
import {
  resourceEventFacts,
  type ExecutionItemDto,
  type PlacedTrigger,
  type Resource,
  type ResourceEvent,
  type SearchFilterRequestDto,
} from '@signetry/contract';
import type { Usage } from './usage.ts';
import { filterOf } from './texts.ts';

/** Conditions stored in one API object, all of which must match. */
export interface ConditionBlock {
  /** Absent for a new block. */
  readonly ruleUuid?: string;
  /** Absent if the block covers a whole rule. */
  readonly conditionUuid?: string;
  readonly name?: string;
  readonly resource: Resource;
  readonly items: readonly SearchFilterRequestDto[];
  /** Names of other objects that use the block. A shared block can only be kept or removed. */
  readonly sharedWith: readonly string[];
}

/** Single step of a rule. */
export interface Step {
  /** Unique within the form. */
  readonly id: number;
  readonly actionUuid?: string;
  readonly executionUuid?: string;
  readonly name?: string;
  readonly item: ExecutionItemDto;
  readonly sharedWith: readonly string[];
}

export interface TriggerScope {
  /** Both members are absent if the trigger is assigned everywhere. */
  readonly resource?: Resource;
  readonly objectUuid?: string;
}

export interface TriggerValues {
  readonly name: string;
  readonly description: string;
  readonly event: ResourceEvent | null;
  readonly ignores: boolean;
  readonly blocks: readonly ConditionBlock[];
  readonly steps: readonly Step[];
  readonly places: readonly TriggerScope[];
}

export const emptyValues: TriggerValues = {
  name: '',
  description: '',
  event: null,
  ignores: false,
  blocks: [],
  steps: [],
  places: [{}],
};

export const resourceOf = (event: ResourceEvent | null): Resource =>
  event === null ? 'certificates' : resourceEventFacts[event].resource;

/** Returns the event shown in the form: the trigger's own or, if it has none, that of its first assignment. */
const eventOf = ({ event, places }: Pick<PlacedTrigger, 'event' | 'places'>): ResourceEvent | null =>
  event ?? places[0]?.event ?? null;

export const assignmentsFor = (
  { places }: Pick<PlacedTrigger, 'places'>,
  event: ResourceEvent | null,
): readonly TriggerScope[] => places.filter((place) => place.event === event).map(scopeOf);

const scopeOf = ({ resource, objectUuid }: TriggerScope): TriggerScope =>
  resource === undefined || objectUuid === undefined ? {} : { resource, objectUuid };

export const keyOfScope = ({ resource, objectUuid }: TriggerScope): string =>
  `${resource ?? ''} ${objectUuid ?? ''}`.trim();

export function valuesOfTrigger(trigger: PlacedTrigger, usage: Usage): TriggerValues {
  const { name, description = '', ignoreTrigger: ignores } = trigger;
  const event = eventOf(trigger);
  return {
    name,
    description,
    event,
    ignores,
    blocks: trigger.rules.flatMap((rule) => blocksOf(rule, trigger, usage)),
    steps: trigger.actions.flatMap((action) => stepsOf(action, trigger, usage)).map((step, id) => ({ ...step, id })),
    places: assignmentsFor(trigger, event),
  };
}

/** Returns a single block for a rule shared with other triggers, or one block per condition for an unshared rule. */
function blocksOf(rule: PlacedTrigger['rules'][number], { name, resource }: PlacedTrigger, usage: Usage) {
  const others = without(usage.triggersOfRule(rule.uuid), name);
  const isOdd = rule.resource !== resource;
  if (others.length > 0 || isOdd)
    return [
      {
        ruleUuid: rule.uuid,
        name: rule.name,
        resource: rule.resource,
        items: rule.conditions.flatMap((condition) => condition.items).map(filterOf),
        sharedWith: others.length > 0 ? others : ['any resource'],
      },
    ];
  return rule.conditions.map((condition) => ({
    ruleUuid: rule.uuid,
    conditionUuid: condition.uuid,
    name: condition.name,
    resource: condition.resource,
    items: condition.items.map(filterOf),
    sharedWith: without(usage.rulesOfCondition(condition.uuid), rule.name),
  }));
}

function stepsOf(action: PlacedTrigger['actions'][number], { name }: PlacedTrigger, usage: Usage): Omit<Step, 'id'>[] {
  const others = without(usage.triggersOfAction(action.uuid), name);
  return action.executions.flatMap((execution) => {
    const alsoIn = without(usage.actionsOfExecution(execution.uuid), action.name);
    return execution.items.map((item) => ({
      actionUuid: action.uuid,
      executionUuid: execution.uuid,
      name: others.length > 0 ? action.name : execution.name,
      item,
      sharedWith: others.length > 0 ? others : alsoIn,
    }));
  });
}

const without = (names: readonly string[], name: string): readonly string[] => names.filter((each) => each !== name);

export const isShared = ({ sharedWith }: Pick<ConditionBlock | Step, 'sharedWith'>): boolean => sharedWith.length > 0;

/** Returns the conditions of all blocks. All of them must match. */
export const filtersOf = ({ blocks }: Pick<TriggerValues, 'blocks'>): readonly SearchFilterRequestDto[] =>
  blocks.flatMap(({ items }) => items);

/** Returns the blocks after replacing one block's conditions, or after adding a new block if it does not exist. */
export function withItems(
  blocks: readonly ConditionBlock[],
  place: number,
  items: readonly SearchFilterRequestDto[],
  resource: Resource,
): readonly ConditionBlock[] {
  if (place >= blocks.length) return [...blocks, { resource, items, sharedWith: [] }];
  return blocks.map((block, index) => (index === place ? { ...block, items } : block));
}

/** Returns an editable copy to replace a shared block. */
export const ownCopyOf = ({ resource, items }: ConditionBlock): ConditionBlock => ({ resource, items, sharedWith: [] });

export const newStep = (steps: readonly Step[], item: ExecutionItemDto): Step => ({
  id: Math.max(-1, ...steps.map(({ id }) => id)) + 1,
  item,
  sharedWith: [],
});

export const isNotification = ({ item }: Pick<Step, 'item'>): boolean =>
  item.fieldSource === undefined && item.notificationProfileUuid !== undefined;

/** Returns a message describing the first missing input, or undefined if the form is complete. */
export function missingIn({ event, ignores, blocks, steps, name }: TriggerValues): string | undefined {
  if (event === null) return 'Choose an event.';
  if (ignores && filtersOf({ blocks }).length === 0)
    return 'Add at least one condition; otherwise everything is excluded.';
  if (!ignores && steps.length === 0) return 'Add at least one step.';
  const undone = steps.find((step) => !ignores && problemOfStep(step) !== undefined);
  if (undone) return problemOfStep(undone);
  return name.trim() === '' ? 'Enter a name.' : undefined;
}

/**
 * Returns a step's problem, if any. Undefined data means that no value was entered; explicitly empty data removes the
 * value.
 */
function problemOfStep({ item }: Step): string | undefined {
  const { fieldSource, notificationProfileUuid, data } = item;
  if (fieldSource === undefined)
    return notificationProfileUuid === '' || notificationProfileUuid === undefined
      ? 'Choose a notification profile.'
      : undefined;
  return data === undefined ? 'Choose a value for the field.' : undefined;
}
