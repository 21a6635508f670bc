// The rules engine: what happens automatically when an event occurs for an object. Owns: workflow_condition,
// workflow_rule, workflow_rule_condition, workflow_execution, workflow_action, workflow_action_execution,
// workflow_trigger, workflow_trigger_rule, workflow_trigger_action, workflow_trigger_association, workflow_revision,
// workflow_trigger_set, workflow_evaluation, workflow_run. Invariants: names are unique; a component cannot be deleted
// while it is used, nor a trigger while it is associated; an association is deleted with its object; every change to
// definitions and associations creates a new revision.
//
// engine/perform.ts                      performs the actions of a trigger; retries, and the limit that prevents loops
// engine/follow.ts, trigger-sets.ts      the event log, and which triggers are evaluated for an event
// engine/evaluate.ts, conditions.ts      whether an object matches the conditions of a trigger
// engine/ignore.ts                       discovered certificates that are not added to the inventory
// definitions/triggers.ts                triggers: their rules and actions
// definitions/compositions.ts            rules and actions; their components: conditions.ts, executions.ts
// definitions/subjects.ts                fields that can be compared and set; key-fields.ts, field-settings.ts
// definitions/overview.ts, read-sets.ts  all definitions for the console, and the triggers of an event for the engine
// definitions/change.ts, store.ts        changes with their audit record, and queries
// associations/                          triggers on the platform, an RA profile, a group or a discovery
// history/service.ts, tree.ts            history of evaluations and actions, for users
// history/trials.ts, rejected-steps.ts    dry run of a trigger, and whether its actions would be rejected
// read-conditions.ts                     conditions as searches; regular expressions in linear time
// routes.ts, ports.ts, tables.ts         operations, ports that other areas connect, and rows
import type { Resource } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { FindNames } from '../../platform/objects/named-objects.ts';
import type { Area, ObjectNames, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createAssociations, type Associations } from './associations/service.ts';
import { createDefinitionChange } from './definitions/change.ts';
import { createActions, createRules } from './definitions/compositions.ts';
import { createConditions } from './definitions/conditions.ts';
import { createExecutions } from './definitions/executions.ts';
import { createKeyFields } from './definitions/key-fields.ts';
import { findExecutionsOfNotificationProfile } from './definitions/store.ts';
import { createOverview } from './definitions/overview.ts';
import { createSubjects } from './definitions/subjects.ts';
import { createTriggers } from './definitions/triggers.ts';
import { followEvents } from './engine/follow.ts';
import { createIgnoring, type FindIgnored } from './engine/ignore.ts';
import { createPerformer, type PerformParts } from './engine/perform.ts';
import { deleteOldEvaluations } from './engine/store.ts';
import { createTriggerSets } from './engine/trigger-sets.ts';
import { createHistory } from './history/service.ts';
import { createTrials } from './history/trials.ts';
import type { FindNotificationProfiles, FindSavedSearch, SendMessage, WorkflowSubject } from './ports.ts';
import { workflowRoutes } from './routes.ts';

export type { SendMessage, WorkflowSubject } from './ports.ts';

export interface WorkflowParts {
  readonly audit: AuditTrail;
  readonly attributes: Pick<AttributeEngine, 'customValuesOf' | 'custom'>;
  readonly subjects: readonly WorkflowSubject[];
  /** Returns object names from all areas; complete once all areas have been created. */
  readonly objectNames: () => ObjectNames;
  readonly findUsers: FindNames;
  readonly findSavedSearch: FindSavedSearch;
  readonly users: PerformParts['users'];
  readonly notifications: {
    readonly findProfiles: FindNotificationProfiles;
    readonly send: SendMessage;
  };
}

export interface Workflows {
  /** Triggers of individual discoveries. */
  readonly triggersOfDiscoveries: Associations['discoveries'] & { readonly findIgnored: FindIgnored };
  /** Returns the names of executions that send notifications through a notification profile. */
  executionsOfNotificationProfile(executor: Executor, uuid: string): Promise<readonly string[]>;
}

export function createWorkflowsArea(platform: Platform, areas: WorkflowParts): Area & Workflows {
  const { audit, objectNames, findUsers, users, notifications } = areas;
  const change = createDefinitionChange(audit);
  const subjects = createSubjects(areas.subjects);
  const namesOf =
    (resource: Resource): FindNames =>
    async (executor, uuids) =>
      resource === 'users' ? findUsers(executor, uuids) : ((await objectNames()[resource]?.(executor, uuids)) ?? []);
  const executions = createExecutions(platform, {
    ...areas,
    change,
    subjects,
    findNotificationProfiles: notifications.findProfiles,
    findObjects: { raProfiles: namesOf('raProfiles'), groups: namesOf('groups'), users: namesOf('users') },
  });
  const associations = createAssociations(platform, areas);
  const performer = createPerformer(platform, { subjects, users, send: notifications.send });
  const sets = createTriggerSets();
  followEvents(platform, { sets, subjects, wake: performer.wake });
  const findIgnored = createIgnoring(platform, { sets, subjects });
  return {
    routes: workflowRoutes({
      conditions: createConditions(platform, { change, subjects }),
      rules: createRules(platform, { change, subjects }),
      executions,
      actions: createActions(platform, { change, subjects, executions }),
      triggers: createTriggers(platform, { change, subjects, executions, objectNames }),
      associations,
      history: createHistory(platform, { subjects }),
      trials: createTrials(platform, {
        subjects,
        users,
        findNotificationProfiles: notifications.findProfiles,
        findSavedSearch: areas.findSavedSearch,
      }),
      overview: createOverview(platform, { executions, objectNames }),
    }),
    ruleFields: { keys: createKeyFields(platform, { ...areas, findNames: namesOf }) },
    retentionPolicies: [retention],
    start: async () => performer.start(),
    stop: performer.stop,
    triggersOfDiscoveries: { ...associations.discoveries, findIgnored },
    executionsOfNotificationProfile: findExecutionsOfNotificationProfile,
  };
}

const retention: RetentionPolicy = {
  setting: 'evaluationsKeptDays',
  what: 'rule evaluations',
  tables: ['workflow_evaluation', 'workflow_run', 'workflow_trigger_set'],
  remove: deleteOldEvaluations,
};
