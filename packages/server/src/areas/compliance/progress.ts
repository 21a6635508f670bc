// Reports the progress of checks of many objects, and stops such checks.
import type { ComplianceRunDto, ComplianceRunsDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import { pageFacts, readPage, type PageRequest } from '../../kernel/page.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { presentRun } from './present.ts';
import { endRun, findRun, findRuns } from './store-runs.ts';

export type ComplianceProgress = ReturnType<typeof createProgress>;

export function createProgress({ database, clock }: Platform, { audit }: { readonly audit: AuditTrail }) {
  async function list(asked: PageRequest): Promise<ComplianceRunsDto> {
    const page = readPage(asked);
    const { items, totalItems } = await findRuns(database.executor, page);
    return { ...pageFacts(page, totalItems), runs: items.map(presentRun) };
  }

  const one = async (uuid: string): Promise<ComplianceRunDto> =>
    presentRun(requireFound(await findRun(database.executor, uuid), 'Compliance check', uuid));

  /**
   * The node working on the run notices the stop at its next lease renewal or write, and discards its current batch.
   */
  async function stop(uuid: string, context: RequestContext): Promise<ComplianceRunDto> {
    await one(uuid);
    await database.transaction(async (tx) => {
      const stoppedBy = context.actor.username ?? 'signetry';
      const stopped = await endRun(tx, uuid, { at: clock.now(), stoppedBy });
      if (!stopped) return;
      await audit.append(tx, context, { data: { run: uuid, stopped: true, processed: stopped.processed } });
    });
    return one(uuid);
  }

  return { list, one, stop };
}
