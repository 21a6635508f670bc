// All definitions of the rules engine at once, each with everything that it consists of and what uses it, and triggers
// with where they are asked and what became of them lately. Not part of the published interface, which tells it one
// object at a time.
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

/** An event that a trigger is asked about, of one object or of all. */
export const TriggerPlace = z
  .object({
    event: ResourceEvent,
    /** RA profiles, groups or discoveries; absent with `objectUuid` where it is asked whatever the object. */
    resource: Resource.optional(),
    objectUuid: z.string().optional(),
    /** Absent where the caller may not see the object. */
    objectName: z.string().optional(),
    /** Name of the user whose rights the actions have. */
    triggeredBy: z.string(),
  })
  .meta({ id: 'TriggerPlace' });
export type TriggerPlace = z.output<typeof TriggerPlace>;

/** What became of a trigger lately, as long as it is kept. */
export const TriggerActivity = z
  .object({
    /** When it was last asked about an object; absent where it never was. */
    lastEvaluatedAt: dateTime().optional(),
    /** When its conditions last held. Of a trigger that ignores, among the newest 10,000 objects it was asked about. */
    lastMatchedAt: dateTime().optional(),
    /** Times that it acted in the last 24 hours and a step was refused or failed. */
    failuresOfDay: int32(),
  })
  .meta({ id: 'TriggerActivity' });
export type TriggerActivity = z.output<typeof TriggerActivity>;

export const PlacedTrigger = z
  .object({ ...TriggerDetailDto.shape, places: z.array(TriggerPlace), activity: TriggerActivity })
  .meta({ id: 'PlacedTrigger' });
export type PlacedTrigger = z.output<typeof PlacedTrigger>;

/** The objects that consist of a definition, among others. */
export const DefinitionUse = z
  .object({
    /** All of them. */
    count: int32(),
    /** Those that the caller may see, by name. */
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
/** Each object is answered as its own operation answers it. */
const detailed = { action: 'detail', filtered: true } as const;

export const workflowDefinitionOperations = {
  ...operations(
    { ...shared, tag: 'Workflow Triggers Management', resource: 'triggers' },
    {
      listPlacedTriggers: {
        route: 'GET /x/v1/workflows/triggers',
        summary: 'List Triggers with their rules, actions, events, and what became of them lately',
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
        summary: 'List Rules with their conditions and the triggers that have them',
        answer: z.array(UsedRule),
        access: detailed,
      },
      listUsedConditions: {
        route: 'GET /x/v1/workflows/conditions',
        summary: 'List Conditions with the rules that have them',
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
        summary: 'List Actions with their executions and the triggers that have them',
        answer: z.array(UsedAction),
        access: detailed,
      },
      listUsedExecutions: {
        route: 'GET /x/v1/workflows/executions',
        summary: 'List Executions with the actions that have them',
        answer: z.array(UsedExecution),
        access: detailed,
      },
    },
  ),
} as const;
