// Calls to a PKCS #11 library, which runs in its own process. The first call starts the process; after it has ended,
// the next call starts it again. A call that exceeds its time limit ends the process, because native code cannot be
// interrupted in any other way.
import { fork, type ChildProcess } from 'node:child_process';
import { ModuleError } from './module-error.ts';
import {
  REPEATABLE,
  type ResponseOf,
  type ModuleMessage,
  type ModuleOperation,
  type RequestMessage,
  type RequestOf,
} from './protocol.ts';

export interface ModuleClient {
  /** Rejects only with `ModuleError`. */
  call<Op extends ModuleOperation>(operation: Op, request: RequestOf<Op>): Promise<ResponseOf<Op>>;
  /** Number of processes so far, so that information from one process is not used for the next. */
  readonly generation: number;
  /** PID of the running process, or undefined if no process is running. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

export interface ModuleClientOptions {
  readonly path: string;
  readonly limits?: Partial<ModuleLimits>;
  /** The process's environment variables. Platform settings are omitted because they can contain secrets. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface ModuleLimits {
  readonly startMs: number;
  readonly callMs: number;
  /** Time limit for generating a key or listing a token's objects. */
  readonly longCallMs: number;
  /** Time after a failed start during which the start is not retried. */
  readonly retryMs: number;
  /** Maximum number of concurrent calls in the process; each has its own session. */
  readonly concurrency: number;
  readonly queued: number;
}

const LIMITS: ModuleLimits = {
  startMs: 30_000,
  callMs: 30_000,
  longCallMs: 170_000,
  retryMs: 2_000,
  concurrency: 8,
  queued: 5_000,
};

/**
 * Operations that run one at a time. Libraries that store objects in files return CKR_GENERAL_ERROR if two objects are
 * written simultaneously, and no library generates keys fast enough for this to matter.
 */
const WRITES: ReadonlySet<ModuleOperation> = new Set<ModuleOperation>([
  'generatePair', 'generateSecret', 'identify', 'destroy',
]); // prettier-ignore

const LONG: ReadonlySet<ModuleOperation> = new Set<ModuleOperation>(['generatePair', 'generateSecret', 'list']);

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: ModuleError) => void;
  readonly timer: NodeJS.Timeout;
}

interface Running {
  readonly child: ChildProcess;
  readonly pending: Map<number, Pending>;
  /**
   * Requests from this turn of the event loop. They are sent in a single message, because each message wakes the
   * process.
   */
  outbox: RequestMessage[];
}

export function createModuleClient(options: ModuleClientOptions): ModuleClient {
  const limits = { ...LIMITS, ...options.limits };
  const slots = createSlots(limits);
  const writingSlots = createSlots({ ...limits, concurrency: 1 });
  let current: Promise<Running> | undefined;
  let running: Running | undefined;
  let failed: { readonly error: ModuleError; readonly atMs: number } | undefined;
  let generation = 0;
  let isStopped = false;

  function ensure(): Promise<Running> {
    if (isStopped) return Promise.reject(new ModuleError('stopped', 'The connector is stopping.'));
    if (failed && performance.now() - failed.atMs < limits.retryMs) return Promise.reject(failed.error);
    current ??= startProcess(options, limits, () => {
      current = undefined;
      running = undefined;
    }).then(
      (started) => {
        failed = undefined;
        generation += 1;
        running = started;
        return started;
      },
      (error: ModuleError) => {
        current = undefined;
        failed = { error, atMs: performance.now() };
        throw error;
      },
    );
    return current;
  }

  async function attempt<Op extends ModuleOperation>(operation: Op, request: RequestOf<Op>): Promise<ResponseOf<Op>> {
    const target = await ensure();
    const limitMs = LONG.has(operation) ? limits.longCallMs : limits.callMs;
    // The process returns the type declared for the operation.
    return exchange(target, { operation, request, limitMs }) as Promise<ResponseOf<Op>>;
  }

  async function enqueue<Op extends ModuleOperation>(operation: Op, request: RequestOf<Op>): Promise<ResponseOf<Op>> {
    const release = await slots.take();
    try {
      return await attempt(operation, request);
    } catch (error) {
      if (!(error instanceof ModuleError) || error.reason !== 'ended' || !REPEATABLE.has(operation)) throw error;
      return await attempt(operation, request);
    } finally {
      release();
    }
  }

  return {
    async call(operation, request) {
      const stopWriting = WRITES.has(operation) ? await writingSlots.take() : undefined;
      try {
        return await enqueue(operation, request);
      } finally {
        stopWriting?.();
      }
    },
    get generation() {
      return generation;
    },
    get pid() {
      return running?.child.pid;
    },
    async stop() {
      isStopped = true;
      const last = await current?.catch(() => undefined);
      if (last) await endProcess(last.child);
    },
  };
}

