// Does what triggers have to do, step by step; a step is one execution. The effect of a step and the note that it was
// done are one transaction: whichever node does it, and whichever dies meanwhile, it happens once. A step that is
// refused is noted with the reason, and the next ones go on.
import { ResourceEvent } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { isAppError, problemsOf, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { findEvent } from '../../../platform/events/store.ts';
import { createRounds, type WakeableRounds } from '../../../platform/jobs/rounds.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { IdentityArea } from '../../identity/index.ts';
import type { NestedExecution } from '../definitions/store-nested.ts';
import type { Subjects } from '../definitions/subjects.ts';
import type { SendMessage } from '../ports.ts';
import * as store from './store.ts';
import type { AskedTrigger, TriggerSetRow } from './tables.ts';

export interface PerformParts {
  readonly subjects: Subjects;
  readonly users: Pick<IdentityArea, 'findUser' | 'actorOf'>;
  readonly send: SendMessage;
}

/** Runs that are taken at once, and those of them that are worked on at the same time. */
const BATCH = 50;
const AT_ONCE = 5;
const PERIOD_MS = 2_000;
/** A node that dies leaves its runs to others after this time. */
const LEASE_MS = 60_000;
/** Longer than that nothing is put off. */
const LONGEST_PAUSE_MS = 600_000;
/** A step that fails without being refused is tried again, with pauses that double from two seconds. */
const ATTEMPTS = 6;
/**
 * As often may a trigger act on the same object within an hour. An action that brings about what its trigger listens to
 * would otherwise go round for ever.
 */
const MAX_RUNS = 10;

export function createPerformer(platform: Platform, parts: PerformParts): WakeableRounds {
  return createRounds({
    log: platform.log,
    what: 'actions of triggers',
    periodMs: PERIOD_MS,
    run: () => performSome(platform, parts),
  });
}

/** True when there may be more. */
async function performSome(platform: Platform, parts: PerformParts): Promise<boolean> {
  const { database, clock } = platform;
  const now = clock.now();
  const lease = newUuid();
  const until = new Date(now.getTime() + LEASE_MS);
  const never = new Date(now.getTime() + LONGEST_PAUSE_MS);
  const runs = await store.takeRuns(database.executor, { lease, now, until, never, limit: BATCH });
  if (runs.length === 0) return false;
  const digests = [...new Map(runs.map(({ set_digest: digest }) => [digest.toString('hex'), digest])).values()];
  const sets = new Map(
    (await store.findSets(database.executor, digests)).map((set) => [set.digest.toString('hex'), set]),
  );
  const waiting = runs.values();
  const lane = async () => {
    for (const run of waiting) {
      const set = sets.get(run.set_digest.toString('hex'));
      const asked = set?.triggers[run.trigger_index];
      if (set && asked) await perform(platform, parts, { run, set, asked, lease });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return runs.length === BATCH;
}

interface Work {
  readonly run: store.TakenRun;
  readonly set: TriggerSetRow;
  readonly asked: AskedTrigger;
  readonly lease: string;
}

/** Another node has taken the run over; what this one was about to do is rolled back. */
class LeaseLost extends Error {}

async function perform(platform: Platform, parts: PerformParts, work: Work): Promise<void> {
  const { database, clock, log } = platform;
  const { run, asked, lease } = work;
  const executions = asked.trigger.actions.flatMap((action) => action.executions);
  try {
    const context = await contextOf(platform, parts, asked).catch((error: unknown) => refusalOf(error));
    const endless = await endlessOf(platform, work);
    for (const [step, execution] of executions.entries()) {
      if (step < run.step) continue;
      platform.faultPoint('workflows.beforeStep');
      const refused = endless ?? (typeof context === 'string' ? context : undefined);
      const problem =
        refused ?? (await carryOut(platform, parts, { ...work, step, execution, context: context as RequestContext }));
      if (problem !== undefined && !(await store.endStep(database.executor, { uuid: run.uuid, lease, step, problem })))
        throw new LeaseLost();
      platform.faultPoint('workflows.afterStep');
    }
    await store.endRun(database.executor, { uuid: run.uuid, lease, at: clock.now() });
  } catch (error) {
    if (error instanceof LeaseLost) return;
    log.warn({ error, trigger: asked.trigger.name, object: run.object_uuid }, 'an action failed and is tried again');
    const until = new Date(clock.now().getTime() + 1_000 * 2 ** run.attempts);
    await store.postponeRun(database.executor, { uuid: run.uuid, lease, until });
  }
}

interface Step extends Work {
  readonly step: number;
  readonly execution: NestedExecution;
  readonly context: RequestContext;
}

/** Why the step was refused; undefined when it was done and noted. */
async function carryOut(platform: Platform, parts: PerformParts, given: Step): Promise<string | undefined> {
  const { run, lease, step, execution, set } = given;
  const within = async (tx: Executor): Promise<void> => {
    if (!(await store.endStep(tx, { uuid: run.uuid, lease, step }))) throw new LeaseLost();
  };
  try {
    if (execution.type === 'sendNotification')
      await platform.database.transaction(async (tx) => {
        await parts.send(tx, await messageOf(platform, tx, given));
        await within(tx);
      });
    else await setFields(parts, given, within);
    return undefined;
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    if (isAppError(error)) return refusalOf(error);
    if (run.attempts < ATTEMPTS) throw error;
    platform.log.error({ error, trigger: given.asked.trigger.name, event: set.event }, 'an action was given up');
    return `The platform could not do it in ${ATTEMPTS} attempts; its log tells why.`;
  }
}

/** In words; throws what is no refusal. */
export const refusalOf = (error: unknown): string => {
  if (!isAppError(error)) throw error;
  return problemsOf(error).join(' ');
};

async function setFields(
  { subjects }: PerformParts,
  { run, asked, execution, context }: Step,
  within: (tx: Executor) => Promise<void>,
): Promise<void> {
  const set = subjects.find(asked.trigger.resource)?.set;
  if (!set) throw rejected(`Fields of ${asked.trigger.resource} cannot be set.`);
  await set(run.object_uuid, execution.items, { context, within });
}

/** With all data of the event, also what is not kept with it. */
async function messageOf({ events }: Platform, tx: Executor, { run, set, step, asked, execution }: Step) {
  const event = run.event_uuid === null ? undefined : await findEvent(tx, run.event_uuid);
  if (!event) throw rejected('The event is not kept any more; nothing is said about it.');
  return {
    cause: `${run.uuid} ${step}`,
    profileUuids: execution.items.flatMap((item) => item.notificationProfileUuid ?? []),
    event: ResourceEvent.parse(set.event),
    resource: asked.trigger.resource,
    objectUuid: run.object_uuid,
    data: await events.complete(tx, event),
  };
}

/** Actions may do what whoever associated the trigger may do now. Throws where there is no such user any more. */
export async function contextOf(
  { database }: Platform,
  { users }: Pick<PerformParts, 'users'>,
  { triggeredByUuid, triggeredBy }: Pick<AskedTrigger, 'triggeredByUuid' | 'triggeredBy'>,
): Promise<RequestContext> {
  const context = coreContext(newUuid());
  if (triggeredByUuid === null) return context;
  const user = await users.findUser(database.executor, { uuid: triggeredByUuid });
  const whose = `The user ${triggeredBy}, who associated the trigger and whose rights its actions have,`;
  if (!user) throw rejected(`${whose} does not exist any more. Associate it anew as another user.`);
  if (!user.enabled) throw rejected(`${whose} is disabled.`);
  return { ...context, actor: await users.actorOf(user.uuid) };
}

/** Of the runs that come at once, the first ones are not endless. */
async function endlessOf({ database, log }: Platform, { run, asked }: Work): Promise<string | undefined> {
  if ((await store.countEarlierRuns(database.executor, run.uuid)) < MAX_RUNS) return undefined;
  log.warn({ trigger: asked.trigger.name, object: run.object_uuid }, 'a trigger acts on an object again and again');
  return (
    `The trigger acted on this object ${MAX_RUNS} times within an hour and does not go on: ` +
    'its actions seem to bring about what it listens to.'
  );
}
