// Periodic work in this process: one run at a time, with a pause between runs.
import { runAsWork } from '../database/query-limits.ts';
import type { Logger } from '../logging/logger.ts';

export interface RoundsOptions {
  readonly log: Logger;
  /** For the log, e.g. "reconciliation". */
  readonly what: string;
  readonly periodMs: number;
  /**
   * Minimum pause between a run and the next requested one, so that work arriving during the pause is done together.
   * After a long run the pause is longer, up to 1 s, so that runs use a small share of the process, however busy it is.
   */
  readonly restMs?: number;
  /** Performs one run; returns true to request another one without a pause. */
  readonly run: () => Promise<boolean>;
}

export interface Rounds {
  /** Starts the first run after `delayMs`, by default immediately. */
  start(delayMs?: number): void;
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

export interface WakeableRounds extends Rounds {
  /** Requests a run now; if one is in progress, another one follows after the minimum pause. */
  wake(): void;
}

/** Pause after a run, as a multiple of the run's duration. */
const REST_PER_ROUND = 20;
const LONGEST_REST_MS = 1_000;

export function createRounds({ log, what, periodMs, restMs = 0, run }: RoundsOptions): WakeableRounds {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let stopped = false;
  let restUntil = -Infinity;
  let dueAt = Infinity;

  /** Returns true if there is more to do. */
  async function round(): Promise<boolean> {
    isWoken = false;
    const beganAt = performance.now();
    try {
      return await runAsWork('job', run);
    } catch (error) {
      log.error({ error }, `${what} failed; retrying`);
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
