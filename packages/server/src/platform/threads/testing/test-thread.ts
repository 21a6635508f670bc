// For tests of the pool only: a thread that answers, refuses, fails or takes its time, as the task says. Asked
// for `thread`, it says which it is.
import { threadId } from 'node:worker_threads';
import { rejected } from '../../../kernel/errors.ts';
import { answerTasks } from '../worker-pool.ts';

answerTasks((task: { sleepMs?: number; refuse?: string; fail?: true; echo?: string }): string => {
  if (task.refuse !== undefined) throw rejected(task.refuse);
  if (task.fail) throw new Error('The thread fails.');
  if (task.sleepMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task.sleepMs);
  return task.echo === 'thread' ? String(threadId) : (task.echo ?? '');
});
