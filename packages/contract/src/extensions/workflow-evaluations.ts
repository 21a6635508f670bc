// Trigger evaluations as a tree: the compared values, the first condition that did not match, and the actions
// performed. Not part of the published interface.
import { z } from 'zod';
import { FilterConditionOperator, FilterFieldSource } from '../enums/search.ts';
import { ResourceEvent, ExecutionType } from '../enums/workflows.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { SavedFilter } from './saved-views.ts';

const named = { uuid: uuid(), name: z.string() };

/** `notReached`: not evaluated because a previous condition did not match. */
export const ConditionOutcome = z.enum(['holds', 'fails', 'notReached']).meta({ id: 'ConditionOutcome' });
export type ConditionOutcome = z.output<typeof ConditionOutcome>;

export const EvaluatedConditionDto = z
  .object({
    condition: z.object(named),
    rule: z.object(named),
    fieldSource: FilterFieldSource,
    fieldIdentifier: z.string(),
    operator: FilterConditionOperator,
    value: z.unknown().optional(),
    /** Actual value of the field; absent if the caller cannot see it. */
    actual: z.unknown().optional(),
    outcome: ConditionOutcome,
  })
  .meta({ id: 'EvaluatedConditionDto' });
export type EvaluatedConditionDto = z.output<typeof EvaluatedConditionDto>;

export const StepState = z.enum(['done', 'refused', 'waiting']).meta({ id: 'WorkflowStepState' });
export type StepState = z.output<typeof StepState>;

/** One execution of one action. */
export const WorkflowStepDto = z
  .object({
    action: z.object(named),
    execution: z.object(named),
    type: ExecutionType,
    items: z.array(z.unknown()),
    state: StepState,
    /** Why the step was rejected. */
    problem: z.string().optional(),
  })
  .meta({ id: 'WorkflowStepDto' });
export type WorkflowStepDto = z.output<typeof WorkflowStepDto>;

/**
 * `matched`: all conditions matched. `notAsked`: not evaluated because a different trigger ignores the object.
 * `aboutOthers`: the trigger's rules apply to objects of other resources.
 */
export const TriggerOutcome = z
  .enum(['matched', 'notMatched', 'notAsked', 'aboutOthers'])
  .meta({ id: 'TriggerOutcome' });
export type TriggerOutcome = z.output<typeof TriggerOutcome>;

export const EvaluatedTriggerDto = z
  .object({
    trigger: z.object(named),
    ignoreTrigger: z.boolean(),
    outcome: TriggerOutcome,
    conditions: z.array(EvaluatedConditionDto),
    steps: z.array(WorkflowStepDto),
    /** Name of the user whose permissions the actions run with. */
    triggeredBy: z.string(),
  })
  .meta({ id: 'EvaluatedTriggerDto' });
export type EvaluatedTriggerDto = z.output<typeof EvaluatedTriggerDto>;

/** Evaluation of a set of triggers for one object. */
export const WorkflowEvaluationDto = z
  .object({
    uuid: uuid(),
    event: ResourceEvent,
    eventUuid: uuid().optional(),
    evaluatedAt: dateTime(),
    resource: Resource,
    /** Absent if the object was not added to the inventory. */
    objectUuid: uuid().optional(),
    /** Absent if the object was deleted or the caller cannot see it. */
    objectName: z.string().optional(),
    /** Object with which the triggers are associated; absent for platform-wide triggers. */
    place: z.object({ resource: Resource, objectUuid: uuid() }).optional(),
    /** Event data; absent if it is no longer retained. */
    data: z.record(z.string(), z.unknown()).optional(),
    triggers: z.array(EvaluatedTriggerDto),
  })
  .meta({ id: 'WorkflowEvaluationDto' });
export type WorkflowEvaluationDto = z.output<typeof WorkflowEvaluationDto>;

export const WorkflowEvaluationsDto = z
  .object({ evaluations: z.array(WorkflowEvaluationDto), ...pageTotals })
  .meta({ id: 'WorkflowEvaluationsDto' });
export type WorkflowEvaluationsDto = z.output<typeof WorkflowEvaluationsDto>;

export const workflowEvaluationOperations = operations(
  { tag: 'Workflow Triggers Management', resource: 'triggers', module: 'workflows', errors: objectErrors },
  {
    /**
     * Newest first, within the retention period, for objects that the caller can see. Totals are counted only up to
     * 1,000.
     */
    listWorkflowEvaluations: {
      route: 'GET /x/v1/workflows/evaluations',
      summary: 'List trigger evaluations',
      query: z.object({
        ...pageQuery,
        objectUuid: uuid().optional(),
        triggerUuid: uuid().optional(),
        /** UUID of the discovery, RA profile or group whose triggers were evaluated. */
        associationObjectUuid: uuid().optional(),
        /**
         * Only evaluations in which the conditions of the specified trigger match or, if none is specified, those of
         * any trigger.
         */
        matched: z.stringbool().optional(),
      }),
      answer: WorkflowEvaluationsDto,
      access: { action: 'list' },
    },
    getWorkflowEvaluation: {
      route: 'GET /x/v1/workflows/evaluations/{evaluationUuid}',
      summary: 'Get a trigger evaluation',
      params: z.object({ evaluationUuid: uuid() }),
      answer: WorkflowEvaluationDto,
      access: { action: 'list' },
    },
  },
);

