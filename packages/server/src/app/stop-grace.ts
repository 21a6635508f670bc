// How long a stop waits for remote parties. Running work may finish in that time; then calls are aborted, so that a
// connector that hangs does not delay the stop. Their operations stay in the database and are continued after the next
// start.

export interface StopGrace {
  /** Fires when the time is over. */
  readonly signal: AbortSignal;
  /** Starts the time; only the first call counts. */
  begin(): void;
  /** Everything has ended. */
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
