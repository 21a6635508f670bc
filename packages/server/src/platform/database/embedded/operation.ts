// The handle of a running database: detects when the database ends, and restarts and stops it, one step at a time. The
// caller decides whether and when to restart it after an unexpected exit, and what to report to clients in the
// meantime.

import { bringUp } from './bring-up.ts';
import type { RunningServer, ServerSite } from './bring-up.ts';
import { MAINTENANCE_DATABASE, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { ServerEnd } from './process.ts';
import { PORT } from './settings.ts';
import { endServers } from './survivors.ts';

/** The server exited unexpectedly; `lastLines` are the last lines of its log. */
export interface UnexpectedEnd extends ServerEnd {
  readonly lastLines: readonly string[];
}

export interface EmbeddedPostgres {
  /**
   * `host` for pg, valid only in this process (other processes: `openSocketDirectory`). Remains valid after `restart`.
   */
  readonly socketDirectory: string;
  /** Real path of the socket directory, for other processes. */
  readonly runDirectory: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Name of a database that always exists. */
  readonly database: string;
  /** Server version, such as `18.4`. */
  readonly version: string;
  /** Real path of the cluster. */
  readonly dataDirectory: string;
  readonly how: 'created' | 'started' | 'adopted' | 'restarted';
  /** Calls the listener when the server exits unexpectedly; returns a function that removes the listener. */
  onExit(listener: (end: UnexpectedEnd) => void): () => void;
  /**
   * Restarts the server, even after an unexpected exit. Rejects with a typed error while the cause persists; can be
   * called repeatedly.
   */
  restart(signal?: AbortSignal): Promise<void>;
  /** Stops the server cleanly and releases all resources, the lock last. Close the clients first. */
  stop(): Promise<void>;
}

export interface Operation {
  readonly running: RunningServer;
  readonly how: EmbeddedPostgres['how'];
  readonly resources: DisposableStack;
}

/**
 * Returns a running server's handle, which detects when the server ends, and restarts and stops it, one step at a time.
 */
export function operate(site: ServerSite, { running, how, resources }: Operation): EmbeddedPostgres {
  const listeners = new Set<(end: UnexpectedEnd) => void>();
  let current: RunningServer | undefined;
  let currentHow = how;
  let stopping: Promise<void> | undefined;
  const inTurn = createTurns();

  const watch = (next: RunningServer): void => {
    current = next;
    void next.server.ended.then((end) => {
      if (current !== next) return;
      current = undefined;
      site.serverLog.catchUp();
      const lastLines = [...site.serverLog.recentLines()];
      site.log('error', 'the database server exited unexpectedly', { pid: next.server.pid, ...end });
      for (const listener of listeners) listener({ ...end, lastLines });
    });
  };
  const end = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    site.serverLog.expectDisconnects(true);
    const clean = await endServers(site.cluster);
    if (!clean)
      site.log('warn', 'the database server had to be stopped forcibly; its next start replays recent changes');
    await ending?.server.finish();
    site.serverLog.catchUp();
  };
  const atExit = (): void => interrupt(current);

  process.on('exit', atExit);
  watch(running);
  return {
    socketDirectory: site.run.path,
    runDirectory: site.run.realPath,
    port: PORT,
    user: SUPERUSER,
    password: site.password,
    database: MAINTENANCE_DATABASE,
    version: site.binaries.version,
    dataDirectory: site.cluster.realPath,
    get how() {
      return currentHow;
    },
    onExit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    restart: (signal) =>
      inTurn(async () => {
        if (stopping !== undefined) throw stoppedError(site);
        await end();
        watch(await bringUp(site, { passwordIsNew: false, signal }));
        currentHow = 'restarted';
      }),
    stop: () =>
      (stopping ??= inTurn(async () => {
        try {
          await end();
        } finally {
          process.off('exit', atExit);
          resources.dispose();
        }
      })),
  };
}

/**
 * Interrupts the server if the process exits without `stop`, because it must not keep running. The server completes its
 * shutdown on its own.
 */
function interrupt(running: RunningServer | undefined): void {
  try {
    if (running !== undefined && !running.server.hasEnded()) process.kill(running.server.pid, 'SIGINT');
  } catch {
    // The process has just ended.
  }
}

/** Returns a function that runs steps sequentially, even if earlier ones failed. */
function createTurns(): (step: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (step) => {
    const turn = last.then(step);
    last = turn.catch(() => {});
    return turn;
  };
}

function stoppedError({ folders }: ServerSite): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start-failed',
    `The database in ${folders.cluster} was stopped; start it with a new launcher.`,
    { directory: folders.cluster },
  );
}
