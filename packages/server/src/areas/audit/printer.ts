// Audit records as log lines. The statement that makes a change also queues its line, like the record in the database,
// so that a change that did not commit has none. Lines are printed within a second, by another node if their own has
// stopped. If a node crashes in between, a line can be printed twice.
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentFacts } from './present.ts';
import { takeLines } from './store-lines.ts';

const BATCH = 1_000;
const INTERVAL_MS = 1_000;
/** A running node prints within a second; lines queued for this long belong to a stopped node. */
const ABANDONED_AFTER_MS = 10_000;

export function createAuditPrinter({ database, log, nodeId }: Platform) {
  const printBatch = (): Promise<number> =>
    database.transaction(async (tx) => {
      const lines = await takeLines(tx, { ownNode: nodeId, abandonedAfterMs: ABANDONED_AFTER_MS, limit: BATCH });
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
      // The rest is printed by another node or after the next start.
      await printBatch().catch((error: unknown) =>
        log.warn({ error }, 'the last audit records have not been printed yet'),
      );
    },
  };
}
