// Runs scheduled jobs. A node claims due jobs, renews a lease while it works, and records the outcome. If a node
// crashes, another node ends its run with that reason, and repeats the run if its kind allows this.
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

/** Lease duration: a run ends after this time if its node stops renewing the lease. */
const LEASE_S = 15;
/** Renewal interval in milliseconds per second of the lease. */
const RENEWALS_MS = 250;
const PERIOD_MS = 1_000;
/** Maximum number of concurrent scheduled jobs per node, not counting jobs started by users. */
const MAX_AT_ONCE = 4;

/** Dependencies on the identity area. */
export interface Users extends Pick<IdentityArea, 'findUser' | 'actorOf'> {
  readonly gatekeeper: Pick<IdentityArea['gatekeeper'], 'authorizeObjects'>;
}

export interface RunParts {
  readonly platform: Platform;
  readonly users: Users;
  readonly kinds: ReadonlyMap<string, JobKind>;
  /** Adjusts the job times to the clock. Called before each cycle. */
  readonly keepTime: () => Promise<void>;
  readonly leaseS?: number | undefined;
}

export interface StartedRun {
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

  /** Records that a run has started; `carryOut` performs the run after the commit. */
  async function begin(tx: Executor, job: ScheduledJobRow): Promise<StartedRun> {
    const kind = kinds.get(job.job_type);
    if (!kind) throw rejected(`This version of the platform does not support jobs of type ${job.job_type}.`);
    const now = clock.now();
    const uuid = newUuid();
    const nextRunAt = nextAfterStart(job, now);
    await store.beginRun(tx, { job, run: { uuid, started_at: now }, leaseS, nextRunAt });
    return { job, kind, uuid, startedAt: now };
  }

  function carryOut(run: StartedRun): void {
    const done = work(run)
      .catch((error: unknown) => log.error({ error, job: run.job.name }, 'cannot record the end of a job run'))
      .finally(() => {
        working.delete(run.uuid);
        rounds.wake();
      });
    working.set(run.uuid, done);
  }

  async function work(run: StartedRun): Promise<void> {
    platform.faultPoint('scheduler.afterBegin');
    const lease = keepLease(platform, run, leaseS);
    const signal = AbortSignal.any([stopping.signal, lease.lost]);
    try {
      const end = await performRun(parts, run, signal);
      await ends.finish(run, end);
    } finally {
      lease.end();
    }
  }

  async function claimDue(): Promise<boolean> {
    if (working.size >= MAX_AT_ONCE || stopping.signal.aborted) return false;
    const jobTypes = [...kinds.keys()];
    const run = await database.transaction(async (tx) => {
      const job = await store.lockDue(tx, { now: clock.now(), jobTypes });
      return job && begin(tx, job);
    });
    if (run) carryOut(run);
    return run !== undefined;
  }

  /** Performs one cycle, and returns true if there may be more to do. */
  async function runOnce(): Promise<boolean> {
    await parts.keepTime();
    return (await ends.takeOverAbandoned()) || claimDue();
  }

  const rounds = createRounds({ log, what: 'looking for due jobs', periodMs: PERIOD_MS, run: runOnce });

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

/** The `lost` signal fires if another node has taken over the run. */
function keepLease({ database, log }: Pick<Platform, 'database' | 'log'>, { uuid, job }: StartedRun, leaseS: number) {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    store.renewLease(database.executor, { runUuid: uuid, leaseS }).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => log.warn({ error, job: job.name }, 'cannot renew the lease of a job'),
    );
  }, leaseS * RENEWALS_MS);
  return { lost: lost.signal, end: () => clearInterval(renewal) };
}

async function performRun(parts: RunParts, run: StartedRun, signal: AbortSignal): Promise<RunEnd | 'interrupted'> {
  const { platform, users } = parts;
  const { job, kind, startedAt } = run;
  try {
    const context = await contextOf(parts, job, signal);
    const message = await kind.run({
      request: openRequest(platform, job),
      startedAt,
      context,
      assertMay: (operation, body) => users.gatekeeper.authorizeObjects(context.actor, operation, { params: {}, body }),
      handOver: (tx, objects) => transferRun(tx, run, objects),
    });
    return { status: 'succeeded', message: message ?? null };
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    if (!isAppError(error)) platform.log.error({ error, job: job.name }, 'a scheduled job failed');
    return { status: 'failed', message: reasonOf(error) };
  }
}

async function transferRun(tx: Executor, { uuid, job }: StartedRun, objects: JobObjects): Promise<void> {
  if (!(await store.transferRun(tx, uuid, objects)))
    throw new Error(`Another node has taken over this run of ${job.name}.`);
}

const reasonOf = (error: unknown): string =>
  isAppError(error) ? problemsOf(error).join(' ') : 'An internal error occurred; see the platform log.';

/** A user's job runs with exactly the user's current permissions. */
async function contextOf({ platform, users }: RunParts, job: ScheduledJobRow, signal: AbortSignal) {
  const context: RequestContext = coreContext(newUuid(), signal);
  const { user_uuid: userUuid, username } = job;
  if (job.system) return context;
  const user = userUuid === null ? undefined : await users.findUser(platform.database.executor, { uuid: userUuid });
  const whose = `User ${username}, on whose behalf this job runs,`;
  if (!user) throw rejected(`${whose} no longer exists. Schedule it again as a different user.`);
  if (!user.enabled) throw rejected(`${whose} is disabled.`);
  return { ...context, actor: await users.actorOf(user.uuid) };
}
