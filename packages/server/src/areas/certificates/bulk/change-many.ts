// Changes of many certificates. What is asked for is written down first, with the certificates that it is about; then
// set after set is changed, each by a transaction that also counts it. Small changes are done before the answer, larger
// ones as a job. Whatever is interrupted is continued where it was, so that the counts are exact.
import {
  MAX_NAMED_REFUSALS,
  type CertificateChange,
  type CertificateChangeDetail,
  type CertificateChangeKind,
} from '@signetry/contract';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, problemsOf, rejected } from '../../../kernel/errors.ts';
import { isUuid, newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { seesAll } from '../core/access.ts';
import { callerName } from '../core/record-event.ts';
import * as store from './store.ts';
import type { Asked, ChangeRow } from './tables.ts';

/** More are changed after the answer. */
export const MAX_BEFORE_ANSWER = 1_000;
/** Certificates of one transaction. */
const SET = 500;
const KEPT_MS = 30 * 86_400_000;
const MAX_LISTED = 50;
/** Refusals that the answer repeats when nothing was changed. */
const MAX_REPEATED = 10;
const QUEUE = 'certificates.change-many';
/** A change that is under way before the answer is not looked after sooner. */
const LOOK_AFTER_S = 60;

export interface RefusedCertificate {
  readonly uuid: string;
  readonly name: string | null;
  readonly error: AppError;
}

/** What became of a set: changed, or as wanted already; and refused. */
export interface SetOutcome {
  readonly done: readonly string[];
  readonly refused: readonly RefusedCertificate[];
}

/** What a set does in its transaction: first ask which of its certificates are left, in the end say what they are. */
export interface WithinSet {
  readonly begin: (tx: Executor, uuids: readonly string[]) => Promise<readonly string[]>;
  readonly end: (tx: Executor, outcome: SetOutcome) => Promise<void>;
}

export interface SetToChange {
  readonly asked: Asked;
  readonly uuids: readonly string[];
  readonly context: RequestContext;
}

export type ChangeSet = (set: SetToChange, within: WithinSet) => Promise<SetOutcome>;

export interface Change {
  readonly kind: CertificateChangeKind;
  readonly asked: Asked;
  readonly uuids: readonly string[];
}

export function createManyChanges(platform: Platform, kinds: Readonly<Record<CertificateChangeKind, ChangeSet>>) {
  const { database, jobs, clock, faultPoint } = platform;

  async function start({ kind, asked, uuids }: Change, context: RequestContext): Promise<void> {
    const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
    if (wanted.length === 0) return;
    const change = { uuid: newUuid(), kind, asked, started_at: clock.now(), ...requesterOf(context) };
    const isSmall = wanted.length <= MAX_BEFORE_ANSWER;
    await database.transaction(async (tx) => {
      await store.removeFinishedBefore(tx, new Date(clock.now().getTime() - KEPT_MS));
      await store.insertChange(tx, change, wanted);
      await jobs.enqueue(tx, QUEUE, { uuid: change.uuid }, isSmall ? { startAfterS: LOOK_AFTER_S } : {});
    });
    if (!isSmall) return jobs.wake(QUEUE);
    const { done, refused } = await run(change.uuid, context.signal, context);
    if (done === 0 && refused.length > 0) throw refusalOf(refused);
  }

  /** Until nothing is left. */
  async function run(uuid: string, signal: AbortSignal, context?: RequestContext) {
    const refused: RefusedCertificate[] = [];
    let done = 0;
    for (;;) {
      signal.throwIfAborted();
      const change = await store.findChange(database.executor, uuid);
      if (!change || change.finished_at !== null) return { done, refused };
      const uuids = await store.findLeft(database.executor, uuid, SET);
      if (uuids.length === 0) {
        await store.finishChange(database.executor, uuid, clock.now());
        return { done, refused };
      }
      const set = { asked: change.asked, uuids, context: context ?? contextOf(change, signal) };
      const outcome = await kinds[change.kind](set, countingIn(uuid));
      faultPoint('certificates.afterSet');
      done += outcome.done.length;
      refused.push(...outcome.refused);
    }
  }

  return {
    start,

    /** Continues what this or another node left; before the jobs start. */
    declare: (): void =>
      jobs.declare<{ uuid: string }>({
        name: QUEUE,
        handle: async ({ uuid }, { signal }) => void (await run(uuid, signal)),
      }),
    async resume(): Promise<void> {
      for (const uuid of await store.findUnfinished(database.executor))
        await jobs.enqueue(database.executor, QUEUE, { uuid });
    },

    async list({ actor }: RequestContext): Promise<CertificateChange[]> {
      if (actor.userUuid === null) return [];
      return (await store.findChangesOf(database.executor, actor.userUuid, MAX_LISTED)).map(presentChange);
    },
    /** Also of others, for those who see all certificates: the refused ones are named. */
    async detail(uuid: string, context: RequestContext): Promise<CertificateChangeDetail> {
      const row = isUuid(uuid) ? await store.findChange(database.executor, uuid) : undefined;
      const isOwn = row?.requester_uuid !== null && row?.requester_uuid === context.actor.userUuid;
      if (!row || !(isOwn || seesAll(context))) throw notFound('Change of certificates', uuid);
      const refusals = await store.findRefusals(database.executor, uuid, MAX_NAMED_REFUSALS);
      return {
        ...presentChange(row),
        refusals: refusals.map((item) => ({
          uuid: item.certificate_uuid,
          name: item.name ?? '',
          message: item.problem ?? '',
        })),
      };
    },
  };
}

const countingIn = (changeUuid: string): WithinSet => ({
  begin: (tx, uuids) => store.takeLeft(tx, changeUuid, uuids),
  end: (tx, { done, refused }) =>
    store.noteReached(tx, changeUuid, {
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

/** Rights were checked when the change was asked for; it is carried out in the name of whoever asked. */
function contextOf({ requester_uuid, requester_name }: ChangeRow, signal: AbortSignal): RequestContext {
  const context = coreContext(newUuid(), signal);
  if (requester_uuid === null) return context;
  return { ...context, actor: { ...context.actor, type: 'user', userUuid: requester_uuid, username: requester_name } };
}

function refusalOf(refused: readonly RefusedCertificate[]): AppError {
  const [first] = refused;
  if (first && refused.length === 1) return first.error;
  const rest = refused.length - MAX_REPEATED;
  const named = refused.slice(0, MAX_REPEATED).map(({ error }) => error.message);
  return rejected(...named, ...(rest > 0 ? [`and ${rest} more`] : []));
}

const presentChange = (row: ChangeRow): CertificateChange => ({
  uuid: row.uuid,
  kind: row.kind,
  total: row.total,
  changed: row.changed,
  refused: row.refused,
  startedAt: row.started_at.toISOString(),
  ...(row.finished_at && { finishedAt: row.finished_at.toISOString() }),
});
