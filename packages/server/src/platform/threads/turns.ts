// Shares few places for work between many sources: one piece of work per source at a time, the sources take turns, and
// a bounded number of pieces waits.

export interface TurnsOptions {
  /** Pieces of work of different sources at the same time. */
  readonly atOnce: number;
  /** Pieces that may wait, of all sources and of one. */
  readonly maxWaiting: number;
  readonly maxWaitingOfSource: number;
  /** What a piece of work is refused with where too many wait. */
  readonly refusal: () => Error;
}

export interface Turns {
  /** Whether work of the source would be taken now. */
  hasRoom(source: string): boolean;
  /** Rejects as the work does, or with the refusal. */
  run<Result>(source: string, work: () => Promise<Result>): Promise<Result>;
}

export function createTurns({ atOnce, maxWaiting, maxWaitingOfSource, refusal }: TurnsOptions): Turns {
  /** In the order of their turns; never empty. */
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
