// The embedded database's only error type. The set of codes is closed, so that callers can decide how to react; the
// message states what was rejected, for which directory or program, and what to do. It must not contain passwords or
// SQL statements.

export type EmbeddedPostgresErrorCode =
  | 'locked' // Another process holds the data directory
  | 'unsupported-platform' // No PostgreSQL programs exist for this operating system, processor or C library
  | 'binaries-missing' // The npm package with the programs is not installed
  | 'binaries-unusable' // Installed, but the server's user cannot run the programs, and they could not be copied
  | 'server-user' // No suitable user exists to run the server
  | 'directory-unusable' // The directory cannot be created, read, written or assigned to the server's user
  | 'disk-full'
  | 'not-a-cluster' // The directory contains something other than a PostgreSQL cluster
  | 'other-major-version' // The cluster was created by a different major version
  | 'initdb-failed'
  | 'start-failed'
  | 'survivor' // A server from an earlier run is still active and cannot be ended from here
  | 'password-refused'
  | 'invalid-setting';

/** Process that holds a directory, according to its own note. */
export interface LockHolder {
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
}

export interface EmbeddedPostgresErrorDetails {
  readonly directory?: string;
  readonly holder?: LockHolder;
  readonly cause?: unknown;
}

export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;
  readonly directory: string | undefined;
  readonly holder: LockHolder | undefined;

  constructor(code: EmbeddedPostgresErrorCode, message: string, details: EmbeddedPostgresErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.directory = details.directory;
    this.holder = details.holder;
  }
}

/** Returns the `code` of a Node system error (`ENOENT`), or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function isNoSpace(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/**
 * Returns whether the text reports a full disk or an exceeded quota. PostgreSQL and initdb print strerror texts, which
 * are fixed with LC_ALL=C.
 */
export function mentionsNoSpace(text: string): boolean {
  return text.includes('No space left on device') || text.includes('Disk quota exceeded');
}

export function diskFull(directory: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'disk-full',
    `The file system of ${directory} is full; the database was not started. ` +
      'Free some space (a new database needs about 60 MB) and start again; committed data is not lost.',
    { directory, cause },
  );
}

/** Translates a file system error for `directory`; errors of this module are returned unchanged. */
export function directoryError(error: unknown, directory: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  if (isNoSpace(error)) return diskFull(directory, error);
  const uid = process.geteuid?.();
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(
    'directory-unusable',
    `This process (uid ${uid ?? 'unknown'}) cannot use the directory ${directory}: ${reason}. ` +
      'Change its owner to that user, run as its current owner, or choose a different data directory on a local, writable disk.',
    { directory, cause: error },
  );
}
