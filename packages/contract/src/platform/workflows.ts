// The rules engine: conditions, rules, executions, actions, triggers, and the events that fire triggers. Conditions
// require permissions on rules; executions require permissions on actions.
import { z } from 'zod';
import { ResourceEvent } from '../enums/workflows.ts';
import type { AdditionalPermission } from '../operation.ts';
import { objectErrors, operations, plainErrors, ruleErrors } from '../operations.ts';
import { uuid } from '../primitives.ts';
import type { Resource as ResourceCode } from './resource.ts';
import { Resource } from './resource.ts';
import { sightOf } from './referenced-objects.ts';
import {
  ActionDetailDto,
  ActionDto,
  ActionRequestDto,
  ConditionDto,
  ConditionRequestDto,
  ExecutionDto,
  ExecutionRequestDto,
  RuleDetailDto,
  RuleDto,
  RuleRequestDto,
  TriggerDetailDto,
  TriggerDto,
  TriggerEventAssociationRequestDto,
  TriggerHistoryDto,
  TriggerHistorySummaryDto,
  TriggerRequestDto,
  UpdateActionRequestDto,
  UpdateConditionRequestDto,
  UpdateExecutionRequestDto,
  UpdateRuleRequestDto,
  UpdateTriggerRequestDto,
} from './workflow-shapes.ts';

/** Restricts a list to one resource; `ANY` returns all. */
const ofResource = z.object({ resource: Resource.optional() });

const listed = { action: 'list', filtered: true } as const;

const auditFacts = <const Operation extends 'create' | 'update' | 'delete'>(
  resource: ResourceCode,
  operation: Operation,
) => ({ module: 'workflows', resource, operation }) as const;

export const workflowRuleOperations = operations(
  { tag: 'Workflow Rules Management', resource: 'rules', module: 'workflows', errors: objectErrors },
  {
    listRules: {
      route: 'GET /v1/workflows/rules',
      summary: 'List Rules',
      query: ofResource,
      answer: z.array(RuleDto),
      errors: plainErrors,
      access: listed,
    },
    createRule: {
      route: 'POST /v1/workflows/rules',
      summary: 'Create Rule',
      body: RuleRequestDto,
      created: RuleDetailDto,
      errors: ruleErrors,
      access: { action: 'create' },
      also: [sightOf('rules', 'conditionsUuids')],
      audit: 'create',
    },
    getRule: {
      route: 'GET /v1/workflows/rules/{ruleUuid}',
      summary: 'Get Rule details',
      answer: RuleDetailDto,
      access: { action: 'detail', object: 'ruleUuid' },
    },
    updateRule: {
      route: 'PUT /v1/workflows/rules/{ruleUuid}',
      summary: 'Update Rule',
      body: UpdateRuleRequestDto,
      answer: RuleDetailDto,
      errors: ruleErrors,
      access: { action: 'update', object: 'ruleUuid' },
      also: [sightOf('rules', 'conditionsUuids')],
      audit: 'update',
    },
    /** Rejected if a trigger uses the rule. */
    deleteRule: {
      route: 'DELETE /v1/workflows/rules/{ruleUuid}',
      summary: 'Delete Rule',
      errors: ruleErrors,
      access: { action: 'delete', object: 'ruleUuid' },
      audit: 'delete',
    },
    listConditions: {
      route: 'GET /v1/workflows/conditions',
      summary: 'List Conditions',
      query: ofResource,
      answer: z.array(ConditionDto),
      errors: plainErrors,
      access: listed,
    },
    createCondition: {
      route: 'POST /v1/workflows/conditions',
      summary: 'Create Condition',
      body: ConditionRequestDto,
      created: ConditionDto,
      errors: ruleErrors,
      access: { action: 'create' },
      audit: auditFacts('conditions', 'create'),
    },
    getCondition: {
      route: 'GET /v1/workflows/conditions/{conditionUuid}',
      summary: 'Get Condition details',
      answer: ConditionDto,
      access: { action: 'detail', object: 'conditionUuid' },
    },
    updateCondition: {
      route: 'PUT /v1/workflows/conditions/{conditionUuid}',
      summary: 'Update Condition',
      body: UpdateConditionRequestDto,
      answer: ConditionDto,
      errors: ruleErrors,
      access: { action: 'update', object: 'conditionUuid' },
      audit: auditFacts('conditions', 'update'),
    },
    /** Rejected if a rule uses the condition. */
    deleteCondition: {
      route: 'DELETE /v1/workflows/conditions/{conditionUuid}',
      summary: 'Delete Condition',
      errors: ruleErrors,
      access: { action: 'delete', object: 'conditionUuid' },
      audit: auditFacts('conditions', 'delete'),
    },
  },
);

