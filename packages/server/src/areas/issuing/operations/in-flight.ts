// Work under way in this process on operations that it has leased. A caller waits for it up to a limit and then leaves;
// the work goes on under its lease, and a graceful stop lets it finish.
import type { Leases } from './leases.ts';

export interface InFlight {
  /** Starts the work on an operation and returns its result, or undefined when it takes longer than `waitMs`. */
  within<Result>(
    limits: { readonly operationUuid: string; readonly waitMs: number },
    work: () => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Resolves when everything that was under way has ended. */
  drain(): Promise<void>;
}

export function createInFlight(parts: {
  readonly leases: Pick<Leases, 'hold'>;
  readonly onError: (error: unknown) => void;
}): InFlight {
  const { leases, onError } = parts;
  const running = new Set<Promise<unknown>>();

  return {
    async within({ operationUuid, waitMs }, work) {
      const promise = leases.hold(operationUuid, work);
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
