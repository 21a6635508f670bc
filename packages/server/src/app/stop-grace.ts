// How long a stop waits for remote parties. Running work can finish in that time; then calls are aborted, so that a
// hanging connector does not delay the stop. Their operations remain in the database and resume after the next start.

export interface StopGrace {
  /** Fires when the grace period is over. */
  readonly signal: AbortSignal;
  /** Starts the grace period. Later calls have no effect. */
  begin(): void;
  /** Cancels the timer after all work has ended. */
  end(): void;
}

export function createStopGrace(graceMs: number): StopGrace {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    begin: () => {
      timer ??= setTimeout(() => controller.abort(), graceMs);
    },
    end: () => clearTimeout(timer),
  };
}
