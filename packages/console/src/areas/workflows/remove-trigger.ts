// Unassigns and deletes a trigger and those of its parts that are not used elsewhere.
import { ApiError } from '@signetry/client';
import type { PlacedTrigger, ResourceEvent } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { updateAssignments } from './save-assignments.ts';
import { createUndoable } from './undoable.ts';

export async function removeTrigger(trigger: PlacedTrigger): Promise<void> {
  const work = createUndoable();
  await work.attempt(async () => {
    const events = new Set<ResourceEvent>(trigger.places.map(({ event }) => event));
    for (const event of events) await updateAssignments({ trigger, event, to: [] }, work);
    await api.workflowTriggers.deleteTrigger({ params: { triggerUuid: trigger.uuid } });
  });
  await removeUnused(trigger);
}

/** Returns the parts that the trigger no longer has. */
export function findRemovedParts(before: PlacedTrigger, now: Pick<PlacedTrigger, 'rules' | 'actions'>): Parts {
  const has = new Set(
    [...now.rules, ...now.actions].flatMap((whole) => [
      whole.uuid,
      ...('conditions' in whole ? whole.conditions : whole.executions).map(({ uuid }) => uuid),
    ]),
  );
  return {
    rules: before.rules.map((rule) => ({
      ...rule,
      isLeft: !has.has(rule.uuid),
      conditions: rule.conditions.filter(({ uuid }) => !has.has(uuid)),
    })),
    actions: before.actions.map((action) => ({
      ...action,
      isLeft: !has.has(action.uuid),
      executions: action.executions.filter(({ uuid }) => !has.has(uuid)),
    })),
  };
}

interface Named {
  readonly uuid: string;
}

export interface Parts {
  readonly rules: readonly (Named & { readonly isLeft?: boolean; readonly conditions: readonly Named[] })[];
  readonly actions: readonly (Named & { readonly isLeft?: boolean; readonly executions: readonly Named[] })[];
}

/**
 * Removes unused parts. The platform keeps parts that are used elsewhere, even if the user cannot see where.
 */
export async function removeUnused({ rules, actions }: Parts): Promise<void> {
  for (const { uuid: ruleUuid, isLeft = true, conditions } of rules) {
    if (isLeft && !(await tryRemove(api.workflowRules.deleteRule({ params: { ruleUuid } })))) continue;
    for (const { uuid: conditionUuid } of conditions)
      await tryRemove(api.workflowRules.deleteCondition({ params: { conditionUuid } }));
  }
  for (const { uuid: actionUuid, isLeft = true, executions } of actions) {
    if (isLeft && !(await tryRemove(api.workflowActions.deleteAction({ params: { actionUuid } })))) continue;
    for (const { uuid: executionUuid } of executions)
      await tryRemove(api.workflowActions.deleteExecution({ params: { executionUuid } }));
  }
}

async function tryRemove(removal: Promise<unknown>): Promise<boolean> {
  try {
    await removal;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401) return false;
    throw error;
  }
}
