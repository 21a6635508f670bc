// Worker thread of mac-derivations.ts.
import { setPriority } from 'node:os';
import { blockingDerivations } from '@signetry/pki/node';
import { serveTasks } from '../../../platform/threads/worker-pool.ts';
import { isCostly, type MacTask } from './mac-task.ts';

/** Lower than the event loop and the database, which share the processors with this thread. */
const LOW_PRIORITY = 10;

serveTasks((task: MacTask) => {
  if (isCostly(task)) yieldToOthers();
  if (task.kind === 'pbkdf2') return blockingDerivations.pbkdf2(task.digest, task.input);
  return blockingDerivations.repeatDigest(task.digest, task.input);
});

/** Lowers the priority of this thread on Linux; elsewhere, this would slow down the whole process. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // In a sandbox that forbids it, only the benefit is lost.
  }
}
