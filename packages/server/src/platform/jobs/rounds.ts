// Periodic work of this process: one round at a time, with a pause in between.
import { asWork } from '../database/query-limits.ts';
import type { Logger } from '../logging/logger.ts';

export interface RoundsOptions {
  readonly log: Logger;
  /** For the log, e.g. "reconciliation". */
  readonly what: string;
  readonly periodMs: number;
  /** One round; true asks for the next one without a pause. */
  readonly run: () => Promise<boolean>;
}

export interface Rounds {
  start(): void;
  /** Resolves when the running round has ended. */
  stop(): Promise<void>;
}

export function createRounds({ log, what, periodMs, run }: RoundsOptions): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  async function round(): Promise<void> {
    let again = false;
    try {
      again = await asWork('job', run);
    } catch (error) {
      log.error({ error }, `${what} failed; trying again`);
    }
    if (!stopped) schedule(again ? 0 : periodMs);
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      running = round();
    }, delayMs);
  }

  return {
    start: () => schedule(0),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