/** Permissions on the objects that an execution sets. The user that the execution runs as also needs them. */
const useOfSetObjects: readonly AdditionalPermission[] = [
  { resource: 'raProfiles', action: 'members', where: 'an RA profile is set, on it' },
  { resource: 'groups', action: 'detail', where: 'groups are set, on them' },
  { resource: 'users', action: 'detail', where: 'an owner is set, on the user' },
  { resource: 'attributes', action: 'members', where: 'a custom attribute is set, on it' },
  sightOf('notificationProfiles', 'items.notificationProfileUuid'),
];

export const workflowActionOperations = operations(
  { tag: 'Workflow Actions Management', resource: 'actions', module: 'workflows', errors: objectErrors },
  {
    listActions: {
      route: 'GET /v1/workflows/actions',
      summary: 'List Actions',
      query: ofResource,
      answer: z.array(ActionDto),
      errors: plainErrors,
      access: listed,
    },
    createAction: {
      route: 'POST /v1/workflows/actions',
      summary: 'Create Action',
      body: ActionRequestDto,
      created: ActionDetailDto,
      errors: ruleErrors,
      access: { action: 'create' },
      also: [sightOf('actions', 'executionsUuids')],
      audit: 'create',
    },
    getAction: {
      route: 'GET /v1/workflows/actions/{actionUuid}',
      summary: 'Get Action Details',
      answer: ActionDetailDto,
      access: { action: 'detail', object: 'actionUuid' },
    },
    updateAction: {
      route: 'PUT /v1/workflows/actions/{actionUuid}',
      summary: 'Update Action',
      body: UpdateActionRequestDto,
      answer: ActionDetailDto,
      errors: ruleErrors,
      access: { action: 'update', object: 'actionUuid' },
      also: [sightOf('actions', 'executionsUuids')],
      audit: 'update',
    },
    /** Rejected if a trigger uses the action. */
    deleteAction: {
      route: 'DELETE /v1/workflows/actions/{actionUuid}',
      summary: 'Delete Action',
      errors: ruleErrors,
      access: { action: 'delete', object: 'actionUuid' },
      audit: 'delete',
    },
    listExecutions: {
      route: 'GET /v1/workflows/executions',
      summary: 'List executions',
      query: ofResource,
      answer: z.array(ExecutionDto),
      errors: plainErrors,
      access: listed,
    },
    createExecution: {
      route: 'POST /v1/workflows/executions',
      summary: 'Create Execution',
      body: ExecutionRequestDto,
      created: ExecutionDto,
      errors: ruleErrors,
      access: { action: 'create' },
      also: useOfSetObjects,
      audit: auditFacts('executions', 'create'),
    },
    getExecution: {
      route: 'GET /v1/workflows/executions/{executionUuid}',
      summary: 'Get Execution Details',
      answer: ExecutionDto,
      access: { action: 'detail', object: 'executionUuid' },
    },
    updateExecution: {
      route: 'PUT /v1/workflows/executions/{executionUuid}',
      summary: 'Update Execution',
      body: UpdateExecutionRequestDto,
      answer: ExecutionDto,
      errors: ruleErrors,
      access: { action: 'update', object: 'executionUuid' },
      also: useOfSetObjects,
      audit: auditFacts('executions', 'update'),
    },
    /** Rejected if an action uses the execution. */
    deleteExecution: {
      route: 'DELETE /v1/workflows/executions/{executionUuid}',
      summary: 'Delete Execution',
      errors: ruleErrors,
      access: { action: 'delete', object: 'executionUuid' },
      audit: auditFacts('executions', 'delete'),
    },
  },
);

