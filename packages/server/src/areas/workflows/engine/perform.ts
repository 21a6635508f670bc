// Performs trigger actions step by step; a step is one execution. A step's effect and its record share one transaction,
// so the effect happens exactly once, regardless of which node performs the step or crashes. A rejected step is
// recorded with the reason, and the remaining steps are still performed.
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
import type { RequestedTrigger, TriggerSetRow } from './tables.ts';

export interface PerformParts {
  readonly subjects: Subjects;
  readonly users: Pick<IdentityArea, 'findUser' | 'actorOf'>;
  readonly send: SendMessage;
}

/** Number of runs claimed together, and how many of them are performed concurrently. */
const BATCH = 50;
const AT_ONCE = 5;
const PERIOD_MS = 2_000;
/** Other nodes take over a crashed node's runs after this time. */
const LEASE_MS = 60_000;
/** Maximum delay of a postponed run. */
const LONGEST_PAUSE_MS = 600_000;
/**
 * A step that fails without being rejected is retried, with a delay that starts at two seconds and doubles each time.
 */
const ATTEMPTS = 6;
/**
 * Maximum number of times that a trigger may act on the same object within an hour. Without this limit, an action that
 * raises its trigger's own event would loop forever.
 */
const MAX_RUNS = 10;

export function createPerformer(platform: Platform, parts: PerformParts): WakeableRounds {
  return createRounds({
    log: platform.log,
    what: 'trigger actions',
    periodMs: PERIOD_MS,
    run: () => performBatch(platform, parts),
  });
}

/** Performs a batch of runs; returns true if there may be more. */
async function performBatch(platform: Platform, parts: PerformParts): Promise<boolean> {
  const { database, clock } = platform;
  const now = clock.now();
  const lease = newUuid();
  const until = new Date(now.getTime() + LEASE_MS);
  const never = new Date(now.getTime() + LONGEST_PAUSE_MS);
  const runs = await store.claimRuns(database.executor, { lease, now, until, never, limit: BATCH });
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
  readonly run: store.ClaimedRun;
  readonly set: TriggerSetRow;
  readonly asked: RequestedTrigger;
  readonly lease: string;
}

/** A different node has taken over the run, so this node's uncommitted work is rolled back. */
class LeaseLost extends Error {}

async function perform(platform: Platform, parts: PerformParts, work: Work): Promise<void> {
  const { database, clock, log } = platform;
  const { run, asked, lease } = work;
  const executions = asked.trigger.actions.flatMap((action) => action.executions);
  try {
    const context = await contextOf(platform, parts, asked).catch((error: unknown) => rejectionOf(error));
    const endless = await problemOfLoop(platform, work);
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
    log.warn({ error, trigger: asked.trigger.name, object: run.object_uuid }, 'an action failed; will retry');
    const until = new Date(clock.now().getTime() + 1_000 * 2 ** run.attempts);
    await store.postponeRun(database.executor, { uuid: run.uuid, lease, until });
  }
}

interface Step extends Work {
  readonly step: number;
  readonly execution: NestedExecution;
  readonly context: RequestContext;
}

/** Returns the reason why the step was rejected; undefined if it was performed and recorded. */
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
    if (isAppError(error)) return rejectionOf(error);
    if (run.attempts < ATTEMPTS) throw error;
    platform.log.error({ error, trigger: given.asked.trigger.name, event: set.event }, 'an action failed permanently');
    return `The operation failed ${ATTEMPTS} times; see the platform's log.`;
  }
}

/** Returns a rejection's message; rethrows any other error. */
export const rejectionOf = (error: unknown): string => {
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

/** Creates the message with all event data, including data that is not stored with the event. */
async function messageOf({ events }: Platform, tx: Executor, { run, set, step, asked, execution }: Step) {
  const event = run.event_uuid === null ? undefined : await findEvent(tx, run.event_uuid);
  if (!event) throw rejected('The event is no longer stored, so no message was sent.');
  return {
    cause: `${run.uuid} ${step}`,
    profileUuids: execution.items.flatMap((item) => item.notificationProfileUuid ?? []),
    event: ResourceEvent.parse(set.event),
    resource: asked.trigger.resource,
    objectUuid: run.object_uuid,
    data: await events.complete(tx, event),
  };
}

/**
 * Returns the context for actions, with the current permissions of the user who associated the trigger. Throws if the
 * user no longer exists.
 */
export async function contextOf(
  { database }: Platform,
  { users }: Pick<PerformParts, 'users'>,
  { triggeredByUuid, triggeredBy }: Pick<RequestedTrigger, 'triggeredByUuid' | 'triggeredBy'>,
): Promise<RequestContext> {
  const context = coreContext(newUuid());
  if (triggeredByUuid === null) return context;
  const user = await users.findUser(database.executor, { uuid: triggeredByUuid });
  const whose = `User ${triggeredBy}, who associated the trigger and whose permissions its actions have,`;
  if (!user) throw rejected(`${whose} no longer exists. Associate the trigger again as a different user.`);
  if (!user.enabled) throw rejected(`${whose} is disabled.`);
  return { ...context, actor: await users.actorOf(user.uuid) };
}

/**
 * Returns an error message if the trigger has acted on the object too often. If runs are concurrent, the first ones are
 * still within the limit.
 */
async function problemOfLoop({ database, log }: Platform, { run, asked }: Work): Promise<string | undefined> {
  if ((await store.countEarlierRuns(database.executor, run.uuid)) < MAX_RUNS) return undefined;
  log.warn({ trigger: asked.trigger.name, object: run.object_uuid }, 'a trigger repeatedly acts on an object');
  return (
    `The trigger acted on this object ${MAX_RUNS} times within an hour and was stopped: ` +
    'its actions probably cause the event that it responds to.'
  );
}
