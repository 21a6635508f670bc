// Shares a few slots among many sources: each source runs one task at a time, the sources take turns, and the number of
// waiting tasks is bounded.

export interface TurnsOptions {
  /** Maximum number of tasks, from different sources, that run simultaneously. */
  readonly atOnce: number;
  /** Maximum number of waiting tasks, in total and per source. */
  readonly maxWaiting: number;
  readonly maxWaitingOfSource: number;
  /** Creates the error for a task that is rejected because too many are waiting. */
  readonly refusal: () => Error;
}

export interface Turns {
  /** Returns whether a task from the source would be accepted now. */
  hasRoom(source: string): boolean;
  /** Rejects with the task's error, or with `refusal`. */
  run<Result>(source: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTurns({ atOnce, maxWaiting, maxWaitingOfSource, refusal }: TurnsOptions): Turns {
  /** By source, in the order of their turns; no list is empty. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const running = new Set<string>();
  let waitingInAll = 0;

  function next(): void {
    while (running.size < atOnce) {
      const source = waiting.keys().find((each) => !running.has(each));
      if (source === undefined) return;
      start(source);
    }
  }

  function start(source: string): void {
    const [work, ...later] = waiting.get(source) ?? [];
    waiting.delete(source);
    if (later.length > 0) waiting.set(source, later);
    if (!work) return;
    waitingInAll -= 1;
    running.add(source);
    void work().finally(() => {
      running.delete(source);
      next();
    });
  }

  function hasRoom(source: string): boolean {
    if (!running.has(source) && running.size < atOnce) return true;
    return (waiting.get(source)?.length ?? 0) < maxWaitingOfSource && waitingInAll < maxWaiting;
  }

  return {
    hasRoom,
    run: (source, work) =>
      new Promise((resolve, reject) => {
        if (!hasRoom(source)) {
          reject(refusal());
          return;
        }
        waiting.set(source, [...(waiting.get(source) ?? []), () => work().then(resolve, reject)]);
        waitingInAll += 1;
        next();
      }),
  };
}
