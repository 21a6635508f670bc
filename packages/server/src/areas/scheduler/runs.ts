// Runs scheduled jobs: a node takes what is due, keeps a lease while it works, and writes down how it ended. A run
// whose node died is ended by another one, with that as its reason, and repeated where its kind can be.
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { isAppError, problemsOf, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityArea } from '../identity/index.ts';
import { nextAfterStart } from './next-run.ts';
import { createRunEnds } from './run-ends.ts';
import type { JobKind, JobObjects, RunEnd } from './ports.ts';
import { openRequest } from './sealed-request.ts';
import * as store from './store-runs.ts';
import type { ScheduledJobRow } from './tables.ts';

/** Without a sign of life of its node for this time, a run has ended. */
const LEASE_S = 15;
/** For each second of the lease. */
const RENEWALS_MS = 250;
const PERIOD_MS = 1_000;
/** Jobs that a node runs at once, besides those that people start. */
const MAX_AT_ONCE = 4;

/** What the scheduler needs of identity. */
export interface Users extends Pick<IdentityArea, 'findUser' | 'actorOf'> {
  readonly gatekeeper: Pick<IdentityArea['gatekeeper'], 'authorizeObjects'>;
}

export interface RunParts {
  readonly platform: Platform;
  readonly users: Users;
  readonly kinds: ReadonlyMap<string, JobKind>;
  /** Before each round: brings the times of jobs in line with the clock. */
  readonly keepTime: () => Promise<void>;
  readonly leaseS?: number | undefined;
}

export interface BegunRun {
  readonly job: ScheduledJobRow;
  readonly kind: JobKind;
  readonly uuid: string;
  readonly startedAt: Date;
}

export type Runs = ReturnType<typeof createRuns>;

export function createRuns(parts: RunParts) {
  const { platform, kinds, leaseS = LEASE_S } = parts;
  const { database, clock, log } = platform;
  const stopping = new AbortController();
  const working = new Map<string, Promise<void>>();
  const ends = createRunEnds(platform, kinds);

  /** Writes down that a job runs from now on; `carryOut` does it after the commit. */
  async function begin(tx: Executor, job: ScheduledJobRow): Promise<BegunRun> {
    const kind = kinds.get(job.job_type);
    if (!kind) throw rejected(`This version of the platform knows no jobs of the type ${job.job_type}.`);
    const now = clock.now();
    const uuid = newUuid();
    const nextRunAt = nextAfterStart(job, now);
    await store.beginRun(tx, { job, run: { uuid, started_at: now }, leaseS, nextRunAt });
    return { job, kind, uuid, startedAt: now };
  }

  function carryOut(run: BegunRun): void {
    const done = work(run)
      .catch((error: unknown) => log.error({ error, job: run.job.name }, 'the end of a job was not written down'))
      .finally(() => {
        working.delete(run.uuid);
        rounds.wake();
      });
    working.set(run.uuid, done);
  }

  async function work(run: BegunRun): Promise<void> {
    platform.faultPoint('scheduler.afterBegin');
    const lease = keepLease(platform, run, leaseS);
    const signal = AbortSignal.any([stopping.signal, lease.lost]);
    try {
      const end = await endOf(parts, run, signal);
      await ends.finish(run, end);
    } finally {
      lease.end();
    }
  }

  async function takeDue(): Promise<boolean> {
    if (working.size >= MAX_AT_ONCE || stopping.signal.aborted) return false;
    const jobTypes = [...kinds.keys()];
    const run = await database.transaction(async (tx) => {
      const job = await store.lockDue(tx, { now: clock.now(), jobTypes });
      return job && begin(tx, job);
    });
    if (run) carryOut(run);
    return run !== undefined;
  }

  /** One look at what is to be done; true where there may be more. */
  async function runOnce(): Promise<boolean> {
    await parts.keepTime();
    return (await ends.takeOverAbandoned()) || takeDue();
  }

  const rounds = createRounds({ log, what: 'the search for jobs that are due', periodMs: PERIOD_MS, run: runOnce });

  return {
    begin,
    carryOut,
    runOnce,
    idle: () => Promise.all(working.values()),
    start: () => rounds.start(),
    wake: rounds.wake,
    async stop(): Promise<void> {
      stopping.abort();
      await rounds.stop();
      await Promise.all(working.values());
    },
  };
}

/** `lost` fires when another node gave up the run. */
function keepLease({ database, log }: Pick<Platform, 'database' | 'log'>, { uuid, job }: BegunRun, leaseS: number) {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    store.renewLease(database.executor, { runUuid: uuid, leaseS }).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => log.warn({ error, job: job.name }, 'the lease of a job was not renewed'),
    );
  }, leaseS * RENEWALS_MS);
  return { lost: lost.signal, end: () => clearInterval(renewal) };
}

async function endOf(parts: RunParts, run: BegunRun, signal: AbortSignal): Promise<RunEnd | 'interrupted'> {
  const { platform, users } = parts;
  const { job, kind, startedAt } = run;
  try {
    const context = await contextOf(parts, job, signal);
    const message = await kind.run({
      request: openRequest(platform, job),
      startedAt,
      context,
      assertMay: (operation, body) => users.gatekeeper.authorizeObjects(context.actor, operation, { params: {}, body }),
      handOver: (tx, objects) => handOver(tx, run, objects),
    });
    return { status: 'succeeded', message: message ?? null };
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    if (!isAppError(error)) platform.log.error({ error, job: job.name }, 'a scheduled job failed');
    return { status: 'failed', message: reasonOf(error) };
  }
}

async function handOver(tx: Executor, { uuid, job }: BegunRun, objects: JobObjects): Promise<void> {
  if (!(await store.handOver(tx, uuid, objects))) throw new Error(`Another node gave up this run of ${job.name}.`);
}

const reasonOf = (error: unknown): string =>
  isAppError(error) ? problemsOf(error).join(' ') : 'The platform could not do it; the log tells why.';

/** A job of a user may do what its user may do now; it has no other rights than these. */
async function contextOf({ platform, users }: RunParts, job: ScheduledJobRow, signal: AbortSignal) {
  const context: RequestContext = coreContext(newUuid(), signal);
  const { user_uuid: userUuid, username } = job;
  if (job.system) return context;
  const user = userUuid === null ? undefined : await users.findUser(platform.database.executor, { uuid: userUuid });
  const whose = `The user ${username}, in whose name this job runs,`;
  if (!user) throw rejected(`${whose} does not exist any more. Schedule it anew in the name of another user.`);
  if (!user.enabled) throw rejected(`${whose} is disabled.`);
  return { ...context, actor: await users.actorOf(user.uuid) };
}