let lastId = 0;

function exchange(
  running: Running,
  { operation, request, limitMs }: Omit<RequestMessage, 'id'> & { readonly limitMs: number },
): Promise<unknown> {
  lastId += 1;
  const id = lastId;
  const { child, pending, outbox } = running;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      pending.delete(id);
      const seconds = Math.round(limitMs / 1000);
      reject(
        new ModuleError('timeout', `The library did not respond within ${seconds} s; its process was terminated.`),
      );
      child.kill('SIGKILL');
    }, limitMs);
    pending.set(id, { resolve, reject, timer });
    outbox.push({ id, operation, request });
    if (outbox.length === 1) setImmediate(() => sendOutbox(running));
  });
}

function sendOutbox(running: Running): void {
  const { child, pending, outbox } = running;
  running.outbox = [];
  child.send(outbox, (error) => {
    if (!error) return;
    // The exit of the process settles its calls, so that the next attempt uses a new process.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    else
      for (const { id } of outbox) settle(pending, id)?.reject(new ModuleError('ended', 'The library process ended.'));
  });
}

function settle(pending: Map<number, Pending>, id: number): Pending | undefined {
  const found = pending.get(id);
  if (found) clearTimeout(found.timer);
  pending.delete(id);
  return found;
}

/** Resolves once the library is loaded. */
function startProcess(
  { path, environment = ownEnvironment() }: ModuleClientOptions,
  { startMs }: ModuleLimits,
  onEnd: () => void,
): Promise<Running> {
  const child = fork(new URL('module-process.ts', import.meta.url), [path], {
    serialization: 'advanced',
    execArgv: [],
    env: environment,
    // The output is discarded because libraries may print their input.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const pending = new Map<number, Pending>();
  const started = Promise.withResolvers<Running>();
  const fail = (reason: ConstructorParameters<typeof ModuleError>[0], message: string): void => {
    started.reject(new ModuleError(reason, message));
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => fail('library', `The library did not start within ${startMs / 1000} s.`), startMs);
  child.on('message', (message) => {
    const said = message as ModuleMessage; // Only our own code sends messages.
    if (!('state' in said)) {
      for (const answer of said) {
        const waiting = settle(pending, answer.id);
        if ('failure' in answer) waiting?.reject(ModuleError.of(answer.failure));
        else waiting?.resolve(answer.answer);
      }
      return;
    }
    clearTimeout(timer);
    if (said.state === 'ready') started.resolve({ child, pending, outbox: [] });
    else fail(said.part, said.message);
  });
  let isEnded = false;
  const end = (how: string): void => {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    onEnd();
    started.reject(new ModuleError('library', `The library process ended during startup${how}.`));
    for (const id of pending.keys())
      settle(pending, id)?.reject(new ModuleError('ended', `The library process ended${how}.`));
  };
  child.on('error', () => end(''));
  child.on('exit', (code, signal) => end(signal ? ` (${signal})` : ` (exit code ${code})`));
  return started.promise;
}

const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNETRY_')));

/** Time limit for a library to close its sessions. */
const END_MS = 2_000;

function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
    else child.kill('SIGKILL');
  });
}

/** Limits the number of concurrent calls; further calls wait in order, up to a limit. */
function createSlots({ concurrency, queued }: Pick<ModuleLimits, 'concurrency' | 'queued'>) {
  let free = concurrency;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async take(): Promise<() => void> {
      if (free > 0) free -= 1;
      else if (waiting.length >= queued)
        throw new ModuleError('busy', `The library is busy: ${queued} calls are waiting already. Try again later.`);
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}
