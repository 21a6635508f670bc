// The rules engine: what is to happen by itself when something happens to an object.
// Owns: workflow_condition, workflow_rule, workflow_rule_condition, workflow_execution, workflow_action,
// workflow_action_execution, workflow_trigger, workflow_trigger_rule, workflow_trigger_action,
// workflow_trigger_association, workflow_revision, workflow_trigger_set, workflow_evaluation,
// workflow_run. Invariants: names are unique; a part stays while something consists
// of it, and a trigger while it is associated; an association goes with its object; every change of definitions and
// associations is a new revision.
//
// engine/perform.ts                      does the actions of a trigger; attempts, and the limit against loops
// engine/follow.ts, trigger-sets.ts      the event log, and which triggers listen to an event
// engine/evaluate.ts, conditions.ts      whether the conditions of a trigger hold for an object
// engine/ignore.ts                       discovered certificates that stay out of the inventory
// definitions/triggers.ts                triggers: which rules decide, and what is done
// definitions/compositions.ts            rules and actions; their parts: conditions.ts, executions.ts
// definitions/subjects.ts                what can be compared and set; fields-of-keys.ts, settings-of-fields.ts
// definitions/overview.ts, read-sets.ts  all definitions for people, and the triggers of an event for the engine
// definitions/change.ts, store.ts        changes with their audit record, and queries
// associations/                          triggers on the platform, an RA profile, a group or a discovery
// history/service.ts, tree.ts            what was evaluated and done, for people
// history/trials.ts, refused-steps.ts    dry run of a trigger, and whether its actions would be refused
// read-conditions.ts                     conditions as searches; regular expressions in linear time
// routes.ts, ports.ts, tables.ts         operations, what other areas connect, and rows
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
import { createFieldsOfKeys } from './definitions/fields-of-keys.ts';
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
  /** Of all areas; complete once they were created. */
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
  /** Triggers of single discoveries. */
  readonly triggersOfDiscoveries: Associations['discoveries'] & { readonly findIgnored: FindIgnored };
  /** Names of the executions that send messages by a notification profile. */
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
    ruleFields: { keys: createFieldsOfKeys(platform, { ...areas, findNames: namesOf }) },
    retentionPolicies: [retention],
    start: async () => performer.start(),
    stop: performer.stop,
    triggersOfDiscoveries: { ...associations.discoveries, findIgnored },
    executionsOfNotificationProfile: findExecutionsOfNotificationProfile,
  };
}

const retention: RetentionPolicy = {
  setting: 'evaluationsKeptDays',
  what: 'histories of automations',
  tables: ['workflow_evaluation', 'workflow_run', 'workflow_trigger_set'],
  remove: deleteOldEvaluations,
};
