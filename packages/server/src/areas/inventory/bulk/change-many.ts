// Bulk changes to certificates. The request and its certificates are stored first. The certificates are then changed in
// batches, each in a transaction that also updates the counts. Small changes finish before the response; larger ones
// run as a background job. An interrupted change resumes where it stopped, so the counts are exact.
import type { CertificateChangeKind } from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { type AppError, isAppError, problemsOf } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { callerName } from '../../certificates/index.ts';
import * as store from './store.ts';
import type { ChangeRequest, ChangeRow } from './tables.ts';

/** Maximum number of certificates changed before the response; larger changes run in the background. */
export const MAX_BEFORE_RESPONSE = 1_000;
/** Number of certificates per transaction. */
const SET = 500;
const KEPT_MS = 30 * 86_400_000;
const QUEUE = 'certificates.change-many';
/** Time after which a job may take over a change that is still running synchronously. */
const LOOK_AFTER_S = 60;

export interface RejectedCertificate {
  readonly uuid: string;
  readonly name: string | null;
  readonly error: AppError;
}

/**
 * Outcome of a batch: rejected certificates, and certificates that were changed or were already in the requested state.
 */
export interface SetOutcome {
  readonly done: readonly string[];
  readonly refused: readonly RejectedCertificate[];
}

/**
 * Hooks in a batch's transaction: `begin` returns the certificates that are still pending, `end` records the outcome.
 */
export interface SetHooks {
  readonly begin: (tx: Executor, uuids: readonly string[]) => Promise<readonly string[]>;
  readonly end: (tx: Executor, outcome: SetOutcome) => Promise<void>;
}

export interface SetToChange {
  readonly asked: ChangeRequest;
  readonly uuids: readonly string[];
  readonly context: RequestContext;
}

export type ChangeSet = (set: SetToChange, within: SetHooks) => Promise<SetOutcome>;

export interface Change {
  readonly kind: CertificateChangeKind;
  readonly asked: ChangeRequest;
  readonly uuids: readonly string[];
}

/** A bulk change that was started. */
export interface StartedChange {
  readonly uuid: string;
  readonly total: number;
  /** Absent if the change runs after the response. */
  readonly outcome?: SetOutcome;
}

export function createManyChanges(platform: Platform, kinds: Readonly<Record<CertificateChangeKind, ChangeSet>>) {
  const { database, jobs, events, clock, faultPoint } = platform;

  async function start({ kind, asked, uuids }: Change, context: RequestContext): Promise<StartedChange> {
    const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
    const change = { uuid: newUuid(), kind, asked, started_at: clock.now(), ...requesterOf(context) };
    const begun = { uuid: change.uuid, total: wanted.length };
    const isSmall = wanted.length <= MAX_BEFORE_RESPONSE;
    await database.transaction(async (tx) => {
      await store.removeFinishedBefore(tx, new Date(clock.now().getTime() - KEPT_MS));
      await store.insertChange(tx, change, wanted);
      await jobs.enqueue(tx, QUEUE, { uuid: change.uuid }, isSmall ? { startAfterS: LOOK_AFTER_S } : {});
    });
    if (isSmall) return { ...begun, outcome: await runNow(change.uuid, context) };
    jobs.wake(QUEUE);
    return begun;
  }

  async function runNow(uuid: string, context: RequestContext): Promise<SetOutcome> {
    const outcomes: SetOutcome[] = [];
    await run(uuid, { signal: context.signal, context, onSet: (outcome) => outcomes.push(outcome) });
    return { done: outcomes.flatMap(({ done }) => done), refused: outcomes.flatMap(({ refused }) => refused) };
  }

  /** Runs until no certificates are left or the change is stopped. */
  async function run(uuid: string, { signal, context, onSet }: Run): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const change = await store.findChange(database.executor, uuid);
      if (!change || change.finished_at !== null) return;
      const uuids = await store.findRemaining(database.executor, uuid, SET);
      if (uuids.length === 0) return finish(uuid, context !== undefined);
      const set = { asked: change.asked, uuids, context: context ?? contextOf(change, signal) };
      const outcome = await changeSet(change, set);
      onSet?.(outcome);
      faultPoint('certificates.afterSet');
    }
  }

  /** If a caller is waiting, the response contains the outcome and no event is raised. */
  async function finish(uuid: string, isAnswered: boolean): Promise<void> {
    await database.transaction(async (tx) => {
      const ended = await store.finishChange(tx, uuid, clock.now());
      if (!ended || isAnswered) return;
      const { kind, requester_uuid: userUuid, changed, refused } = ended;
      await events.append(tx, 'certificate_change_ended', { changeUuid: uuid, kind, userUuid, changed, refused });
    });
  }

  async function changeSet({ uuid, kind }: ChangeRow, set: SetToChange): Promise<SetOutcome> {
    try {
      return await kinds[kind](set, countingHooks(uuid));
    } catch (error) {
      if (!isAppError(error) || !LASTING.has(error.code)) throw error;
      return database.transaction((tx) => rejectAll(tx, { changeUuid: uuid, uuids: set.uuids, error }));
    }
  }

  return {
    start,

    /** Resumes changes left by this or another node. Call it before the jobs start. */
    declare: (): void =>
      jobs.declare<{ uuid: string }>({ name: QUEUE, handle: ({ uuid }, { signal }) => run(uuid, { signal }) }),
    async resume(): Promise<void> {
      for (const uuid of await store.findUnfinished(database.executor))
        await jobs.enqueue(database.executor, QUEUE, { uuid });
    },
  };
}

interface Run {
  readonly signal: AbortSignal;
  /** Context of the waiting caller; absent in a background job. */
  readonly context?: RequestContext;
  readonly onSet?: (outcome: SetOutcome) => void;
}

/** Errors that a retry cannot resolve: the requested object no longer exists, or the search is no longer valid. */
const LASTING: ReadonlySet<string> = new Set(['object_not_found', 'rejected_by_rules', 'invalid_fields']);

async function rejectAll(
  tx: Executor,
  {
    changeUuid,
    uuids,
    error,
  }: { readonly changeUuid: string; readonly uuids: readonly string[]; readonly error: AppError },
): Promise<SetOutcome> {
  const { begin, end } = countingHooks(changeUuid);
  const left = await begin(tx, uuids);
  const outcome = { done: [], refused: left.map((uuid) => ({ uuid, name: null, error })) };
  await end(tx, outcome);
  return outcome;
}

const countingHooks = (changeUuid: string): SetHooks => ({
  begin: (tx, uuids) => store.lockRemaining(tx, changeUuid, uuids),
  end: (tx, { done, refused }) =>
    store.recordProgress(tx, changeUuid, {
      changed: done,
      refused: refused.map(({ uuid, name, error }) => ({
        certificate_uuid: uuid,
        name,
        problem: problemsOf(error).join('\n'),
      })),
    }),
});

const requesterOf = (context: RequestContext) => ({
  requester_uuid: context.actor.userUuid,
  requester_name: callerName(context),
});

/** Permissions were checked when the change was requested; it runs on behalf of the requester. */
function contextOf({ requester_uuid, requester_name }: ChangeRow, signal: AbortSignal): RequestContext {
  const context = coreContext(newUuid(), signal);
  if (requester_uuid === null) return context;
  return { ...context, actor: { ...context.actor, type: 'user', userUuid: requester_uuid, username: requester_name } };
}
