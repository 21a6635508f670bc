// Audit records as lines of the log. A line is queued by the statement that makes the change, like a record in the
// database, so that there is none for a change that did not commit; it is printed within a second, by another node when
// its own stopped. After a crash in between a line may come twice.
import { createRounds } from '../../platform/jobs/rounds.ts';
import type { Platform } from '../../platform/platform.ts';
import { presentFacts } from './present.ts';
import { takeLines } from './store-lines.ts';

const BATCH = 1_000;
const INTERVAL_MS = 1_000;
/** A running node prints within a second. */
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
    what: 'printing of audit records',
    periodMs: INTERVAL_MS,
    run: async () => (await printBatch()) === BATCH,
  });

  return {
    print: printBatch,
    start: () => rounds.start(INTERVAL_MS),
    async stop() {
      await rounds.stop();
      // Another node prints what is left, or the next start.
      await printBatch().catch((error: unknown) => log.warn({ error }, 'the last audit records are not printed yet'));
    },
  };
}
