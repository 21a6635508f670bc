// Periodic work of this process: one round at a time, with a pause in between.
import { asWork } from '../database/query-limits.ts';
import type { Logger } from '../logging/logger.ts';

export interface RoundsOptions {
  readonly log: Logger;
  /** For the log, e.g. "reconciliation". */
  readonly what: string;
  readonly periodMs: number;
  /**
   * From the end of a round to one that was asked for at least, so that what comes meanwhile is done together. After a
   * round that took long it is longer, up to a second: such rounds are a small part of what the process does, however
   * busy it is.
   */
  readonly restMs?: number;
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

/** A rest is this many times as long as the round before it. */
const REST_PER_ROUND = 20;
const LONGEST_REST_MS = 1_000;

export function createRounds({ log, what, periodMs, restMs = 0, run }: RoundsOptions): WakeableRounds {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let stopped = false;
  let restUntil = -Infinity;
  let dueAt = Infinity;

  /** True when there is more to do. */
  async function round(): Promise<boolean> {
    isWoken = false;
    const beganAt = performance.now();
    try {
      return await asWork('job', run);
    } catch (error) {
      log.error({ error }, `${what} failed; trying again`);
      return false;
    } finally {
      restUntil = performance.now() + restAfter(performance.now() - beganAt);
    }
  }

  const restAfter = (roundMs: number): number =>
    restMs === 0 ? 0 : Math.max(restMs, Math.min(REST_PER_ROUND * roundMs, LONGEST_REST_MS));

  const restLeftMs = (): number => Math.max(0, restUntil - performance.now());

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    dueAt = performance.now() + delayMs;
    timer = setTimeout(() => {
      dueAt = Infinity;
      running = round().then((isMore) => {
        running = undefined;
        if (stopped) return;
        schedule(isMore ? 0 : isWoken ? restLeftMs() : periodMs);
      });
    }, delayMs);
  }

  return {
    start: (delayMs = 0) => schedule(delayMs),
    wake() {
      if (stopped) return;
      if (running) isWoken = true;
      else if (performance.now() + restLeftMs() < dueAt) schedule(restLeftMs());
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
