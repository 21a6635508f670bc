// The handle of a running database: watches its end, restarts and stops it, one step at a time. Whether and when to
// restart after an unexpected end is decided by the caller, who also knows what to tell clients in the meantime.

import { bringUp } from './bring-up.ts';
import type { RunningServer, ServerSite } from './bring-up.ts';
import { MAINTENANCE_DATABASE, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { ServerEnd } from './process.ts';
import { PORT } from './settings.ts';
import { endServers } from './survivors.ts';

/** The server ended without being asked to; `lastLines` is what it said. */
export interface UnexpectedEnd extends ServerEnd {
  readonly lastLines: readonly string[];
}

export interface EmbeddedPostgres {
  /** The `host` for pg, in this process only (other processes: `openSocketDirectory`). Survives `restart`. */
  readonly socketDirectory: string;
  /** The real path of the folder with the socket, for other processes. */
  readonly runDirectory: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** A database that always exists. */
  readonly database: string;
  /** Of the server, such as `18.4`. */
  readonly version: string;
  /** The real path of the cluster. */
  readonly dataDirectory: string;
  readonly how: 'created' | 'started' | 'adopted' | 'restarted';
  /** Calls back when the server ends by itself; returns how to stop listening. */
  onExit(listener: (end: UnexpectedEnd) => void): () => void;
  /** After an unexpected end, or to start anew. Rejects with a typed error while the cause lasts; may be repeated. */
  restart(signal?: AbortSignal): Promise<void>;
  /** Ends the server cleanly and releases everything, the lock last. Clients should have been closed before. */
  stop(): Promise<void>;
}

export interface Operation {
  readonly running: RunningServer;
  readonly how: EmbeddedPostgres['how'];
  readonly resources: DisposableStack;
}

/** The handle of a running server: watches its end, restarts and stops it, one step at a time. */
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
      site.log('error', 'the database server ended unexpectedly', { pid: next.server.pid, ...end });
      for (const listener of listeners) listener({ ...end, lastLines });
    });
  };
  const end = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    site.serverLog.expectDisconnects(true);
    const clean = await endServers(site.cluster);
    if (!clean) site.log('warn', 'the database server had to be ended hard; its next start repeats recent changes');
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

/** Leaving without `stop` must not leave a server behind; it finishes its shutdown by itself. */
function interrupt(running: RunningServer | undefined): void {
  try {
    if (running !== undefined && !running.server.hasEnded()) process.kill(running.server.pid, 'SIGINT');
  } catch {
    // It ended in this very moment.
  }
}

/** Runs steps one after another, whether or not those before failed. */
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
    `The database in ${folders.cluster} was stopped; only a new launcher can start it again.`,
    { directory: folders.cluster },
  );
}
