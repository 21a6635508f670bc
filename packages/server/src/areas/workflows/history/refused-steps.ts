// Whether steps of a trigger would be refused now. Each change is made as the trigger would make it, with the rights of
// whoever associated it, and taken back before it is committed: so the answer is that of the checks that count.
import type { WorkflowStepRefusalDto } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findAssociatingUsers } from '../definitions/store.ts';
import type { NestedExecution, NestedTrigger } from '../definitions/store-nested.ts';
import type { Subjects } from '../definitions/subjects.ts';
import { contextOf, refusalOf, type PerformParts } from '../engine/perform.ts';
import type { FindNotificationProfiles } from '../ports.ts';
import { stepsOf } from './tree.ts';

/** A trigger that more people associated is tried as these, by name. */
const MAX_USERS = 5;

export interface RefusedStepsParts {
  readonly subjects: Subjects;
  readonly users: PerformParts['users'];
  readonly findNotificationProfiles: FindNotificationProfiles;
}

/** Whose rights are tried; `context` is text where nobody has them any more. */
interface Person {
  readonly name: string;
  readonly context: RequestContext | string;
}

export interface RefusedSteps {
  readonly triedAs: readonly string[];
  /** By object, of those that were asked for. */
  readonly refusals: ReadonlyMap<string, readonly WorkflowStepRefusalDto[]>;
}

/** Thrown within the transaction of a change that nothing speaks against. */
class TakenBack extends Error {}

export function createRefusedSteps(platform: Platform, parts: RefusedStepsParts) {
  const { executor } = platform.database;

  async function peopleOf({ uuid }: NestedTrigger, { actor }: RequestContext): Promise<Person[]> {
    const associating = uuid === '' ? [] : await findAssociatingUsers(executor, uuid, MAX_USERS);
    if (associating.length === 0)
      return [{ name: actor.username ?? '', context: { ...coreContext(newUuid()), actor } }];
    return Promise.all(
      associating.map(async ({ triggered_by_uuid: triggeredByUuid, triggered_by: triggeredBy }) => ({
        name: triggeredBy,
        context: await contextOf(platform, parts, { triggeredByUuid, triggeredBy }).catch(refusalOf),
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
      return refusalOf(error);
    }
  }

  async function assertProfiles({ items }: NestedExecution): Promise<void> {
    const uuids = items.flatMap((item) => item.notificationProfileUuid ?? []);
    if ((await parts.findNotificationProfiles(executor, uuids)).length === 0)
      throw rejected('Its notification profiles have been removed; nobody would be told.');
  }

  /** One after the other, since fields are set in several transactions. */
  async function tryFields(
    { resource }: NestedTrigger,
    { items }: NestedExecution,
    { objectUuid, context }: { readonly objectUuid: string; readonly context: RequestContext },
  ): Promise<void> {
    const set = parts.subjects.find(resource)?.set;
    if (!set) throw rejected(`Fields of ${resource} cannot be set.`);
    const within = async (): Promise<void> => {
      throw new TakenBack();
    };
    for (const item of items)
      try {
        await set(objectUuid, [item], { context, within });
      } catch (error) {
        if (!(error instanceof TakenBack)) throw error;
      }
  }

  return async function find(
    trigger: NestedTrigger,
    objectUuids: readonly string[],
    context: RequestContext,
  ): Promise<RefusedSteps> {
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
