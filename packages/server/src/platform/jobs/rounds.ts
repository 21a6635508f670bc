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
  /** The first round begins after `delayMs`, or at once. */
  start(delayMs?: number): void;
  /** Resolves when the running round has ended. */
  stop(): Promise<void>;
}

export interface WakeableRounds extends Rounds {
  /** Asks for a round now; when one is under way, for another without a pause. */
  wake(): void;
}

export function createRounds({ log, what, periodMs, run }: RoundsOptions): WakeableRounds {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function round(): Promise<void> {
    again = false;
    try {
      if (await asWork('job', run)) again = true;
    } catch (error) {
      log.error({ error }, `${what} failed; trying again`);
    }
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = round().finally(() => {
        running = undefined;
        if (!stopped) schedule(again ? 0 : periodMs);
      });
    }, delayMs);
  }

  return {
    start: (delayMs = 0) => schedule(delayMs),
    wake() {
      if (stopped) return;
      if (running) again = true;
      else schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
