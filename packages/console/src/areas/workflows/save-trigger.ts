// Saves a trigger with its conditions, rules, executions and actions. The API has no single operation for this, so
// completed steps are undone if a later step is rejected, and parts that are no longer used are removed last.
import { ApiError } from '@signetry/client';
import { MAX_NAME_LENGTH, type ExecutionItemDto, type PlacedTrigger, type ResourceEvent } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { updateAssignments } from './save-assignments.ts';
import { isShared, resourceOf, type ConditionBlock, type Step, type TriggerValues } from './trigger-values.ts';
import { createUndoable, type Undoable } from './undoable.ts';
import { itemOf } from './texts.ts';

type PreviousTrigger = PlacedTrigger | undefined;

export async function saveTrigger(values: TriggerValues, before?: PlacedTrigger): Promise<{ readonly uuid: string }> {
  const work = createUndoable();
  return work.attempt(async () => {
    const isMoved = before !== undefined && values.event !== storedEventOf(before);
    // The event of an assigned trigger cannot be changed, so the trigger is unassigned first.
    if (isMoved) await updateAssignments({ trigger: before, event: storedEventOf(before), to: [] }, work);
    const rulesUuids = await saveRules(values, before, work);
    const actionsUuids = values.ignores ? [] : await saveActions(values, before, work);
    const saved = await saveTriggerFields({ values, before, isMoved, parts: { rulesUuids, actionsUuids } }, work);
    const from = before && !isMoved ? before : { ...saved, places: [] };
    await updateAssignments({ trigger: from, event: values.event, to: values.places }, work);
    return { uuid: saved.uuid };
  });
}

const storedEventOf = (trigger: PlacedTrigger): ResourceEvent | null =>
  trigger.event ?? trigger.places[0]?.event ?? null;

interface TriggerUpdate {
  readonly values: TriggerValues;
  readonly before: PreviousTrigger;
  readonly isMoved: boolean;
  readonly parts: { readonly rulesUuids: string[]; readonly actionsUuids: string[] };
}

async function saveTriggerFields({ values, before, isMoved, parts }: TriggerUpdate, work: Undoable) {
  const { name, description, event, ignores: ignoreTrigger } = values;
  // A trigger that another client created without an event keeps having none unless the user selects an event.
  const own = event === null || (before && before.event === undefined && !isMoved) ? {} : { event };
  const type = before ? before.type : ('event' as const);
  const fields = { description, ignoreTrigger, ...own, ...(type && { type }), ...parts };
  if (!before) {
    const body = { name: name.trim(), resource: resourceOf(event), ...fields };
    const created = await api.workflowTriggers.createTrigger({ body });
    work.undoBy(() => api.workflowTriggers.deleteTrigger({ params: { triggerUuid: created.uuid } }));
    return created;
  }
  const params = { triggerUuid: before.uuid };
  const update = async (body: object) =>
    api.workflowTriggers.updateTrigger({ params, body: { resource: before.resource, ...fields, ...body } });
  const updated = await update({});
  work.undoBy(() =>
    api.workflowTriggers.updateTrigger({
      params,
      body: {
        description: before.description ?? '',
        resource: before.resource,
        ignoreTrigger: before.ignoreTrigger,
        ...(before.type && { type: before.type }),
        ...(before.event && { event: before.event }),
        rulesUuids: before.rules.map(({ uuid }) => uuid),
        actionsUuids: before.actions.map(({ uuid }) => uuid),
      },
    }),
  );
  return updated;
}

/**
 * Creates a part named after the trigger, so that users do not need to choose a name. If the name is in use, a number
 * is appended.
 */
async function createWithFreeName<Saved>(base: string, create: (name: string) => Promise<Saved>): Promise<Saved> {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` (${number})`;
    try {
      return await create(`${base.slice(0, MAX_NAME_LENGTH - ending.length)}${ending}`);
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'ENTITY_NOT_UNIQUE';
      if (!isTaken || number >= MAX_TRIES) throw error;
    }
  }
}

const MAX_TRIES = 50;

async function saveRules(values: TriggerValues, before: PreviousTrigger, work: Undoable): Promise<string[]> {
  const kept: string[] = [];
  for (const rule of before?.rules ?? []) {
    const blocks = values.blocks.filter((block) => block.ruleUuid === rule.uuid && hasContent(block));
    if (blocks.length === 0) continue;
    kept.push(rule.uuid);
    const ofWhole = blocks.some(({ conditionUuid }) => conditionUuid === undefined);
    if (ofWhole) continue;
    for (const block of blocks) if (!isShared(block)) await saveCondition(block, rule, work);
    const conditions = blocks.flatMap(({ conditionUuid }) => conditionUuid ?? []);
    if (conditions.length < rule.conditions.length) await saveRule(rule, conditions, work);
  }
  for (const block of values.blocks)
    if (block.ruleUuid === undefined && hasContent(block)) kept.push(await createRule(block, values, work));
  return kept;
}

const hasContent = ({ items }: ConditionBlock): boolean => items.length > 0;

