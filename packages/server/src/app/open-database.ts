// The database of this process: the embedded server of the data directory, or an external one by URL.
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabaseHealth, type DatabaseHealth } from '../platform/database/database-health.ts';
import { Database, type ConnectionFacts } from '../platform/database/database.ts';
import {
  openApplicationDatabase,
  startEmbeddedPostgres,
  type DirectoryLock,
  type EmbeddedPostgres,
} from '../platform/database/embedded/index.ts';
import { migrate } from '../platform/database/migrate.ts';
import { asWork } from '../platform/database/query-limits.ts';
import type { Logger } from '../platform/logging/logger.ts';

const MINIMUM_VERSION = 15;
const DATABASE_NAME = 'signetry';
const RESTART_DELAYS_MS = [200, 1_000, 5_000, 15_000];

export interface OpenDatabase {
  readonly database: Database;
  readonly health: DatabaseHealth;
  /** False while the embedded server is down or read-only. */
  readonly isUp: () => boolean;
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  readonly directory: string;
  readonly databaseUrl: string | undefined;
  /** A server that is there already, instead of an embedded one. */
  readonly connection?: ConnectionFacts | undefined;
  readonly lock: DirectoryLock;
  /** Settings of the embedded server over ours. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** A connector that runs by itself migrates its own tables and needs none of the platform's. */
  readonly migrations?: 'platform' | 'none';
}

export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, connection = databaseUrl === undefined ? undefined : { connectionString: databaseUrl } } =
    options;
  const opened = connection ? await openExternal(connection, options.log) : await openEmbedded(options);
  if (options.migrations === 'none') return opened;
  try {
    await asWork('long', () => migrate(opened.database));
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openExternal(connection: ConnectionFacts, log: Logger): Promise<OpenDatabase> {
  const health = createDatabaseHealth(log);
  const database = connect(connection, health);
  const [row] = await database.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version",
  );
  if (!row || row.version < MINIMUM_VERSION) {
    await database.close();
    throw new Error(
      `PostgreSQL ${MINIMUM_VERSION} or newer is needed; the version of the server at --database-url is ${row?.version ?? 'unknown'}.`,
    );
  }
  return { database, health, isUp: health.isWriting, close: () => closeAll(database, health) };
}

async function openEmbedded({ directory, lock, postgresSettings, log }: OpenDatabaseOptions): Promise<OpenDatabase> {
  const server = await startEmbeddedPostgres({
    directory,
    lock,
    ...(postgresSettings ? { settings: { ...postgresSettings } } : {}),
    log: (level, message, fields) => log[level](fields ?? {}, message),
  });
  try {
    const health = createDatabaseHealth(log);
    const database = connect(await openApplicationDatabase(server, DATABASE_NAME), health);
    const keeper = keepRunning(server, log);
    return {
      database,
      health,
      isUp: () => keeper.isUp() && health.isWriting(),
      async close() {
        keeper.stop();
        await closeAll(database, health);
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const connect = (connection: ConnectionFacts, health: DatabaseHealth): Database =>
  new Database({ connection, onError: health.noteConnection, onOutage: health.note });

async function closeAll(database: Database, health: DatabaseHealth): Promise<void> {
  await health.stop();
  await database.close();
}

/** Starts the embedded server again when it ends unexpectedly (on a full disk, say), with growing pauses. */
function keepRunning(server: EmbeddedPostgres, log: Logger): { isUp: () => boolean; stop: () => void } {
  const stopping = new AbortController();
  let up = true;
  const unsubscribe = server.onExit(({ code, signal, lastLines }) => {
    up = false;
    log.error({ code, signal, lastLines }, 'the embedded database ended unexpectedly; starting it again');
    void restart();
  });

  async function restart(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        await delay(RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)], undefined, {
          signal: stopping.signal,
        });
        await server.restart(stopping.signal);
        up = true;
        log.info('the embedded database is running again');
        return;
      } catch (error) {
        if (!stopping.signal.aborted)
          log.error({ error }, 'the embedded database could not be started yet; trying again');
      }
    }
  }

  return {
    isUp: () => up,
    stop: () => {
      unsubscribe();
      stopping.abort();
    },
  };
}
