// The discoveries that this process carries out. Each belongs to one process at a time; one that ends without a word
// leaves its discoveries to the others, which go on where it stood.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext } from '@signetry/connector-sdk';
import { planOf } from '../attributes/scan-attributes.ts';
import { FAILURE_TEXTS } from '../scan/outcome.ts';
import { Politeness } from '../scan/politeness.ts';
import { runScan } from '../scan/run-scan.ts';
import type { ScanOptions } from '../scan/scan-target.ts';
import type { DiscoveryRow, DiscoveryStore, Outcomes } from './discovery-store.ts';
import { findingOf, type Outcome } from './finding.ts';
import { ResultWindow } from './result-window.ts';

/** Others wait: each has connections of its own. */
const MAX_RUNS = 4;
const LOOK_MS = 5_000;
/** How often results are stored. */
const STORE_MS = 500;
/** A discovery that cannot be stored for so long is left to whoever can. */
const MAX_STORE_ATTEMPTS = 20;

export interface RunParts {
  readonly context: Pick<ConnectorContext, 'log' | 'egress'>;
  readonly store: DiscoveryStore;
}

export class DiscoveryRuns {
  private readonly parts: RunParts;
  private readonly owner = randomUUID();
  private readonly running = new Map<string, { readonly stopping: AbortController; readonly ended: Promise<void> }>();
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;
  private looking: Promise<void> = Promise.resolve();

  constructor(parts: RunParts) {
    this.parts = parts;
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.timer.unref();
    this.look();
  }

  /** Takes up discoveries that nobody works on. Does not wait for them. */
  look(): void {
    this.looking = this.looking.then(() => this.takeUp());
  }

  /** Ends the work on a discovery that was deleted. */
  abandon(uuid: string): void {
    this.running.get(uuid)?.stopping.abort(new RunEnded());
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
        const row = await store.claim(this.owner);
        if (!row) break;
        this.begin(row);
      }
      if (!this.isStopped) await store.removeForgotten();
    } catch (error) {
      context.log.warn({ err: error }, 'Discoveries cannot be looked for');
    }
  }

  private begin(row: DiscoveryRow): void {
    const stopping = new AbortController();
    const ended = this.carryOut(row, stopping.signal).finally(() => {
      this.running.delete(row.uuid);
      if (!this.isStopped) this.look();
    });
    this.running.set(row.uuid, { stopping, ended });
  }

  private async carryOut(row: DiscoveryRow, stop: AbortSignal): Promise<void> {
    const { owner, parts } = this;
    const { store, context } = parts;
    try {
      const outcomes = await scanAndStore(parts, { row, owner, stop });
      await store.finish(row.uuid, owner, conclusionOf(outcomes));
    } catch (error) {
      // What failed is tried again when the lease is over, and not at once.
      if (error instanceof RunEnded) await store.release(row.uuid, owner).catch(() => undefined);
      else context.log.error({ err: error, discovery: row.uuid }, 'A discovery stopped');
    }
  }
}

/** Somebody ended the run: it was deleted, another process has it, or this one stops. */
class RunEnded extends Error {}

interface Run {
  readonly row: DiscoveryRow;
  readonly owner: string;
  readonly stop: AbortSignal;
}

async function scanAndStore(parts: RunParts, run: Run): Promise<Outcomes> {
  const { row, stop } = run;
  const window = new ResultWindow(row.next_target);
  const storing = new Storing(parts.store, run, window);
  const done = new AbortController();
  const signal = AbortSignal.any([stop, storing.failed]);
  const stored = storing.until(done.signal);
  try {
    await runScan({
      plan: planOf(row.wish),
      from: row.next_target,
      parallel: row.wish.parallel,
      options: optionsOf(parts, row, signal),
      room: (number) => window.room(number),
      onResult: (number, result) => window.add(number, findingOf(result)),
    });
  } finally {
    done.abort();
    await stored;
  }
  return storing.outcomes;
}

function optionsOf({ context: { egress } }: RunParts, { wish }: DiscoveryRow, signal: AbortSignal): ScanOptions {
  return {
    timeoutMs: wish.timeoutSeconds * 1000,
    politeness: new Politeness(wish),
    signal,
    assertAddress: (host, target) => {
      if (!egress) throw new Error('The host of this connector lets it reach no address.');
      egress.assertAddress(host, target);
    },
  };
}

/** Stores what is ready, from time to time and at the end. */
class Storing {
  readonly outcomes: Outcomes;
  private readonly store: DiscoveryStore;
  private readonly run: Run;
  private readonly window: ResultWindow;
  private readonly failing = new AbortController();

  constructor(store: DiscoveryStore, run: Run, window: ResultWindow) {
    this.store = store;
    this.run = run;
    this.window = window;
    this.outcomes = { ...run.row.outcomes };
  }

  /** Aborted when nothing can be stored any more. */
  get failed(): AbortSignal {
    return this.failing.signal;
  }

  /** Never throws; `failed` says so. */
  async until(done: AbortSignal): Promise<void> {
    try {
      while (!done.aborted && !this.run.stop.aborted) {
        await delay(STORE_MS, undefined, { signal: done }).catch(() => undefined);
        await this.storeReady();
      }
    } catch (error) {
      this.failing.abort(error);
    }
  }

  private async storeReady(): Promise<void> {
    for (;;) {
      const { findings, next } = this.window.take();
      for (const { outcome } of findings) this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
      const certificates = findings.flatMap((finding) => finding.certificates);
      // Without findings too: that says that this process still works on it.
      await this.advance({ nextTarget: next, outcomes: this.outcomes, certificates });
      if (findings.length === 0) return;
    }
  }

  private async advance(progress: Parameters<DiscoveryStore['advance']>[2]): Promise<void> {
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

function conclusionOf(outcomes: Outcomes): {
  readonly status: 'completed' | 'warning';
  readonly reason: string | null;
} {
  return { status: (outcomes.notAllowed ?? 0) > 0 ? 'warning' : 'completed', reason: reasonOf(outcomes) };
}

/** Why targets served nothing, the most frequent first; nothing where all served. */
function reasonOf(outcomes: Outcomes): string | null {
  const failures = Object.entries(outcomes)
    .filter(([outcome]) => outcome !== 'served')
    .toSorted(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${FAILURE_TEXTS[outcome as Exclude<Outcome, 'served'>]} (${count})`);
  return failures.length === 0 ? null : failures.join('; ');
}
