// All definitions of the rules engine at once, each with everything that it consists of, and triggers with where they
// are asked. Not part of the published interface, which tells it one object at a time.
import { z } from 'zod';
import { ResourceEvent } from '../enums/workflows.ts';
import { operations, plainErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { ActionDetailDto, RuleDetailDto, TriggerDetailDto } from '../platform/workflow-shapes.ts';

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

export const PlacedTrigger = z
  .object({ ...TriggerDetailDto.shape, places: z.array(TriggerPlace) })
  .meta({ id: 'PlacedTrigger' });
export type PlacedTrigger = z.output<typeof PlacedTrigger>;

const shared = { module: 'workflows', errors: plainErrors } as const;
/** Each object is answered as its own operation answers it. */
const detailed = { action: 'detail', filtered: true } as const;

export const workflowDefinitionOperations = {
  ...operations(
    { ...shared, tag: 'Workflow Triggers Management', resource: 'triggers' },
    {
      listPlacedTriggers: {
        route: 'GET /x/v1/workflows/triggers',
        summary: 'List Triggers with their rules, actions and the events that they are associated with',
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
        summary: 'List Rules with their conditions',
        answer: z.array(RuleDetailDto),
        access: detailed,
      },
    },
  ),
  ...operations(
    { ...shared, tag: 'Workflow Actions Management', resource: 'actions' },
    {
      listActionDetails: {
        route: 'GET /x/v1/workflows/actions',
        summary: 'List Actions with their executions',
        answer: z.array(ActionDetailDto),
        access: detailed,
      },
    },
  ),
} as const;
