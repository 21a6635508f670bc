// Audit records as log lines. The statement that makes a change also queues its line, in the same way as its database
// record, so that a change that was not committed has no line. Lines are printed within a second, by a different node
// if their own has stopped. If a node crashes during printing, a line may be printed twice.
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentFacts } from './present.ts';
import { claimLines } from './store-lines.ts';

const BATCH = 1_000;
const INTERVAL_MS = 1_000;
/** Age at which a queued line is considered to belong to a stopped node; a running node prints within a second. */
const ABANDONED_AFTER_MS = 10_000;

export function createAuditPrinter({ database, log, nodeId }: Platform) {
  const printBatch = (): Promise<number> =>
    database.transaction(async (tx) => {
      const lines = await claimLines(tx, { ownNode: nodeId, abandonedAfterMs: ABANDONED_AFTER_MS, limit: BATCH });
      for (const { node_id: node, ...line } of lines) log.info({ audit: { node, ...presentFacts(line) } }, 'audit');
      return lines.length;
    });

  const rounds = createRounds({
    log,
    what: 'printing audit records',
    periodMs: INTERVAL_MS,
    run: async () => (await printBatch()) === BATCH,
  });

  return {
    print: printBatch,
    start: () => rounds.start(INTERVAL_MS),
    async stop() {
      await rounds.stop();
      // The remaining lines are printed by a different node or after the next start.
      await printBatch().catch((error: unknown) =>
        log.warn({ error }, 'the last audit records have not been printed yet'),
      );
    },
  };
}
