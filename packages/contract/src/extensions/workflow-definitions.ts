// All rules engine definitions in one response, each with its components and uses; triggers also with their
// associations and recent activity. Not part of the published interface, which returns one object at a time.
import { z } from 'zod';
import { ResourceEvent } from '../enums/workflows.ts';
import { operations, plainErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import {
  ActionDetailDto,
  ConditionDto,
  ExecutionDto,
  RuleDetailDto,
  TriggerDetailDto,
} from '../platform/workflow-shapes.ts';
import { dateTime, int32, uuid } from '../primitives.ts';

/** An event for which a trigger is evaluated, either for one object or for all objects. */
export const TriggerPlace = z
  .object({
    event: ResourceEvent,
    /** RA profiles, groups or discoveries. Absent, like `objectUuid`, if the trigger is evaluated for all objects. */
    resource: Resource.optional(),
    objectUuid: z.string().optional(),
    /** Absent if the caller cannot see the object. */
    objectName: z.string().optional(),
    /** Name of the user whose permissions the actions run with. */
    triggeredBy: z.string(),
  })
  .meta({ id: 'TriggerPlace' });
export type TriggerPlace = z.output<typeof TriggerPlace>;

/** A trigger's recent activity, within the retention period. */
export const TriggerActivity = z
  .object({
    /** Time at which the trigger was last evaluated for an object; absent if it never was. */
    lastEvaluatedAt: dateTime().optional(),
    /**
     * Time at which the trigger's conditions last matched. For a trigger that ignores objects, only its 10,000 most
     * recent evaluations are considered.
     */
    lastMatchedAt: dateTime().optional(),
    /** Number of runs in the last 24 hours in which a step was rejected or failed. */
    failuresOfDay: int32(),
  })
  .meta({ id: 'TriggerActivity' });
export type TriggerActivity = z.output<typeof TriggerActivity>;

export const PlacedTrigger = z
  .object({ ...TriggerDetailDto.shape, places: z.array(TriggerPlace), activity: TriggerActivity })
  .meta({ id: 'PlacedTrigger' });
export type PlacedTrigger = z.output<typeof PlacedTrigger>;

/** Objects that use a definition. */
export const DefinitionUse = z
  .object({
    /** Total number of objects that use the definition. */
    count: int32(),
    /** Objects that the caller can see, with their names. */
    named: z.array(z.object({ uuid: uuid(), name: z.string() })),
  })
  .meta({ id: 'DefinitionUse' });
export type DefinitionUse = z.output<typeof DefinitionUse>;

export const UsedRule = z.object({ ...RuleDetailDto.shape, usedBy: DefinitionUse }).meta({ id: 'UsedRule' });
export type UsedRule = z.output<typeof UsedRule>;

export const UsedAction = z.object({ ...ActionDetailDto.shape, usedBy: DefinitionUse }).meta({ id: 'UsedAction' });
export type UsedAction = z.output<typeof UsedAction>;

export const UsedCondition = z.object({ ...ConditionDto.shape, usedBy: DefinitionUse }).meta({ id: 'UsedCondition' });
export type UsedCondition = z.output<typeof UsedCondition>;

export const UsedExecution = z.object({ ...ExecutionDto.shape, usedBy: DefinitionUse }).meta({ id: 'UsedExecution' });
export type UsedExecution = z.output<typeof UsedExecution>;

const shared = { module: 'workflows', errors: plainErrors } as const;
/** Each object is returned in the same form as by the operation for a single object. */
const detailed = { action: 'detail', filtered: true } as const;

export const workflowDefinitionOperations = {
  ...operations(
    { ...shared, tag: 'Workflow Triggers Management', resource: 'triggers' },
    {
      listPlacedTriggers: {
        route: 'GET /x/v1/workflows/triggers',
        summary: 'List Triggers with their rules, actions, events and recent activity',
        answer: z.array(PlacedTrigger),
        access: detailed,
      },
    },
  ),
  ...operations(
    { ...shared, tag: 'Workflow Rules Management', resource: 'rules' },
    {
      listRuleDetails: {
        route: 'GET /x/v1/workflows/rules',
        summary: 'List Rules with their conditions and the triggers that use them',
        answer: z.array(UsedRule),
        access: detailed,
      },
      listUsedConditions: {
        route: 'GET /x/v1/workflows/conditions',
        summary: 'List Conditions with the rules that use them',
        answer: z.array(UsedCondition),
        access: detailed,
      },
    },
  ),
  ...operations(
    { ...shared, tag: 'Workflow Actions Management', resource: 'actions' },
    {
      listActionDetails: {
        route: 'GET /x/v1/workflows/actions',
        summary: 'List Actions with their executions and the triggers that use them',
        answer: z.array(UsedAction),
        access: detailed,
      },
      listUsedExecutions: {
        route: 'GET /x/v1/workflows/executions',
        summary: 'List Executions with the actions that use them',
        answer: z.array(UsedExecution),
        access: detailed,
      },
    },
  ),
} as const;