/** A user who can update an object can also determine which actions run for it. */
const changeOfOverriding = (['raProfiles', 'groups', 'discoveries'] as const).map((resource) => ({
  resource,
  action: 'update' as const,
  where: `the body specifies an object of ${resource}, on it`,
}));

const triggers = {
  tag: 'Workflow Triggers Management',
  resource: 'triggers',
  module: 'workflows',
  errors: objectErrors,
} as const;

export const workflowTriggerOperations = operations(triggers, {
  listTriggers: {
    route: 'GET /v1/workflows/triggers',
    summary: 'List Triggers',
    query: ofResource,
    answer: z.array(TriggerDto),
    errors: plainErrors,
    access: listed,
  },
  createTrigger: {
    route: 'POST /v1/workflows/triggers',
    summary: 'Create Trigger',
    body: TriggerRequestDto,
    created: TriggerDetailDto,
    errors: ruleErrors,
    access: { action: 'create' },
    also: [sightOf('rules', 'rulesUuids'), sightOf('actions', 'actionsUuids')],
    audit: 'create',
  },
  getTrigger: {
    route: 'GET /v1/workflows/triggers/{triggerUuid}',
    summary: 'Get Trigger details',
    answer: TriggerDetailDto,
    access: { action: 'detail', object: 'triggerUuid' },
  },
  updateTrigger: {
    route: 'PUT /v1/workflows/triggers/{triggerUuid}',
    summary: 'Update Trigger',
    body: UpdateTriggerRequestDto,
    answer: TriggerDetailDto,
    errors: ruleErrors,
    access: { action: 'update', object: 'triggerUuid' },
    also: [sightOf('rules', 'rulesUuids'), sightOf('actions', 'actionsUuids')],
    audit: 'update',
  },
  /** Rejected if the trigger is associated with an event. */
  deleteTrigger: {
    route: 'DELETE /v1/workflows/triggers/{triggerUuid}',
    summary: 'Delete Trigger',
    errors: ruleErrors,
    access: { action: 'delete', object: 'triggerUuid' },
    audit: 'delete',
  },
  /** From now on, the actions run with the caller's permissions. */
  associateEventTriggers: {
    route: 'POST /v1/workflows/events',
    summary: 'Associate event with triggers',
    body: TriggerEventAssociationRequestDto,
    success: { status: 201 },
    errors: ruleErrors,
    access: { action: 'update' },
    also: [sightOf('triggers', 'triggerUuids'), ...changeOfOverriding],
    audit: 'associate',
  },
  /** Trigger identifiers in order, by event; events without triggers are omitted. */
  getEventTriggersAssociations: {
    route: 'GET /v1/workflows/events/{resource}/{associationObjectUuid}',
    summary: 'Get event triggers associations for resource object',
    params: z.object({ resource: Resource, associationObjectUuid: uuid() }),
    answer: z.partialRecord(ResourceEvent, z.array(uuid())),
    errors: plainErrors,
    access: { action: 'list' },
    also: [{ resource: '{resource}', action: 'detail', object: 'associationObjectUuid' }],
  },
});

export const triggerHistoryOperations = operations(triggers, {
  /** Newest first, for the object that the trigger is associated with. */
  getTriggerHistory: {
    route: 'GET /v1/workflows/triggers/{triggerUuid}/history/{associationObjectUuid}',
    summary: 'Get Trigger History',
    answer: z.array(TriggerHistoryDto),
    errors: plainErrors,
    access: { action: 'detail', object: 'triggerUuid' },
  },
  getTriggerHistorySummary: {
    route: 'GET /v1/workflows/triggers/history/{associationObjectUuid}',
    summary: 'Get Trigger History Summary',
    answer: TriggerHistorySummaryDto,
    access: { action: 'list' },
    also: [{ resource: 'discoveries', action: 'detail', where: 'the summary is for a discovery, on it' }],
  },
});
