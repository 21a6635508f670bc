// What triggers were asked and what came of it, as a tree: what was compared, which condition was the first that did
// not hold, what was done. Not part of the published interface.
import { z } from 'zod';
import { FilterConditionOperator, FilterFieldSource } from '../enums/search.ts';
import { ResourceEvent, ExecutionType } from '../enums/workflows.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { Resource } from '../platform/resource.ts';
import { dateTime, int32, uuid } from '../primitives.ts';
import { pageQuery, pageTotals } from '../shared/paging.ts';
import { SavedFilter } from './saved-views.ts';

const named = { uuid: uuid(), name: z.string() };

/** `notReached`: one before it did not hold. */
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
    /** What the field was; absent where the caller may not see it. */
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
    /** Why it was refused. */
    problem: z.string().optional(),
  })
  .meta({ id: 'WorkflowStepDto' });
export type WorkflowStepDto = z.output<typeof WorkflowStepDto>;

/**
 * `matched`: all conditions hold. `notAsked`: another trigger ignores the object. `aboutOthers`: its rules are about
 * objects of other resources.
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
    /** Name of the user whose rights the actions have. */
    triggeredBy: z.string(),
  })
  .meta({ id: 'EvaluatedTriggerDto' });
export type EvaluatedTriggerDto = z.output<typeof EvaluatedTriggerDto>;

/** The triggers of one place were asked about one object. */
export const WorkflowEvaluationDto = z
  .object({
    uuid: uuid(),
    event: ResourceEvent,
    eventUuid: uuid().optional(),
    evaluatedAt: dateTime(),
    resource: Resource,
    /** Absent where the object was left out of the inventory. */
    objectUuid: uuid().optional(),
    /** Absent where the object is gone, or the caller does not see it. */
    objectName: z.string().optional(),
    /** Whose triggers they are; absent of the platform. */
    place: z.object({ resource: Resource, objectUuid: uuid() }).optional(),
    /** What the event said; absent where it is not kept any more. */
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
    /** Newest first, as long as they are kept; of objects that the caller sees. Totals count up to 1,000. */
    listWorkflowEvaluations: {
      route: 'GET /x/v1/workflows/evaluations',
      summary: 'List what triggers were asked',
      query: z.object({
        ...pageQuery,
        objectUuid: uuid().optional(),
        triggerUuid: uuid().optional(),
        /** Of the discovery, RA profile or group whose triggers were asked. */
        associationObjectUuid: uuid().optional(),
        /** Only where the conditions of the trigger, or of any trigger, hold. */
        matched: z.stringbool().optional(),
      }),
      answer: WorkflowEvaluationsDto,
      access: { action: 'list' },
    },
    getWorkflowEvaluation: {
      route: 'GET /x/v1/workflows/evaluations/{evaluationUuid}',
      summary: 'Get what triggers were asked, and what came of it',
      params: z.object({ evaluationUuid: uuid() }),
      answer: WorkflowEvaluationDto,
      access: { action: 'list' },
    },
  },
);

/** Most objects that are looked at at once. */
export const MAX_TRIAL_OBJECTS = 10_000;
/** As far are the objects counted that there are to look at. */
export const MAX_TRIAL_COUNT = 100_000;
/** Matching objects whose steps are tried. */
export const MAX_TRIED_OBJECTS = 20;

export const WorkflowTrialRequestDto = z
  .object({
    resource: Resource,
    /** A trigger that is there; or conditions that need not be, all of which have to hold. */
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
     * Objects to look at: these, those that filters of the list find, those of a saved view of the caller, or those of
     * an event. Without any of them, the newest that the caller sees.
     */
    objectUuids: z.array(uuid()).max(1_000).optional(),
    filters: z.array(SavedFilter).max(100).optional(),
    viewUuid: uuid().optional(),
    /** Look at the objects of this event in the last days. */
    event: ResourceEvent.optional(),
    days: int32().min(1).max(90).default(7),
    /** Objects that are told one by one, those that match first. */
    limit: int32().min(1).max(200).default(20),
  })
  .meta({ id: 'WorkflowTrialRequestDto' });
export type WorkflowTrialRequestDto = z.output<typeof WorkflowTrialRequestDto>;

/** A step that would be refused if the trigger acted on the object now. */
export const WorkflowStepRefusalDto = z
  .object({
    /** Its place among the steps of the trial, from 0. */
    step: int32(),
    /** Name of the user whose rights the step would have. */
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
    /** Present where the steps were tried. */
    refusals: z.array(WorkflowStepRefusalDto).optional(),
    conditions: z.array(EvaluatedConditionDto.omit({ condition: true, rule: true })),
  })
  .meta({ id: 'WorkflowTrialObjectDto' });
export type WorkflowTrialObjectDto = z.output<typeof WorkflowTrialObjectDto>;

export const WorkflowTrialDto = z
  .object({
    /** Objects there are to look at, counted up to 100,000. */
    found: int32(),
    /** Objects that were looked at: the newest 10,000 of them at most. */
    evaluated: int32(),
    matched: int32(),
    /** There are more objects than were looked at. */
    isPart: z.boolean(),
    /** The object of a match is left out of the inventory. */
    ignores: z.boolean(),
    objects: z.array(WorkflowTrialObjectDto),
    /** What would be done to each that matches. */
    steps: z.array(WorkflowStepDto.omit({ state: true, problem: true })),
    /**
     * Names of the users who associated the trigger; of the caller where nobody did. With the rights of each, every
     * step was tried on the first 20 objects that match and are told.
     */
    triedAs: z.array(z.string()),
  })
  .meta({ id: 'WorkflowTrialDto' });
export type WorkflowTrialDto = z.output<typeof WorkflowTrialDto>;

export const workflowTrialOperations = operations(
  { tag: 'Workflow Triggers Management', resource: 'triggers', module: 'workflows', errors: objectErrors },
  {
    /**
     * Asks a trigger, or conditions, about objects that the caller sees, as they are now. Nothing is kept: what steps
     * do to try whether they would be refused is taken back at once.
     */
    tryWorkflow: {
      route: 'POST /x/v1/workflows/trials',
      errors: ruleErrors,
      summary: 'Try a trigger or conditions without acting',
      body: WorkflowTrialRequestDto,
      answer: WorkflowTrialDto,
      access: { action: 'list' },
      also: [{ resource: 'triggers', action: 'detail', named: 'triggerUuid' }],
    },
  },
);
