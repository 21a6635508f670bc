// Determines whether a trigger's steps would currently be rejected. Each change is made as the trigger would make it,
// with the permissions of the user who associated it, and rolled back before the commit, so that the result comes from
// the actual checks.
import type { WorkflowStepRefusalDto } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findAssociatingUsers } from '../definitions/store.ts';
import type { NestedExecution, NestedTrigger } from '../definitions/store-nested.ts';
import type { Subjects } from '../definitions/subjects.ts';
import { contextOf, rejectionOf, type PerformParts } from '../engine/perform.ts';
import type { FindNotificationProfiles } from '../ports.ts';
import { stepsOf } from './tree.ts';

/** Maximum number of associating users whose permissions are tried for a trigger, sorted by name. */
const MAX_USERS = 5;

export interface RejectedStepsParts {
  readonly subjects: Subjects;
  readonly users: PerformParts['users'];
  readonly findNotificationProfiles: FindNotificationProfiles;
}

/** User whose permissions are tried; `context` is an error message if the user can no longer act. */
interface Person {
  readonly name: string;
  readonly context: RequestContext | string;
}

export interface RejectedSteps {
  readonly triedAs: readonly string[];
  /** Rejections by the requested object's UUID. */
  readonly refusals: ReadonlyMap<string, readonly WorkflowStepRefusalDto[]>;
}

/** Thrown within a change's transaction to roll it back after the change was accepted. */
class RolledBack extends Error {}

export function createRejectedSteps(platform: Platform, parts: RejectedStepsParts) {
  const { executor } = platform.database;

  async function peopleOf({ uuid }: NestedTrigger, { actor }: RequestContext): Promise<Person[]> {
    const associating = uuid === '' ? [] : await findAssociatingUsers(executor, uuid, MAX_USERS);
    if (associating.length === 0)
      return [{ name: actor.username ?? '', context: { ...coreContext(newUuid()), actor } }];
    return Promise.all(
      associating.map(async ({ triggered_by_uuid: triggeredByUuid, triggered_by: triggeredBy }) => ({
        name: triggeredBy,
        context: await contextOf(platform, parts, { triggeredByUuid, triggeredBy }).catch(rejectionOf),
      })),
    );
  }

  async function problemOf(
    trigger: NestedTrigger,
    execution: NestedExecution,
    { objectUuid, context }: { readonly objectUuid: string; readonly context: RequestContext },
  ): Promise<string | undefined> {
    try {
      if (execution.type === 'sendNotification') await assertProfiles(execution);
      else await tryFields(trigger, execution, { objectUuid, context });
      return undefined;
    } catch (error) {
      return rejectionOf(error);
    }
  }

  async function assertProfiles({ items }: NestedExecution): Promise<void> {
    const uuids = items.flatMap((item) => item.notificationProfileUuid ?? []);
    if ((await parts.findNotificationProfiles(executor, uuids)).length === 0)
      throw rejected('Its notification profiles have been removed, so no one would be notified.');
  }

  /** Tries the fields sequentially, since they are set in separate transactions. */
  async function tryFields(
    { resource }: NestedTrigger,
    { items }: NestedExecution,
    { objectUuid, context }: { readonly objectUuid: string; readonly context: RequestContext },
  ): Promise<void> {
    const set = parts.subjects.find(resource)?.set;
    if (!set) throw rejected(`Fields of ${resource} cannot be set.`);
    const within = async (): Promise<void> => {
      throw new RolledBack();
    };
    for (const item of items)
      try {
        await set(objectUuid, [item], { context, within });
      } catch (error) {
        if (!(error instanceof RolledBack)) throw error;
      }
  }

  return async function find(
    trigger: NestedTrigger,
    objectUuids: readonly string[],
    context: RequestContext,
  ): Promise<RejectedSteps> {
    const steps = stepsOf(trigger);
    if (steps.length === 0) return { triedAs: [], refusals: new Map() };
    const people = await peopleOf(trigger, context);
    const refusals = new Map<string, WorkflowStepRefusalDto[]>();
    for (const objectUuid of objectUuids) {
      const refused: WorkflowStepRefusalDto[] = [];
      for (const { name: triggeredBy, context: acting } of people)
        for (const [step, { execution }] of steps.entries()) {
          const problem =
            typeof acting === 'string' ? acting : await problemOf(trigger, execution, { objectUuid, context: acting });
          if (problem !== undefined) refused.push({ step, triggeredBy, problem });
        }
      refusals.set(objectUuid, refused);
    }
    return { triedAs: people.map(({ name }) => name), refusals };
  };
}
