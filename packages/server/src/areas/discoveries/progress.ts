// Shows the progress of discoveries, stops them, and lists the results that could not be imported.
import type { DiscoveryFindings, DiscoveryProgress } from '@signetry/contract';
import { coreActor, type RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { pageFacts, readPage, type PageRequest } from '../../kernel/page.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Scheduler } from '../scheduler/index.ts';
import type { DiscoveryLimits } from './run-rules.ts';
import { presentFinding, presentProgress } from './present.ts';
import { reportFinished, type Runs } from './run.ts';
import { findFindings } from './store-found.ts';
import * as runs from './store-runs.ts';
import { discoveries } from './store.ts';

export interface ProgressParts {
  readonly audit: AuditTrail;
  readonly runs: Pick<Runs, 'wake'>;
  readonly scheduler: Pick<Scheduler, 'endRunsOf'>;
  readonly limits: DiscoveryLimits;
}

export type DiscoveryProgressReads = ReturnType<typeof createProgress>;

export function createProgress(platform: Platform, { audit, runs: { wake }, scheduler, limits }: ProgressParts) {
  const { database, clock, events } = platform;

  const progress = async (uuid: string): Promise<DiscoveryProgress> =>
    presentProgress(await discoveries.require(database.executor, uuid));

  /**
   * The node that runs the discovery notices the stop on its next write; the pages that it is currently reading are not
   * imported.
   */
  async function stop(uuid: string, context: RequestContext): Promise<DiscoveryProgress> {
    const by = context.actor.username ?? coreActor.username ?? '';
    await database.transaction(async (tx) => {
      const { uuid: locked } = await discoveries.lock(tx, uuid);
      const message = `Stopped by ${by}. Results found so far are retained.`;
      const ending = { status: 'warning', message, at: clock.now(), stoppedBy: by } as const;
      const stopped = await runs.end(tx, { uuid: locked }, ending);
      if (!stopped) return;
      await audit.append(tx, context, { objects: [stopped], data: { stopped: true } });
      await reportFinished(tx, { platform, scheduler }, stopped);
    });
    events.wake();
    return progress(uuid);
  }

  async function resume(uuid: string, context: RequestContext): Promise<DiscoveryProgress> {
    await database.transaction(async (tx) => {
      const row = await discoveries.lock(tx, uuid);
      if (row.ended_at === null) throw rejected(`Cannot resume discovery ${row.name}: it is still running.`);
      const resumed = await runs.reopen(tx, row.uuid, { dueBy: new Date(clock.now().getTime() + limits.deadlineMs) });
      if (!resumed)
        throw rejected(`Cannot resume discovery ${row.name}: all results have already been read. Start a new one.`);
      await audit.append(tx, context, { objects: [resumed], data: { resumed: true } });
    });
    wake();
    return progress(uuid);
  }

  async function findings(uuid: string, asked: PageRequest): Promise<DiscoveryFindings> {
    const page = readPage(asked);
    const { uuid: known } = await discoveries.require(database.executor, uuid);
    const { items, totalItems } = await findFindings(database.executor, known, page);
    return { ...pageFacts(page, totalItems), findings: items.map(presentFinding) };
  }

  return { progress, stop, resume, findings };
}
