// How long a stop waits for others. Work under way may end by itself meanwhile; then calls to foreign parties are given
// up, so that no connector that hangs holds up the stop. What they were asked for stays in the database for the next
// life.

export interface StopGrace {
  /** Fires when the time is over. */
  readonly signal: AbortSignal;
  /** The stop has come to the point from which others are waited for; only the first time counts. */
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
