// Ends scheduled job runs: when their work ends, when the objects to which they were handed over end, or when their
// node fails.
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { changesAfterEnd, changesAfterInterruption } from './next-run.ts';
import type { JobKind, JobObjects, RunEnd } from './ports.ts';
import * as store from './store-runs.ts';
import type { ScheduledJobRow } from './tables.ts';

interface Interruption {
  readonly job: ScheduledJobRow;
  /** Undefined if a different platform version started the run. */
  readonly kind: JobKind | undefined;
  readonly why: string;
}

export function createRunEnds(platform: Platform, kinds: ReadonlyMap<string, JobKind>) {
  const { database, events } = platform;

  /** Writes nothing if the run was handed over, or if another node took it over. */
  async function finish({ uuid, kind }: FinishedRun, end: RunEnd | 'interrupted'): Promise<void> {
    await database.transaction(async (tx) => {
      const job = await store.lockRun(tx, uuid);
      if (!job) return;
      if (end === 'interrupted') await interrupt(tx, { job, kind, why: 'The platform was stopped during the run.' });
      else await endLocked(platform, tx, job, { ...end, after: changesAfterEnd(job, end) });
    });
    events.wake();
  }

  async function interrupt(tx: Executor, { job, kind, why }: Interruption): Promise<void> {
    const { after, told } = changesAfterInterruption(job, kind?.runsAgain ?? false);
    await endLocked(platform, tx, job, { status: 'failed', message: `${why}${told}`, after });
  }

  async function takeOverAbandoned(): Promise<boolean> {
    const job = await database.transaction(async (tx) => {
      const abandoned = await store.lockAbandoned(tx);
      const why = 'The node running it stopped during the run.';
      if (abandoned) await interrupt(tx, { job: abandoned, kind: kinds.get(abandoned.job_type), why });
      return abandoned;
    });
    if (job) events.wake();
    return job !== undefined;
  }

  return { finish, takeOverAbandoned };
}

interface FinishedRun {
  readonly uuid: string;
  readonly kind: JobKind;
}

type EndedRun = RunEnd & Pick<Parameters<typeof store.endRun>[2], 'after'>;

async function endLocked(
  { clock, events }: Pick<Platform, 'clock' | 'events'>,
  tx: Executor,
  job: ScheduledJobRow,
  end: EndedRun,
): Promise<void> {
  await store.endRun(tx, job, { ...end, at: clock.now() });
  const { uuid: jobUuid, name: jobName, job_type: jobType, user_uuid: userUuid } = job;
  await events.append(tx, 'scheduled_job_finished', { jobUuid, jobName, jobType, status: end.status, userUuid });
}

/** Ends the runs that were handed over to these objects, in the transaction that ends the objects. */
export async function endRunsOf(platform: Platform, tx: Executor, ended: JobObjects & RunEnd): Promise<void> {
  const { status, message } = ended;
  for (const job of await store.lockTransferred(tx, ended))
    await endLocked(platform, tx, job, { status, message, after: changesAfterEnd(job, ended) });
}
