// Comparison of two discoveries: certificates that only one of them found, and certificates that both found with
// different metadata.
import { DiscoveryChange, type DiscoveryDifference } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import { pageFacts, readPage, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentFound } from './present.ts';
import { countDifference, findDifference } from './store-found.ts';
import { discoveries, findBefore } from './store.ts';
import type { DiscoveryRow } from './tables.ts';

export interface Comparison extends PageRequest {
  readonly with?: string | undefined;
  readonly change?: DiscoveryChange | undefined;
}

export type Differences = ReturnType<typeof createDifferences>;

export function createDifferences({ database }: Pick<Platform, 'database'>) {
  async function findComparison(tx: Executor, row: DiscoveryRow, named: string | undefined, context: RequestContext) {
    const found = named === undefined ? await findBefore(tx, row) : await discoveries.require(tx, named);
    const isVisible = found && isAllowed(context.actor.permissions, 'discoveries', 'detail', [found.uuid]);
    if (named !== undefined && !isVisible) throw notFound(discoveries.what, named);
    return isVisible ? found : undefined;
  }

  return (uuid: string, asked: Comparison, context: RequestContext): Promise<DiscoveryDifference> => {
    const page = readPage(asked);
    return database.snapshot(async (tx) => {
      const row = await discoveries.require(tx, uuid);
      const earlier = await findComparison(tx, row, asked.with, context);
      const none = { new: 0, gone: 0, changed: 0 };
      if (!earlier) return { ...none, unchanged: row.found, certificates: [], ...pageFacts(page, 0) };
      const compared = { later: row.uuid, earlier: earlier.uuid };
      const changes = asked.change ? [asked.change] : DiscoveryChange.options;
      const counts = await countDifference(tx, compared);
      const shown = await findDifference(tx, compared, { changes, page });
      const total = changes.reduce((sum, change) => sum + counts[change], 0);
      return {
        with: { uuid: earlier.uuid, name: earlier.name, startedAt: earlier.started_at.toISOString() },
        ...counts,
        certificates: shown.map(({ change, ...found }) => ({ ...presentFound(found), change })),
        ...pageFacts(page, total),
      };
    });
  };
}
