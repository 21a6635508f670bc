// Discoveries that this process runs. Each belongs to one process at a time; if that process dies, another one resumes
// its discoveries where they stopped.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext } from '../connector.ts';
import type { DiscoveryOutcome, Counts, DiscoveryKind } from './discovery-kind.ts';
import { secretsPurpose } from './discovery-migrations.ts';
import type { DiscoveryRow, DiscoveryStore, Progress } from './discovery-store.ts';
import { ResultWindow } from './result-window.ts';

/** Maximum number of concurrent discoveries. Further ones wait, because each opens its own connections. */
const MAX_RUNS = 4;
const LOOK_MS = 5_000;
/** Interval at which results are stored. */
const STORE_MS = 500;
/** After this many failed attempts, a discovery is left to a process that can store it. */
const MAX_STORE_ATTEMPTS = 20;
/** Maximum number of stored problems per discovery; the counts include all of them. */
const MAX_PROBLEMS = 100;

export interface RunParts<Wish, Checkpoint, Sighting> {
  readonly context: Pick<ConnectorContext, 'log' | 'open'>;
  readonly kind: DiscoveryKind<Wish, Checkpoint, Sighting>;
  readonly store: DiscoveryStore<Wish, Checkpoint, Sighting>;
}

export class DiscoveryRuns<Wish, Checkpoint, Sighting> {
  private readonly parts: RunParts<Wish, Checkpoint, Sighting>;
  /**
   * Keyed by an owner that is unique for each run: a process that stalled may claim a discovery that it is still
   * running, and only the later run may write.
   */
  private readonly running = new Map<string, ActiveRun>();
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(parts: RunParts<Wish, Checkpoint, Sighting>) {
    this.parts = parts;
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.timer.unref();
    this.look();
  }

  /** Claims discoveries that no process is working on. Does not wait for them to finish. */
  look(): void {
    this.looking = this.looking.then(() => this.takeUp());
  }

  /** Stops working on a deleted discovery. */
  abandon(uuid: string): void {
    for (const run of this.running.values()) if (run.uuid === uuid) run.stopping.abort(new RunEnded());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.looking;
    for (const { stopping } of this.running.values()) stopping.abort(new RunEnded());
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async takeUp(): Promise<void> {
    const { store, context } = this.parts;
    try {
      while (!this.isStopped && this.running.size < MAX_RUNS) {
        const owner = randomUUID();
        const row = await store.claim(owner);
        if (!row) break;
        this.begin(row, owner);
      }
      if (!this.isStopped) await store.removeForgotten();
    } catch (error) {
      context.log.warn({ err: error }, 'Cannot search for pending discoveries');
    }
  }

  private begin(row: DiscoveryRow<Wish, Checkpoint>, owner: string): void {
    const stopping = new AbortController();
    const ended = this.carryOut({ row, owner, stop: stopping.signal }).finally(() => {
      this.running.delete(owner);
      if (!this.isStopped) this.look();
    });
    this.running.set(owner, { uuid: row.uuid, stopping, ended });
  }

  private async carryOut(run: Run<Wish, Checkpoint>): Promise<void> {
    const { store, context } = this.parts;
    const { row, owner } = run;
    try {
      await store.finish(row.uuid, owner, await runAndStore(this.parts, run));
    } catch (error) {
      // After a failure, the discovery is retried when the lease expires, not immediately.
      if (error instanceof RunEnded) await store.release(row.uuid, owner).catch(() => undefined);
      else context.log.error({ err: error, discovery: row.uuid }, 'Discovery stopped');
    }
  }
}

interface ActiveRun {
  readonly uuid: string;
  readonly stopping: AbortController;
  readonly ended: Promise<void>;
}

/** The run was ended from outside: the discovery was deleted, another process owns it, or this process is stopping. */
class RunEnded extends Error {}

interface Run<Wish, Checkpoint> {
  readonly row: DiscoveryRow<Wish, Checkpoint>;
  readonly owner: string;
  readonly stop: AbortSignal;
}

async function runAndStore<Wish, Checkpoint, Sighting>(
  { context, kind, store }: RunParts<Wish, Checkpoint, Sighting>,
  run: Run<Wish, Checkpoint>,
): Promise<DiscoveryOutcome> {
  const { uuid, wish, checkpoint, sealed_secrets: sealed } = run.row;
  const window = new ResultWindow<Checkpoint, Sighting>();
  const storing = new StepWriter(store, run, window);
  const done = new AbortController();
  const stored = storing.until(done.signal);
  let conclusion: DiscoveryOutcome;
  try {
    conclusion = await kind.run({
      uuid,
      wish,
      checkpoint,
      secrets: sealed ? context.open(sealed, secretsPurpose(uuid)) : undefined,
      signal: AbortSignal.any([run.stop, storing.failed]),
      room: (number) => window.room(number),
      done: (number, step) => window.add(number, step),
      stored: () => storing.now(),
      problems: () => storing.problemsSoFar,
      async cut() {
        await storing.now();
        return window.cut();
      },
    });
  } finally {
    done.abort();
    await stored;
  }
  storing.failed.throwIfAborted();
  // Stores steps that finished during the last write.
  await storing.now();
  return conclusion;
}

/** Stores finished steps, periodically and at the end. */
class StepWriter<Wish, Checkpoint, Sighting> {
  private readonly store: DiscoveryStore<Wish, Checkpoint, Sighting>;
  private readonly run: Run<Wish, Checkpoint>;
  private readonly window: ResultWindow<Checkpoint, Sighting>;
  private readonly failing = new AbortController();
  private readonly counts: Record<string, number>;
  private readonly problems: string[];
  private storing: Promise<void> = Promise.resolve();

  constructor(
    store: DiscoveryStore<Wish, Checkpoint, Sighting>,
    run: Run<Wish, Checkpoint>,
    window: ResultWindow<Checkpoint, Sighting>,
  ) {
    this.store = store;
    this.run = run;
    this.window = window;
    this.counts = { ...run.row.counts };
    this.problems = [...run.row.problems];
  }

  get problemsSoFar(): readonly string[] {
    return [...this.problems];
  }

  /** Aborted when results can no longer be stored. */
  get failed(): AbortSignal {
    return this.failing.signal;
  }

  /** Never rejects; aborts `failed` instead. */
  async until(done: AbortSignal): Promise<void> {
    try {
      while (!done.aborted && !this.run.stop.aborted) {
        await delay(STORE_MS, undefined, { signal: done }).catch(() => undefined);
        await this.now();
      }
    } catch (error) {
      this.failing.abort(error);
    }
  }

  async now(): Promise<Counts> {
    this.storing = this.storing.then(() => this.storeReady());
    await this.storing;
    return { ...this.counts };
  }

  private async storeReady(): Promise<void> {
    for (;;) {
      const steps = this.window.take();
      for (const { counts, problems = [] } of steps) {
        for (const [name, count] of Object.entries(counts)) this.counts[name] = (this.counts[name] ?? 0) + count;
        this.problems.push(...problems.slice(0, Math.max(0, MAX_PROBLEMS - this.problems.length)));
      }
      await this.advance({ steps, counts: this.counts, problems: this.problems });
      if (steps.length === 0) return;
    }
  }

  private async advance(progress: Progress<Checkpoint, Sighting>): Promise<void> {
    const { row, owner, stop } = this.run;
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (await this.store.advance(row.uuid, owner, progress)) return;
        throw new RunEnded();
      } catch (error) {
        if (error instanceof RunEnded || attempt === MAX_STORE_ATTEMPTS || stop.aborted) throw error;
        await delay(STORE_MS);
      }
    }
  }
}
