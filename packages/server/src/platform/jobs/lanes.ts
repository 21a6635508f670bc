// Bulkheads: work for each remote party runs in its own lane with a fixed number of slots. An unresponsive party fills
// only its own lane; the others are not affected.

export interface Lanes {
  /**
   * Fills the free slots of a lane: each slot runs `next` repeatedly until it returns false. Does not wait for the work
   * to finish.
   */
  fill(lane: string, next: () => Promise<boolean>): void;
  /** Stops accepting new work; resolves when all in-flight work has finished. */
  stop(): Promise<void>;
  /** Resolves when the slots currently in use are free. */
  idle(): Promise<void>;
}

export function createLanes(options: {
  readonly slots: number;
  readonly onError: (error: unknown, lane: string) => void;
}): Lanes {
  const { slots, onError } = options;
  const filled = new Map<string, Set<Promise<void>>>();
  const stopping = new AbortController();

  async function occupy(lane: string, next: () => Promise<boolean>): Promise<void> {
    try {
      while (!stopping.signal.aborted && (await next()));
    } catch (error) {
      onError(error, lane);
    }
  }

  function fill(lane: string, next: () => Promise<boolean>): void {
    const running = filled.get(lane) ?? new Set();
    filled.set(lane, running);
    while (!stopping.signal.aborted && running.size < slots) {
      const slot = occupy(lane, next).finally(() => {
        running.delete(slot);
        if (running.size === 0 && filled.get(lane) === running) filled.delete(lane);
      });
      running.add(slot);
    }
  }

  const idle = async (): Promise<void> => {
    await Promise.all([...filled.values()].flatMap((running) => [...running]));
  };

  return {
    fill,
    idle,
    stop: () => {
      stopping.abort();
      return idle();
    },
  };
}
