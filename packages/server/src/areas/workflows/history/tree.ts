// The evaluated triggers as a tree: conditions with the compared values, steps with their outcomes.
import type {
  EvaluatedConditionDto,
  EvaluatedTriggerDto,
  Resource,
  TriggerOutcome,
  WorkflowStepDto,
} from '@signetry/contract';
import type { NestedTrigger } from '../definitions/store-nested.ts';
import { itemsAbout } from '../engine/conditions.ts';
import {
  OTHER_RESOURCE,
  HOLDS,
  NOT_EVALUATED,
  type RequestedTrigger,
  type ComparedField,
  type RunRow,
} from '../engine/tables.ts';

/** Outcome of a trigger's run. */
export type RunFacts = Pick<RunRow, 'trigger_index' | 'state' | 'step' | 'problems'>;

export interface TreeFacts {
  readonly resource: Resource;
  readonly fields: readonly ComparedField[];
  /** Undefined if the caller cannot see the compared values. */
  readonly inputs: readonly unknown[] | undefined;
}

export function presentTrigger(
  { trigger, triggeredBy }: RequestedTrigger,
  { outcome, run }: { readonly outcome: number; readonly run: RunFacts | undefined },
  facts: TreeFacts,
): EvaluatedTriggerDto {
  return {
    trigger: { uuid: trigger.uuid, name: trigger.name },
    ignoreTrigger: trigger.ignore_trigger,
    outcome: outcomeName(outcome),
    conditions: presentConditions(trigger, outcome, facts),
    steps: outcome === HOLDS ? presentSteps(trigger, run) : [],
    triggeredBy,
  };
}

function outcomeName(outcome: number): TriggerOutcome {
  switch (outcome) {
    case HOLDS:
      return 'matched';
    case NOT_EVALUATED:
      return 'notAsked';
    case OTHER_RESOURCE:
      return 'aboutOthers';
    default:
      return 'notMatched';
  }
}

export function presentConditions(
  trigger: NestedTrigger,
  outcome: number,
  { resource, fields, inputs }: TreeFacts,
): EvaluatedConditionDto[] {
  return itemsAbout(trigger, resource).map(({ rule, condition, item }, index) => {
    const place = fields.findIndex(
      ({ source, identifier }) => source === item.fieldSource && identifier === item.fieldIdentifier,
    );
    const actual = place === -1 ? undefined : inputs?.[place];
    return {
      condition: { uuid: condition.uuid, name: condition.name },
      rule: { uuid: rule.uuid, name: rule.name },
      fieldSource: item.fieldSource,
      fieldIdentifier: item.fieldIdentifier,
      operator: item.operator,
      ...(item.value === undefined ? {} : { value: item.value }),
      ...(actual === undefined ? {} : { actual }),
      outcome: conditionOutcome(outcome, index),
    };
  });
}

function conditionOutcome(outcome: number, index: number): EvaluatedConditionDto['outcome'] {
  if (outcome === HOLDS) return 'holds';
  if (outcome < 0 || index > outcome - 1) return 'notReached';
  return index === outcome - 1 ? 'fails' : 'holds';
}

const presentSteps = (trigger: NestedTrigger, run: RunFacts | undefined): WorkflowStepDto[] =>
  stepsOf(trigger).map(({ action, execution }, step) => {
    const problem = run?.problems.find((each) => each.step === step)?.message;
    const isOver = run !== undefined && step < run.step;
    return {
      action: { uuid: action.uuid, name: action.name },
      execution: { uuid: execution.uuid, name: execution.name },
      type: execution.type,
      items: [...execution.items],
      state: problem !== undefined ? 'refused' : isOver ? 'done' : 'waiting',
      ...(problem === undefined ? {} : { problem }),
    };
  });

/** Returns the steps of a trigger in execution order. */
export const stepsOf = (trigger: NestedTrigger) =>
  trigger.actions.flatMap((action) => action.executions.map((execution) => ({ action, execution })));
