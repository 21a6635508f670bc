// This process's database: either the embedded server in the data directory, or an external server specified by URL.
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabaseHealth, type DatabaseHealth } from '../platform/database/database-health.ts';
import { translateDatabaseError } from '../platform/database/database-errors.ts';
import { Database, type ConnectionFacts } from '../platform/database/database.ts';
import {
  openApplicationDatabase,
  startEmbeddedPostgres,
  type DirectoryLock,
  type EmbeddedPostgres,
} from '../platform/database/embedded/index.ts';
import { migrate } from '../platform/database/migrate.ts';
import { runAsWork } from '../platform/database/query-limits.ts';
import { findHarmfulSettings } from '../platform/database/server-settings.ts';
import { setSessionDefaults } from '../platform/database/session-defaults.ts';
import { acceptsSessionOptions } from '../platform/database/session-settings.ts';
import { OLDEST_SUPPORTED_VERSION } from '../platform/database/supported-versions.ts';
import type { Logger } from '../platform/logging/logger.ts';

const DATABASE_NAME = 'signetry';
const RESTART_DELAYS_MS = [200, 1_000, 5_000, 15_000];

export interface OpenDatabase {
  readonly database: Database;
  readonly health: DatabaseHealth;
  /** False while the embedded server is down or read-only. */
  readonly isUp: () => boolean;
  /** Server settings that are unsuitable for the platform, one sentence each. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

type OpenedDatabase = Omit<OpenDatabase, 'warnings'>;

export interface OpenDatabaseOptions {
  readonly directory: string;
  readonly databaseUrl: string | undefined;
  /** Existing server to use instead of an embedded one. */
  readonly connection?: ConnectionFacts | undefined;
  readonly lock: DirectoryLock;
  /** Overrides of the embedded server's settings. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** A standalone connector migrates its own tables and needs none of the platform's. */
  readonly migrations?: 'platform' | 'none';
  /** Receives progress messages during a long start. */
  readonly onProgress?: (what: string) => void;
}

export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl, connection = databaseUrl === undefined ? undefined : { connectionString: databaseUrl } } =
    options;
  const opened = connection ? await openExternal(connection, options.log) : await openEmbedded(options);
  try {
    const warnings = await findHarmfulSettings(opened.database);
    for (const warning of warnings) options.log.warn(warning);
    if (options.migrations !== 'none') await runAsWork('long', () => migrateWithReports(opened.database, options));
    return { ...opened, warnings };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function migrateWithReports(database: Database, { log, onProgress }: OpenDatabaseOptions): Promise<void> {
  const { applied } = await migrate(database, {
    onProgress({ migration, number, of, seconds }) {
      const what = `the database is being migrated: ${migration} (${number} of ${of}), running for ${seconds} s`;
      onProgress?.(what);
      // A new database runs dozens of migrations within a second, so these are not logged.
      if (seconds > 0) log.info({ migration, number, of, seconds }, 'the database is being migrated');
    },
  });
  if (applied.length > 0) log.info({ migrations: applied.length, last: applied.at(-1) }, 'the database was migrated');
}

async function openExternal(connection: ConnectionFacts, log: Logger): Promise<OpenedDatabase> {
  const health = createDatabaseHealth(log);
  const sharesSessions = !(await withConnectErrors(() => acceptsSessionOptions(connection)));
  const database = new Database({ connection, sharesSessions, onError: health.noteConnection, onOutage: health.note });
  try {
    await assertSupported(database);
    if (sharesSessions) await setRoleDefaults(database, log);
    return { database, health, isUp: health.isWriting, close: () => closeAll(database, health) };
  } catch (error) {
    await closeAll(database, health);
    throw error;
  }
}

async function withConnectErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translateDatabaseError(error, 'connecting');
  }
}

async function assertSupported(database: Database): Promise<void> {
  const [row] = await database.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version",
  );
  if (!row || row.version < OLDEST_SUPPORTED_VERSION)
    throw new Error(
      `PostgreSQL ${OLDEST_SUPPORTED_VERSION} or newer is required; the version of the server at --database-url is ${row?.version ?? 'unknown'}.`,
    );
}

/** Applies the settings to new pooler sessions; open sessions lack them until the pooler replaces them. */
async function setRoleDefaults(database: Database, log: Logger): Promise<void> {
  try {
    await database.transaction((tx) => setSessionDefaults(tx));
    log.info('the connection pooler does not preserve sessions; session settings were stored as defaults of the role');
  } catch (error) {
    log.warn({ error }, 'cannot store session settings as defaults of the role, and the connection pooler drops them');
  }
}

async function openEmbedded({ directory, lock, postgresSettings, log }: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const server = await startEmbeddedPostgres({
    directory,
    lock,
    ...(postgresSettings ? { settings: { ...postgresSettings } } : {}),
    log: (level, message, fields) => log[level](fields ?? {}, message),
  });
  try {
    const health = createDatabaseHealth(log);
    const connection = await openApplicationDatabase(server, DATABASE_NAME);
    const database = new Database({ connection, onError: health.noteConnection, onOutage: health.note });
    const keeper = restartOnExit(server, log);
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

async function closeAll(database: Database, health: DatabaseHealth): Promise<void> {
  await health.stop();
  await database.close();
}

/** Restarts the embedded server with increasing delays if it exits unexpectedly, e.g. because the disk is full. */
function restartOnExit(server: EmbeddedPostgres, log: Logger): { isUp: () => boolean; stop: () => void } {
  const stopping = new AbortController();
  let up = true;
  const unsubscribe = server.onExit(({ code, signal, lastLines }) => {
    up = false;
    log.error({ code, signal, lastLines }, 'the embedded database exited unexpectedly; restarting it');
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
        if (!stopping.signal.aborted) log.error({ error }, 'cannot start the embedded database yet; will retry');
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
