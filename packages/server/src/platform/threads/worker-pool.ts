// Worker threads for work that would block the event loop for too long. There are only a few; they are started on
// demand and terminated when idle. A separate file handles the tasks (`serveTasks`); tasks and answers must be
// cloneable.
import { availableParallelism } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
import { AppError, isAppError, type ErrorCode, type ErrorParameters } from '../../kernel/errors.ts';

export interface WorkerPoolOptions {
  /** The file that calls `serveTasks`. */
  readonly file: URL;
  /** Description of the work, for the error when too many tasks are waiting: "large bodies". */
  readonly what: string;
  readonly maxWorkers?: number;
  /** Maximum number of waiting tasks; further tasks are rejected immediately. */
  readonly maxWaiting?: number;
  /** A worker that exceeds this time for a task is terminated. */
  readonly timeoutMs?: number;
  /** A worker without tasks is terminated after this time. */
  readonly idleMs?: number;
}

export interface WorkerPool<Task, Answer> {
  /** Rejects with the task's error, or with `unavailable` if too many tasks are waiting or a worker fails. */
  run(task: Task): Promise<Answer>;
  /** Terminates the workers; running tasks are rejected. */
  stop(): Promise<void>;
}

/** Half of the processors are reserved for the event loop and the database. */
const DEFAULT_WORKERS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
const MAX_HEAP_MB = 256;

interface Pending<Task, Answer> {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: AppError) => void;
}

interface Thread<Task, Answer> {
  readonly worker: Worker;
  current: Pending<Task, Answer> | undefined;
  timer: NodeJS.Timeout | undefined;
}

type Reply<Answer> = { readonly answer: Answer } | { readonly refusal: Rejection };
type Rejection = { readonly code: ErrorCode; readonly parameters: ErrorParameters<ErrorCode> };

const unavailable = (reason: string): AppError => new AppError('unavailable', { reason });

/** Creates a worker. It does not inherit the main thread's arguments, and needs nothing from its environment. */
const newWorker = (file: WorkerPoolOptions['file']): Worker =>
  new Worker(file, { argv: [], resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });

export function createWorkerPool<Task, Answer>(options: WorkerPoolOptions): WorkerPool<Task, Answer> {
  const { file, what, maxWorkers = DEFAULT_WORKERS, maxWaiting = 64, timeoutMs = 30_000, idleMs = 30_000 } = options;
  const threads = new Set<Thread<Task, Answer>>();
  const waiting: Pending<Task, Answer>[] = [];

  function start(): Thread<Task, Answer> {
    const worker = newWorker(file);
    const thread: Thread<Task, Answer> = { worker, current: undefined, timer: undefined };
    worker.on('message', (reply: Reply<Answer>) => settle(thread, reply));
    worker.on('error', () => discardThread(thread, 'the task failed or used too much memory'));
    worker.on('exit', () => discardThread(thread, 'the task was stopped'));
    threads.add(thread);
    return thread;
  }

  function assignTask(thread: Thread<Task, Answer>, pending: Pending<Task, Answer>): void {
    clearTimeout(thread.timer);
    thread.current = pending;
    thread.timer = setTimeout(() => discardThread(thread, 'the task took too long'), timeoutMs);
    thread.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins, only windows do
    thread.worker.postMessage(pending.task);
  }

  function settle(thread: Thread<Task, Answer>, reply: Reply<Answer>): void {
    const { current } = thread;
    clearTimeout(thread.timer);
    thread.current = undefined;
    if (current && 'answer' in reply) current.resolve(reply.answer);
    else if (current && 'refusal' in reply) current.reject(new AppError(reply.refusal.code, reply.refusal.parameters));
    const next = waiting.shift();
    if (next) assignTask(thread, next);
    else startIdling(thread);
  }

  /** Lets an idle worker time out, without keeping the process alive until then. */
  function startIdling(thread: Thread<Task, Answer>): void {
    thread.worker.unref();
    thread.timer = setTimeout(() => discardThread(thread, 'the task was stopped'), idleMs);
    thread.timer.unref();
  }

  function discardThread(thread: Thread<Task, Answer>, reason: string): void {
    clearTimeout(thread.timer);
    if (!threads.delete(thread)) return;
    thread.current?.reject(unavailable(reason));
    thread.current = undefined;
    void thread.worker.terminate();
    const next = waiting.shift();
    if (next) assignTask(start(), next);
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        const pending = { task, resolve, reject };
        const idle = [...threads].find(({ current }) => current === undefined);
        if (idle) assignTask(idle, pending);
        else if (threads.size < maxWorkers) assignTask(start(), pending);
        else if (waiting.length < maxWaiting) waiting.push(pending);
        else reject(unavailable(`too many ${what} at the same time; try again`));
      }),
    async stop() {
      const ended = [...threads];
      for (const pending of waiting.splice(0)) pending.reject(unavailable('it is stopping'));
      for (const thread of ended) discardThread(thread, 'it is stopping');
      await Promise.all(ended.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Called in a pool's file: processes its tasks one at a time. Catalog errors reach the caller unchanged. */
export function serveTasks<Task, Answer>(answer: (task: Task) => Answer): void {
  const port = parentPort;
  if (!port) throw new Error('serveTasks must be called in a worker thread.');
  port.on('message', (task: Task) => port.postMessage(replyTo(() => answer(task))));
}

function replyTo<Answer>(answer: () => Answer): Reply<Answer> {
  try {
    return { answer: answer() };
  } catch (error) {
    if (isAppError(error)) return { refusal: { code: error.code, parameters: error.parameters } };
    throw error;
  }
}
