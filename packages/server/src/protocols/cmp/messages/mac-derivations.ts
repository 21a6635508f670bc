// Derives MAC keys off the event loop. Any client that can reach a profile's URL chooses the iteration count before it
// is authenticated. Therefore only one derivation per address runs at a time, and only a few run overall. They run in
// dedicated threads, because the Node thread pool serves files and DNS. Costly derivations do not delay ordinary ones.
import type { PasswordMacFunctions } from '@signetry/pki';
import { nodeMacFunctions } from '@signetry/pki/node';
import { AppError } from '../../../kernel/errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import { createTurns } from '../../../platform/threads/turns.ts';
import { createWorkerPool } from '../../../platform/threads/worker-pool.ts';
import { isCheap, isCostly, type MacTask } from './mac-task.ts';

export interface MacDerivations {
  /**
   * Returns the functions for messages from an address. They reject with `unavailable` if too many derivations are
   * waiting.
   */
  from(address: string | null | undefined): PasswordMacFunctions;
  stop(): Promise<void>;
}

const MAX_WAITING = 256;
/**
 * Maximum number of waiting derivations per address. A registration authority's batch is served eight messages at a
 * time.
 */
const MAX_WAITING_OF_ADDRESS = 16;

export function createMacDerivations(): MacDerivations {
  const [usual, costly] = [createLane(), createLane()];

  const derive = (address: string, task: MacTask): Promise<Uint8Array> =>
    (isCostly(task) ? costly : usual).run(address, task);

  return {
    from(given) {
      const address = networkOf(given ?? '');
      return {
        hmac: nodeMacFunctions.hmac,
        repeatDigest: (digest, input) => {
          const task = { kind: 'repeatDigest', digest, input } as const;
          return isCheap(task) ? nodeMacFunctions.repeatDigest(digest, input) : derive(address, task);
        },
        pbkdf2: (digest, input) => {
          const task = { kind: 'pbkdf2', digest, input } as const;
          return isCheap(task) ? nodeMacFunctions.pbkdf2(digest, input) : derive(address, task);
        },
      };
    },
    stop: async () => {
      await Promise.all([usual.stop(), costly.stop()]);
    },
  };
}

/** Creates a lane with one thread, which is started on demand. */
function createLane() {
  const thread = createWorkerPool<MacTask, Uint8Array>({
    file: new URL('./mac-thread.ts', import.meta.url),
    what: 'messages with expensive MACs',
    maxWorkers: 1,
  });
  const turns = createTurns({
    atOnce: 1,
    maxWaiting: MAX_WAITING,
    maxWaitingOfSource: MAX_WAITING_OF_ADDRESS,
    refusal: () =>
      new AppError('unavailable', {
        reason: 'too many concurrent messages with a high MAC iteration count; try again, or use fewer iterations',
      }),
  });
  return {
    run: (address: string, task: MacTask) => turns.run(address, () => thread.run(task)),
    stop: () => thread.stop(),
  };
}
