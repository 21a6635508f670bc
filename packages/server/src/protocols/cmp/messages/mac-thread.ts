// The thread of mac-derivations.ts.
import { setPriority } from 'node:os';
import { blockingDerivations } from '@signetry/pki/node';
import { answerTasks } from '../../../platform/threads/worker-pool.ts';
import { isCostly, type MacTask } from './mac-task.ts';

/** Below the event loop and the database, which share the processors with it. */
const LOW_PRIORITY = 10;

answerTasks((task: MacTask) => {
  if (isCostly(task)) yieldToOthers();
  if (task.kind === 'pbkdf2') return blockingDerivations.pbkdf2(task.digest, task.input);
  return blockingDerivations.repeatDigest(task.digest, task.input);
});

/** Linux has a priority for each thread; elsewhere this would slow down the whole process. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // A sandbox that forbids it costs nothing but the advantage.
  }
}
