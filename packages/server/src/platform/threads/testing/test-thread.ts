// For pool tests only: a thread that responds, rejects, fails or sleeps, depending on the task. If the task echoes
// `thread`, it returns its thread ID.
import { threadId } from 'node:worker_threads';
import { rejected } from '../../../kernel/errors.ts';
import { serveTasks } from '../worker-pool.ts';

serveTasks((task: { sleepMs?: number; refuse?: string; fail?: true; echo?: string }): string => {
  if (task.refuse !== undefined) throw rejected(task.refuse);
  if (task.fail) throw new Error('The thread fails.');
  if (task.sleepMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, task.sleepMs);
  return task.echo === 'thread' ? String(threadId) : (task.echo ?? '');
});