/** Maximum number of objects evaluated in one trial. */
export const MAX_TRIAL_OBJECTS = 10_000;
/** Maximum number up to which the objects available for a trial are counted. */
export const MAX_TRIAL_COUNT = 100_000;
/** Maximum number of matching objects on which the steps are tried. */
export const MAX_TRIED_OBJECTS = 20;

export const WorkflowTrialRequestDto = z
  .object({
    resource: Resource,
    /** Either an existing trigger or conditions. Conditions need not be stored and must all match. */
    triggerUuid: uuid().optional(),
    conditions: z
      .array(
        z.object({
          fieldSource: FilterFieldSource,
          fieldIdentifier: z.string(),
          operator: FilterConditionOperator,
          value: z.unknown().optional(),
        }),
      )
      .max(100)
      .optional(),
    /**
     * Objects to evaluate: the specified ones, those that match list filters, those in one of the caller's saved views,
     * or those for which an event was raised. Default: the newest ones that the caller can see.
     */
    objectUuids: z.array(uuid()).max(1_000).optional(),
    filters: z.array(SavedFilter).max(100).optional(),
    viewUuid: uuid().optional(),
    /** Evaluates the objects for which this event was raised in the last `days` days. */
    event: ResourceEvent.optional(),
    days: int32().min(1).max(90).default(7),
    /** Maximum number of objects returned individually. Matching objects come first. */
    limit: int32().min(1).max(200).default(20),
  })
  .meta({ id: 'WorkflowTrialRequestDto' });
export type WorkflowTrialRequestDto = z.output<typeof WorkflowTrialRequestDto>;

/** A step that would be rejected if the trigger ran on the object now. */
export const WorkflowStepRefusalDto = z
  .object({
    /** Index of the step in the trial, starting at 0. */
    step: int32(),
    /** Name of the user whose permissions the step would run with. */
    triggeredBy: z.string(),
    problem: z.string(),
  })
  .meta({ id: 'WorkflowStepRefusalDto' });
export type WorkflowStepRefusalDto = z.output<typeof WorkflowStepRefusalDto>;

export const WorkflowTrialObjectDto = z
  .object({
    uuid: uuid(),
    name: z.string(),
    matched: z.boolean(),
    /** Present if the steps were tried. */
    refusals: z.array(WorkflowStepRefusalDto).optional(),
    conditions: z.array(EvaluatedConditionDto.omit({ condition: true, rule: true })),
  })
  .meta({ id: 'WorkflowTrialObjectDto' });
export type WorkflowTrialObjectDto = z.output<typeof WorkflowTrialObjectDto>;

export const WorkflowTrialDto = z
  .object({
    /** Number of objects available, counted up to 100,000. */
    found: int32(),
    /** Number of objects evaluated, limited to the newest 10,000. */
    evaluated: int32(),
    matched: int32(),
    /** True if more objects are available than were evaluated. */
    isPart: z.boolean(),
    /** Whether matching objects are not added to the inventory. */
    ignores: z.boolean(),
    objects: z.array(WorkflowTrialObjectDto),
    /** Steps that would run on each matching object. */
    steps: z.array(WorkflowStepDto.omit({ state: true, problem: true })),
    /**
     * Names of the users who associated the trigger or, if there are none, of the caller. Every step was tried with
     * each user's permissions on the first 20 matching objects that are returned.
     */
    triedAs: z.array(z.string()),
  })
  .meta({ id: 'WorkflowTrialDto' });
export type WorkflowTrialDto = z.output<typeof WorkflowTrialDto>;

export const workflowTrialOperations = operations(
  { tag: 'Workflow Triggers Management', resource: 'triggers', module: 'workflows', errors: objectErrors },
  {
    /**
     * Evaluates a trigger or conditions against objects that the caller can see, in their current state. Nothing is
     * stored: changes made to determine whether steps would be rejected are rolled back immediately.
     */
    tryWorkflow: {
      route: 'POST /x/v1/workflows/trials',
      errors: ruleErrors,
      summary: 'Evaluate a trigger or conditions without running actions',
      body: WorkflowTrialRequestDto,
      answer: WorkflowTrialDto,
      access: { action: 'list' },
      also: [{ resource: 'triggers', action: 'detail', named: 'triggerUuid' }],
    },
  },
);
