// Operations of the rules engine and of the event settings.
import {
  eventSettingsOperations,
  workflowActionOperations,
  workflowDefinitionOperations,
  workflowRuleOperations,
  triggerHistoryOperations,
  workflowEvaluationOperations,
  workflowTrialOperations,
  workflowTriggerOperations,
} from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Associations } from './associations/service.ts';
import type { Actions, Rules } from './definitions/compositions.ts';
import type { Conditions } from './definitions/conditions.ts';
import type { Executions } from './definitions/executions.ts';
import type { Overview } from './definitions/overview.ts';
import type { Triggers } from './definitions/triggers.ts';
import type { History } from './history/service.ts';
import type { Trials } from './history/trials.ts';

interface Parts {
  readonly conditions: Conditions;
  readonly rules: Rules;
  readonly executions: Executions;
  readonly actions: Actions;
  readonly triggers: Triggers;
  readonly associations: Associations;
  readonly history: History;
  readonly trials: Trials;
  readonly overview: Overview;
}

export const workflowRoutes = (parts: Parts): readonly Route[] => [
  ...ruleRoutes(parts),
  ...actionRoutes(parts),
  ...triggerRoutes(parts),
  ...historyRoutes(parts),
  ...routes(workflowDefinitionOperations, {
    listPlacedTriggers: ({ context }) => parts.overview.triggers(context),
    listRuleDetails: ({ context }) => parts.overview.rules(context),
    listUsedConditions: ({ context }) => parts.overview.conditions(context),
    listActionDetails: ({ context }) => parts.overview.actions(context),
    listUsedExecutions: ({ context }) => parts.overview.executions(context),
  }),
];

const ruleRoutes = ({ conditions, rules }: Parts) =>
  routes(workflowRuleOperations, {
    listRules: ({ query }) => rules.list(query.resource),
    createRule: ({ body, context }) => rules.create(body, context),
    getRule: ({ params }) => rules.detail(params.ruleUuid),
    updateRule: ({ params, body, context }) => rules.update(params.ruleUuid, body, context),
    deleteRule: ({ params, context }) => rules.remove(params.ruleUuid, context),
    listConditions: ({ query }) => conditions.list(query.resource),
    createCondition: ({ body, context }) => conditions.create(body, context),
    getCondition: ({ params }) => conditions.detail(params.conditionUuid),
    updateCondition: ({ params, body, context }) => conditions.update(params.conditionUuid, body, context),
    deleteCondition: ({ params, context }) => conditions.remove(params.conditionUuid, context),
  });

const actionRoutes = ({ executions, actions }: Parts) =>
  routes(workflowActionOperations, {
    listActions: ({ query }) => actions.list(query.resource),
    createAction: ({ body, context }) => actions.create(body, context),
    getAction: ({ params }) => actions.detail(params.actionUuid),
    updateAction: ({ params, body, context }) => actions.update(params.actionUuid, body, context),
    deleteAction: ({ params, context }) => actions.remove(params.actionUuid, context),
    listExecutions: ({ query }) => executions.list(query.resource),
    createExecution: ({ body, context }) => executions.create(body, context),
    getExecution: ({ params }) => executions.detail(params.executionUuid),
    updateExecution: ({ params, body, context }) => executions.update(params.executionUuid, body, context),
    deleteExecution: ({ params, context }) => executions.remove(params.executionUuid, context),
  });

const triggerRoutes = ({ triggers, associations }: Parts) => [
  ...routes(workflowTriggerOperations, {
    listTriggers: ({ query }) => triggers.list(query.resource),
    createTrigger: ({ body, context }) => triggers.create(body, context),
    getTrigger: ({ params }) => triggers.detail(params.triggerUuid),
    updateTrigger: ({ params, body, context }) => triggers.update(params.triggerUuid, body, context),
    deleteTrigger: ({ params, context }) => triggers.remove(params.triggerUuid, context),
    associateEventTriggers: ({ body, context }) => associations.associate(body, context),
    getEventTriggersAssociations: ({ params }) => associations.ofObject(params.resource, params.associationObjectUuid),
  }),
  ...routes(eventSettingsOperations, {
    getEventsSettings: () => associations.ofPlatform(),
    updateEventsSettings: ({ body, context }) => associations.replaceEvents(body, context),
    updateEventSettings: ({ body, context }) => associations.changeEvent(body, context),
  }),
];

const historyRoutes = ({ history, trials }: Parts): readonly Route[] => [
  ...routes(triggerHistoryOperations, {
    getTriggerHistory: ({ params }) => history.ofTrigger(params.triggerUuid, params.associationObjectUuid),
    getTriggerHistorySummary: ({ params }) => history.summary(params.associationObjectUuid),
  }),
  ...routes(workflowEvaluationOperations, {
    listWorkflowEvaluations: ({ query, context }) => history.list(query, context),
    getWorkflowEvaluation: ({ params, context }) => history.detail(params.evaluationUuid, context),
  }),
  ...routes(workflowTrialOperations, { tryWorkflow: ({ body, context }) => trials.run(body, context) }),
];
