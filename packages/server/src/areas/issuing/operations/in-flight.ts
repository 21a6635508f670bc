// Work in progress in this process on operations that it has leased. A caller waits up to a limit, then the work
// continues under its lease; a graceful shutdown lets it finish.
import type { Leases } from './leases.ts';

export interface InFlight {
  /** Starts work on an operation; returns its result, or undefined if it takes longer than `waitMs`. */
  within<Result>(
    limits: { readonly operationUuid: string; readonly waitMs: number },
    work: () => Promise<Result>,
  ): Promise<Result | undefined>;
  /** Resolves when all work in progress has ended. */
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
