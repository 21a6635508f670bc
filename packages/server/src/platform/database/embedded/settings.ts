// The server's settings, passed on its command line: they win over files in the data folder, and a running server
// can be compared with them word for word before it is adopted.

import { release, totalmem } from 'node:os';

import { EmbeddedPostgresError } from './errors.ts';

/** Only part of the socket's file name: every server has a socket folder of its own. */
export const PORT = 5432;

const LOG_LINE_PREFIX = '%m [%p] ';

const DEFAULTS: Readonly<Record<string, string>> = {
  // Durability is stated, so that a stray postgresql.auto.conf cannot take it away.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  max_wal_size: '1GB',
  // Short statements never earn back the time of compiling them.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // LOG and worse, which leaves out ERROR: the caller gets its errors itself, and their texts contain column values.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** What the launcher relies on. */
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
 * What was in the buffers is read into them again after a start, in the background. Otherwise the first broad filter of
 * a large inventory reads hundreds of megabytes while somebody waits.
 */
export const WARM_START: ServerSettings = { shared_preload_libraries: 'pg_prewarm' };

export type ServerSettings = Readonly<Record<string, string>>;

/** Defaults and the caller's own settings together; refuses those that the launcher relies on. */
export function serverSettings(own: ServerSettings = {}): ServerSettings {
  for (const [name, value] of Object.entries(own)) {
    if (!/^[a-z_][a-z0-9_.]*$/.test(name) || value.includes('\0')) {
      throw new EmbeddedPostgresError('invalid-setting', `"${name}" is not a setting that PostgreSQL can have.`);
    }
    if (RESERVED.has(name)) {
      throw new EmbeddedPostgresError(
        'invalid-setting',
        `The setting ${name} belongs to the launcher of the embedded database and cannot be changed. ` +
          'Use a PostgreSQL server of your own with --database-url when you need another value.',
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

/** Bytes that this machine, or the container, lets its processes use. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const MIB = 2 ** 20;

/**
 * A sixteenth of the memory, between 128 MB and 1 GB: the indexes of a million certificates are some 700 MB. What the
 * server does not touch takes none, and what does not fit here is still in the cache of the operating system.
 */
export const sharedBuffers = (memory: number): string =>
  `${Math.min(1024, Math.max(128, Math.floor(memory / 16 / MIB / 64) * 64))}MB`;

/**
 * Before it recovers, the server makes sure that all its files are on disk: file by file that takes seconds with a
 * million certificates, as one call for the file system next to nothing. Older kernels do not tell that call about
 * every error (PostgreSQL, "recovery_init_sync_method").
 */
function recoverySync(): string {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 8)) ? 'syncfs' : 'fsync';
}

/**
 * Never `posix` on Linux: it uses /dev/shm, which is absent or 64 MB in many containers, and then the server does
 * not start or parallel queries fail. System V segments have no such limit; on macOS they have a tight one.
 */
export function dynamicSharedMemory(): string {
  return process.platform === 'linux' ? 'sysv' : 'posix';
}

export interface ServerPlace {
  readonly cluster: string;
  readonly run: string;
  /** Shown in the titles of the server's processes. */
  readonly clusterName: string;
  /** Names the program file, so that a server from before an upgrade does not look the same. */
  readonly programId: string;
}

export function serverArguments(settings: ServerSettings, place: ServerPlace): string[] {
  const all: ServerSettings = {
    ...settings,
    // PostgreSQL accepts any setting with a dot in its name and does nothing with it.
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

/** unix_socket_directories is a comma-separated list of identifiers; plain paths may hold commas and spaces. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
