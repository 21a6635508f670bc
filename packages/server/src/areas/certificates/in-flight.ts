// Work under way in this process. A caller waits for it up to a limit and then leaves; the work goes on, and a graceful
// stop lets it finish.

export interface InFlight {
  /** Starts the work and answers its result, or undefined when it takes longer than `waitMs`. */
  within<Result>(waitMs: number, work: () => Promise<Result>): Promise<Result | undefined>;
  /** Resolves when everything that was under way has ended. */
  drain(): Promise<void>;
}

export function createInFlight(onError: (error: unknown) => void): InFlight {
  const running = new Set<Promise<unknown>>();

  return {
    async within(waitMs, work) {
      const promise = work();
      running.add(promise);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, waitMs, undefined);
      });
      let left = false;
      promise.then(
        () => running.delete(promise),
        (error: unknown) => {
          running.delete(promise);
          if (left) onError(error);
        },
      );
      try {
        return await Promise.race([promise, late]);
      } finally {
        clearTimeout(timer);
        left = true;
      }
    },
    async drain() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
