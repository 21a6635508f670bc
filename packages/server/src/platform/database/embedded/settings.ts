// The server's settings. They are passed on its command line, so that they override files in the data directory, and so
// that a running server's command line can be compared with them exactly before the server is adopted.

import { release, totalmem } from 'node:os';

import { EmbeddedPostgresError } from './errors.ts';

/** Used only in the name of the socket file: every server has its own socket directory. */
export const PORT = 5432;

const LOG_LINE_PREFIX = '%m [%p] ';

const DEFAULTS: Readonly<Record<string, string>> = {
  // Durability is set explicitly, so that a stray postgresql.auto.conf cannot disable it.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  max_wal_size: '1GB',
  // Compilation does not pay off for short statements.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // LOG and more severe levels, which excludes ERROR: callers receive their errors directly, and the error texts
  // contain column values.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** Settings that callers cannot change, because the launcher depends on them. */
const RESERVED = new Set([
  'cluster_name',
  'config_file',
  'data_directory',
  'external_pid_file',
  'hba_file',
  'ident_file',
  'listen_addresses',
  'log_destination',
  'log_line_prefix',
  'logging_collector',
  'port',
  'unix_socket_directories',
  'unix_socket_group',
  'unix_socket_permissions',
]);

/**
 * Reloads the previous buffer contents in the background after a start. Otherwise, the first broad filter on a large
 * inventory reads hundreds of megabytes while a user waits.
 */
export const WARM_START: ServerSettings = { shared_preload_libraries: 'pg_prewarm' };

export type ServerSettings = Readonly<Record<string, string>>;

/** Returns the defaults merged with the caller's settings; rejects settings that the launcher depends on. */
export function serverSettings(own: ServerSettings = {}): ServerSettings {
  for (const [name, value] of Object.entries(own)) {
    if (!/^[a-z_][a-z0-9_.]*$/.test(name) || value.includes('\0')) {
      throw new EmbeddedPostgresError('invalid-setting', `"${name}" is not a valid PostgreSQL setting.`);
    }
    if (RESERVED.has(name)) {
      throw new EmbeddedPostgresError(
        'invalid-setting',
        `The setting ${name} is reserved for the launcher of the embedded database and cannot be changed. ` +
          'If you need a different value, use your own PostgreSQL server with --database-url.',
      );
    }
  }
  return {
    dynamic_shared_memory_type: dynamicSharedMemory(),
    recovery_init_sync_method: recoverySync(),
    shared_buffers: sharedBuffers(availableMemory()),
    ...DEFAULTS,
    ...own,
  };
}

/** Returns the memory available to processes on this machine or in this container, in bytes. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const MIB = 2 ** 20;

/**
 * Returns a sixteenth of the memory, but at least 128 MB and at most 1 GB: the indexes of a million certificates take
 * about 700 MB. Unused buffers occupy no memory, and data that does not fit is still in the operating system's cache.
 */
export const sharedBuffers = (memory: number): string =>
  `${Math.min(1024, Math.max(128, Math.floor(memory / 16 / MIB / 64) * 64))}MB`;

/**
 * Returns how the server ensures that all its files are on disk before recovery. With a million certificates, syncing
 * file by file takes seconds, whereas one call for the whole file system takes almost no time. On older kernels, that
 * call does not report every error (PostgreSQL, "recovery_init_sync_method").
 */
function recoverySync(): string {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 8)) ? 'syncfs' : 'fsync';
}

/**
 * Never returns `posix` on Linux, because it uses /dev/shm, which is absent or limited to 64 MB in many containers, so
 * that the server does not start or parallel queries fail. System V segments have no such limit, except on macOS, where
 * it is low.
 */
export function dynamicSharedMemory(): string {
  return process.platform === 'linux' ? 'sysv' : 'posix';
}

export interface ServerLocation {
  readonly cluster: string;
  readonly run: string;
  /** Name shown in the server's process titles. */
  readonly clusterName: string;
  /** Identifies the program file, so that a server started before an upgrade is not mistaken for a current one. */
  readonly programId: string;
}

export function serverArguments(settings: ServerSettings, place: ServerLocation): string[] {
  const all: ServerSettings = {
    ...settings,
    // PostgreSQL accepts and ignores any setting with a dot in its name.
    'signetry.program': place.programId,
    cluster_name: place.clusterName,
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: quoteListItem(place.run),
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: LOG_LINE_PREFIX,
  };
  const names = Object.keys(all).sort();
  return ['-D', place.cluster, ...names.flatMap((name) => ['-c', `${name}=${all[name] ?? ''}`])];
}

/**
 * Quotes a path for unix_socket_directories, which is a comma-separated list of identifiers, because paths can contain
 * commas and spaces.
 */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