async function saveCondition(block: ConditionBlock, rule: PlacedTrigger['rules'][number], work: Undoable) {
  const before = rule.conditions.find(({ uuid }) => uuid === block.conditionUuid);
  const items = block.items.map(itemOf);
  if (!before || isEqual(items, before.items)) return;
  const params = { conditionUuid: before.uuid };
  const description = before.description ?? '';
  await api.workflowRules.updateCondition({ params, body: { description, items } });
  work.undoBy(() => api.workflowRules.updateCondition({ params, body: { description, items: before.items } }));
}

async function saveRule(rule: PlacedTrigger['rules'][number], conditionsUuids: string[], work: Undoable) {
  const params = { ruleUuid: rule.uuid };
  const description = rule.description ?? '';
  await api.workflowRules.updateRule({ params, body: { description, conditionsUuids } });
  const former = rule.conditions.map(({ uuid }) => uuid);
  work.undoBy(() => api.workflowRules.updateRule({ params, body: { description, conditionsUuids: former } }));
}

async function createRule({ items, resource }: ConditionBlock, { name }: TriggerValues, work: Undoable) {
  const of = { resource, type: 'checkField', items: items.map(itemOf) } as const;
  const condition = await createWithFreeName(name.trim(), (free) =>
    api.workflowRules.createCondition({ body: { ...of, name: free } }),
  );
  work.undoBy(() => api.workflowRules.deleteCondition({ params: { conditionUuid: condition.uuid } }));
  const rule = await createWithFreeName(name.trim(), (free) =>
    api.workflowRules.createRule({ body: { name: free, resource, conditionsUuids: [condition.uuid] } }),
  );
  work.undoBy(() => api.workflowRules.deleteRule({ params: { ruleUuid: rule.uuid } }));
  return rule.uuid;
}

async function saveActions(values: TriggerValues, before: PreviousTrigger, work: Undoable): Promise<string[]> {
  const kept: string[] = [];
  for (const action of before?.actions ?? []) {
    const steps = values.steps.filter((step) => step.actionUuid === action.uuid);
    if (steps.length === 0) continue;
    kept.push(action.uuid);
    const executions = action.executions.filter(({ uuid }) =>
      steps.some(({ executionUuid }) => executionUuid === uuid),
    );
    for (const execution of executions) {
      const own = steps.filter((step) => step.executionUuid === execution.uuid);
      if (!own.some(isShared)) await saveExecution(execution, own.map(toRequestItem), work);
    }
    if (executions.length < action.executions.length)
      await saveAction(
        action,
        executions.map(({ uuid }) => uuid),
        work,
      );
  }
  const added = values.steps.filter(({ actionUuid }) => actionUuid === undefined);
  if (added.length > 0) kept.push(await createAction(added, values, work));
  return kept;
}

type Action = PlacedTrigger['actions'][number];
type Execution = Action['executions'][number];

/** Returns the item without object names, which only the platform can set. */
function toRequestItem({ item }: Pick<Step, 'item'>): ExecutionItemDto {
  const { fieldSource, fieldIdentifier, notificationProfileUuid, data } = item;
  return {
    ...(fieldSource && { fieldSource }),
    ...(fieldIdentifier !== undefined && { fieldIdentifier }),
    ...(notificationProfileUuid !== undefined && { notificationProfileUuid }),
    ...(data !== undefined && { data }),
  };
}

async function saveExecution(
  { uuid, description = '', items: former }: Execution,
  items: ExecutionItemDto[],
  work: Undoable,
) {
  const before = former.map((item) => toRequestItem({ item }));
  if (isEqual(items, before)) return;
  const params = { executionUuid: uuid };
  await api.workflowActions.updateExecution({ params, body: { description, items } });
  work.undoBy(() => api.workflowActions.updateExecution({ params, body: { description, items: before } }));
}

async function saveAction({ uuid, description = '', executions }: Action, executionsUuids: string[], work: Undoable) {
  const params = { actionUuid: uuid };
  await api.workflowActions.updateAction({ params, body: { description, executionsUuids } });
  const former = executions.map((execution) => execution.uuid);
  work.undoBy(() => api.workflowActions.updateAction({ params, body: { description, executionsUuids: former } }));
}

/**
 * Creates an action that sets fields before it sends notifications, so that the notifications describe the updated
 * object.
 */
async function createAction(steps: readonly Step[], { name, event }: TriggerValues, work: Undoable): Promise<string> {
  const resource = resourceOf(event);
  const items = steps.map(toRequestItem);
  const kinds = [
    { type: 'setField' as const, items: items.filter(({ fieldSource }) => fieldSource !== undefined) },
    { type: 'sendNotification' as const, items: items.filter(({ fieldSource }) => fieldSource === undefined) },
  ];
  const executionsUuids: string[] = [];
  for (const of of kinds.filter((kind) => kind.items.length > 0)) {
    const execution = await createWithFreeName(name.trim(), (free) =>
      api.workflowActions.createExecution({ body: { ...of, name: free, resource } }),
    );
    work.undoBy(() => api.workflowActions.deleteExecution({ params: { executionUuid: execution.uuid } }));
    executionsUuids.push(execution.uuid);
  }
  const action = await createWithFreeName(name.trim(), (free) =>
    api.workflowActions.createAction({ body: { name: free, resource, executionsUuids } }),
  );
  work.undoBy(() => api.workflowActions.deleteAction({ params: { actionUuid: action.uuid } }));
  return action.uuid;
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
